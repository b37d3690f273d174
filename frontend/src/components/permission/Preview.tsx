// What a request shows of what will happen: the change, or the whole command
// with nothing in it hidden.

import { createMemo, createResource, createSignal, Match, Show, Switch } from "solid-js";
import { type DiffRow, parseDiff } from "../../lib/diff";
import { count } from "../../lib/format";
import { actions, pieceBytes } from "../../state/actions";
import type { Content, Permission } from "../../state/words";
import { words } from "../../words";
import { Diff } from "../transcript/Diff";
import { Seen } from "../transcript/Seen";
import { Counts } from "../transcript/ToolRow";
import { shown } from "../transcript/tool";
import { tilde } from "../ui/path";

/** How many rows of a change are shown until all are asked for. */
const firstRows = 10;
/** How many rows are drawn at most; a change beyond it is read in the file. */
const mostRows = 5000;

async function whole(id: string, size: number): Promise<string> {
  const parts: string[] = [];
  const stream = new TextDecoder();
  for (let at = 0; at < size; ) {
    const piece = await actions.content(id, at, pieceBytes);
    if (piece.bytes.length === 0) break;
    parts.push(stream.decode(piece.bytes, { stream: true }));
    at += piece.bytes.length;
  }
  return parts.join("") + stream.decode();
}

/** createPreview pulls the body of a request and says what is in it. */
export function createPreview(content: () => Content | undefined) {
  const [all, setAll] = createSignal(false);
  const [text, { refetch }] = createResource(
    () => {
      const c = content();
      return c && { id: c.id, size: c.size, version: c.version };
    },
    ({ id, size }) => whole(id, size),
  );
  const body = () => (text.error ? undefined : text());
  const isDiff = () => content()?.type === "diff";
  const rows = createMemo<DiffRow[]>(() => (isDiff() ? parseDiff(body() ?? "") : []));
  const shownRows = createMemo(() => rows().slice(0, all() ? mostRows : firstRows));
  const changed = () => rows().filter((row) => row.kind === "add" || row.kind === "del").length;

  /** Facts are the counts at the right of the card's head. */
  const Facts = () => (
    <>
      <Show when={isDiff()}>
        <Counts added={content()?.added} removed={content()?.removed} />
      </Show>
      <Show when={rows().length > shownRows().length && !all()}>
        <button type="button" class="link" onClick={() => setAll(true)}>
          {words.chat.showAllLines(count(changed()))}
        </button>
      </Show>
    </>
  );
  return { body, failed: () => !!text.error, loading: () => text.loading, refetch, isDiff, shownRows, Facts };
}

export interface PreviewProps {
  ask: Permission;
  folder: string;
  of: ReturnType<typeof createPreview>;
}

/** Preview is the middle of the card. */
export function Preview(props: PreviewProps) {
  const path = () => props.ask.path ?? "";
  const isCommand = () => props.ask.kind === "execute";
  const text = () => props.of.body() ?? (props.ask.contentId ? "" : (props.ask.command ?? ""));
  return (
    <div class="prev">
      <Switch fallback={<p class="out-note">{words.chat.ask.noPreview}</p>}>
        <Match when={props.of.failed()}>
          <p class="out-note">
            {words.chat.ask.previewFailed}{" "}
            <button type="button" class="link" onClick={() => void props.of.refetch()}>
              {words.chat.tryAgain}
            </button>
          </p>
        </Match>
        <Match when={props.of.loading()}>
          <p class="out-note">{words.chat.loading}</p>
        </Match>
        <Match when={props.of.isDiff()}>
          <Diff
            rows={props.of.shownRows()}
            path={path()}
            label={words.chat.ask.change(shown(path(), props.folder))}
          />
        </Match>
        <Match when={isCommand() && text() !== ""}>
          <div class="ph">
            <span class="subtle">{words.chat.ask.where}</span>
            <span class="mono trunc">{tilde(props.folder)}</span>
          </div>
          <section class="out command sel" aria-label={words.chat.ask.command} tabindex="0">
            <span class="a-dim">$ </span>
            <Seen text={text()} />
          </section>
        </Match>
        <Match when={text() !== ""}>
          <section class="out command sel" aria-label={words.chat.ask.details} tabindex="0">
            <Seen text={text()} />
          </section>
        </Match>
      </Switch>
    </div>
  );
}
