// A body of an item, pulled when it is opened and only as far as it is shown.

import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import { parseDiff } from "../../lib/diff";
import { bytes, count, within } from "../../lib/format";
import { actions, pieceBytes } from "../../state/actions";
import type { Content } from "../../state/words";
import { words } from "../../words";
import { Diff } from "./Diff";
import { ImageView } from "./ImageView";
import { Output } from "./Output";
import { createPulled, Failure } from "./pulled";

/** How many rows of a diff are shown until all are asked for. */
const shownRows = 400;
/** How many more each time they are asked for. */
const stepRows = 2000;

const decoder = new TextDecoder();

export interface ContentViewProps {
  content: Content;
  folder: string;
  /** What the content is of, for its name. */
  of: string;
}

/** ContentView shows one body. */
export function ContentView(props: ContentViewProps) {
  return (
    <Switch fallback={<Output {...props} />}>
      <Match when={props.content.type === "diff"}>
        <DiffView {...props} />
      </Match>
      <Match when={props.content.type === "image"}>
        <ImageView
          contentId={props.content.id}
          version={props.content.version}
          size={props.content.size}
          mime={props.content.mime}
          alt={words.chat.image}
        />
      </Match>
    </Switch>
  );
}

async function pullAll(
  content: Content,
  limit: number,
): Promise<{ text: string; size: number; end: number }> {
  const parts: Uint8Array[] = [];
  let at = 0;
  let size = content.size;
  while (at < Math.min(size, limit)) {
    const piece = await actions.content(content.id, at, Math.min(pieceBytes, limit - at));
    if (piece.bytes.length === 0) break;
    parts.push(piece.bytes);
    at += piece.bytes.length;
    size = piece.size;
  }
  const whole = new Uint8Array(at);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return { text: decoder.decode(whole), size, end: at };
}

/** How much of a diff is brought into the page. */
const mostBytes = 1_000_000;

function DiffView(props: ContentViewProps) {
  const [text, setText] = createSignal<string>();
  const [size, setSize] = createSignal({ whole: 0, here: 0 });
  const [most, setMost] = createSignal(shownRows);
  const pulled = createPulled(
    () => props.content.version,
    async () => {
      const all = await pullAll(props.content, mostBytes);
      setText(all.text);
      setSize({ whole: all.size, here: all.end });
    },
  );
  const rows = createMemo(() => parseDiff(text() ?? ""));
  const shown = createMemo(() => rows().slice(0, most()));
  const left = () => rows().length - shown().length;
  const path = () => props.content.path ?? "";
  return (
    <Show
      when={text() !== undefined}
      fallback={<p class="out-note">{pulled.failure() || words.chat.loading}</p>}
    >
      <Diff rows={shown()} path={path()} label={words.chat.tool.diffOf(within(path(), props.folder))} />
      <Show when={left() > 0}>
        <div class="out-note">
          <button type="button" class="link" onClick={() => setMost((n) => n + stepRows)}>
            {left() <= stepRows && size().here >= size().whole
              ? words.chat.showAllLines(count(rows().length))
              : words.chat.showMoreLines(count(Math.min(left(), stepRows)))}
          </button>
        </div>
      </Show>
      <Show when={left() === 0 && size().here < size().whole}>
        <p class="out-note">{words.chat.cutOff(bytes(size().whole - size().here))}</p>
      </Show>
      <Failure message={pulled.failure()} />
    </Show>
  );
}
