// What a request shows of what will happen: the change of each file, or the
// whole command with nothing in it hidden.

import { createMemo, createResource, createSignal, Match, Show, Switch } from "solid-js";
import { parseDiff, pieces } from "../../lib/diff";
import { bytes, count } from "../../lib/format";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Permission } from "../../state/words";
import { words } from "../../words";
import { Counts } from "../transcript/Counts";
import { Seen } from "../transcript/Seen";
import { filesOf, shown } from "../transcript/tool";
import { tilde } from "../ui/path";
import { type Change, Changes } from "./Changes";

/** How many rows of changes are shown until all are asked for. */
const firstRows = 10;
/** How much of each change is pulled until all are asked for. */
const firstBytes = 256 * 1024;

/** What is shown of a request: the changes of its files, or a text. */
interface Body {
  changes: Change[];
  /** Of the files that are not listed, once all is asked for. */
  names: string[];
  text: string;
  /** How much there is that was not pulled, in bytes of all. */
  cut: boolean;
  size: number;
}

/** createPreview pulls the bodies of a request and says what is in them. */
export function createPreview(ask: () => Permission) {
  const state = useStore();
  const [all, setAll] = createSignal(false);
  const facts = (id: string | undefined) => state.contents[id ?? ""];
  const isDiff = () => !!ask().files?.length || facts(ask().contentId)?.type === "diff";
  /** What stands for the files that are too many to be listed. */
  const rest = () => ask().files?.find((file) => file.more);
  const files = () =>
    ask().files?.filter((file) => !file.more) ?? [
      { path: ask().path ?? facts(ask().contentId)?.path ?? "", contentId: ask().contentId },
    ];

  const load = async (diffs: boolean, limit: number): Promise<Body> => {
    const body: Body = { changes: [], names: [], text: "", cut: false, size: 0 };
    const names = all() ? rest()?.contentId : undefined;
    if (names) body.names = (await actions.wholeContent(names)).replace(/\n$/, "").split("\n");
    for (const { path, contentId } of files()) {
      const it = contentId
        ? await actions.beginning(contentId, diffs ? limit : Number.POSITIVE_INFINITY)
        : undefined;
      body.cut ||= it?.whole === false;
      body.size += it?.size ?? 0;
      if (!diffs) body.text = it?.text ?? "";
      else body.changes.push({ path, contentId, rows: it && pieces(parseDiff(it.text)) });
    }
    return body;
  };
  // A request that comes again as it was pulls nothing again.
  const wanted = createMemo(() => {
    const known = files().map(({ contentId }) => [contentId, facts(contentId)?.version]);
    return isDiff() || known[0]?.[1] !== undefined ? JSON.stringify([isDiff(), all(), known]) : "";
  });
  const [pull, { refetch }] = createResource(
    () => wanted() || undefined,
    () => load(isDiff(), all() ? Number.POSITIVE_INFINITY : firstBytes),
  );
  const body = () => (pull.error ? undefined : pull.latest);

  const changes = createMemo<Change[]>(() => {
    const every = body()?.changes ?? [];
    // Of many files each shows how it begins, so that all of them are named.
    const most = Math.max(1, Math.floor(firstRows / Math.max(1, every.length)));
    return every.map((change) => {
      const known = facts(change.contentId);
      const rows = all() ? change.rows : change.rows?.slice(0, most);
      return { ...change, rows, added: known?.added, removed: known?.removed };
    });
  });
  const isCut = () =>
    (body()?.changes ?? []).some(
      (change, at) => (change.rows?.length ?? 0) > (changes()[at]?.rows?.length ?? 0),
    );
  const isMore = () => !all() && (body()?.cut === true || isCut() || !!rest()?.contentId);
  const label = () => {
    if (body()?.cut) return words.chat.showAllOf(bytes(body()?.size ?? 0));
    if (isCut()) return words.chat.showAllLines(count(lines()));
    const { paths, more } = filesOf(ask());
    return words.chat.showAllFiles(count(paths.size + more));
  };
  const sum = (of: "added" | "removed") =>
    files().reduce((n, { contentId }) => n + (facts(contentId)?.[of] ?? 0), 0);
  const lines = () =>
    (body()?.changes ?? [])
      .flatMap((change) => change.rows ?? [])
      .filter((row) => !row.rest && (row.kind === "add" || row.kind === "del")).length;

  /** Facts are the counts at the right of the card's head. */
  const Facts = () => (
    <>
      <Show when={isDiff()}>
        <Counts added={sum("added")} removed={sum("removed")} />
      </Show>
      <Show when={isMore()}>
        <button
          type="button"
          class="link"
          onClick={({ currentTarget }) => {
            const card = currentTarget.closest(".perm");
            const focused = document.activeElement === currentTarget;
            setAll(true);
            // The button is gone: the keys go on in what it showed.
            if (focused) card?.querySelector<HTMLElement>(".changes")?.focus({ preventScroll: true });
          }}
        >
          {label()}
        </button>
      </Show>
    </>
  );
  return {
    text: () => body()?.text,
    failed: () => !!pull.error,
    loading: () => pull.loading && !pull.latest,
    refetch,
    isDiff,
    changes,
    /** How many files are not listed, and their names once all is asked for. */
    more: () => ({ count: rest()?.more ?? 0, names: body()?.names ?? [] }),
    Facts,
  };
}

export interface PreviewProps {
  ask: Permission;
  folder: string;
  of: ReturnType<typeof createPreview>;
}

/** Preview is the middle of the card. */
export function Preview(props: PreviewProps) {
  const isCommand = () => props.ask.kind === "execute";
  const text = () => props.of.text() ?? (props.ask.contentId ? "" : (props.ask.command ?? ""));
  const label = () => {
    const paths = new Set(props.of.changes().map((change) => change.path));
    const [only] = paths;
    const number = paths.size + props.of.more().count;
    return number === 1
      ? words.chat.ask.change(shown(only ?? "", props.folder))
      : words.chat.ask.changes(number);
  };
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
          <Changes
            of={props.of.changes()}
            more={props.of.more()}
            folder={props.folder}
            label={label()}
            named={(props.ask.files?.length ?? 0) > 0}
            wraps
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
