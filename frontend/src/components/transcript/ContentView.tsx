// Displays one of an item's bodies, such as a diff, image or output. A body is loaded when the user opens
// it, and only the displayed part is loaded.

import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { type DiffRow, maxPiece, parseDiff, pieces } from "../../lib/diff";
import { bytes, count, relativePath, utf8Size, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { BodyStart } from "../../state/loading";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { RowsControl } from "../inspector/Rows";
import { type Change, Changes } from "../permission/Changes";
import type { ContentViewProps } from "./content";
import { Diff } from "./Diff";
import { ImageView } from "./ImageView";
import { createLazyContent, Failure } from "./lazyContent";
import { registerBody } from "./matchReveal";
import { Output } from "./Output";
import { charAt } from "./parts";

/** Number of diff rows shown initially. */
const shownRows = 400;

/** ContentView shows one of an item's bodies. */
export function ContentView(props: ContentViewProps) {
  const state = useStore();
  const who = () => select.actor(state, props.content.chatId, state.items[props.content.itemId]?.turnId);
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
          alt={messages.chat.image(who())}
        />
      </Match>
    </Switch>
  );
}

/** Number of bytes of a diff loaded initially. */
const firstBytes = 1_000_000;

/** DiffView shows the beginning of a diff and, on request, all of it. */
function DiffView(props: ContentViewProps) {
  const state = useStore();
  const [body, setBody] = createSignal<BodyStart>();
  const [all, setAll] = createSignal(false);
  const limit = () => (all() ? Number.POSITIVE_INFINITY : firstBytes);
  const pulled = createLazyContent(
    () => props.content.version,
    async () => {
      const most = limit();
      const now = await actions.bodyStart(props.content.id, most);
      if (most === limit()) setBody(now);
    },
  );
  let drawn: HTMLElement | undefined;
  let list: RowsControl | undefined;
  const rows = createMemo(() => parseDiff(body()?.text ?? ""));
  const path = () => props.content.path ?? "";
  const changes = createMemo<Change[]>(() =>
    all() ? [{ path: path(), contentId: props.content.id, rows: pieces(rows()) }] : [],
  );
  const label = () => {
    const name = visibleText(relativePath(path(), props.folder));
    return props.plain ? messages.lines.changeTo(name) : messages.chat.tool.diffOf(name);
  };
  const showAll = () => {
    setAll(true);
    if (!body()?.whole) void pulled.run();
  };

  // To find the row of a match, the diff is parsed up to the match. The last result is cached here.
  let last: { text: string; at: number; before: DiffRow[] } | undefined;
  const placeOf = (at: number) => {
    const text = body()?.text ?? "";
    if (last?.text !== text || last.at !== at) {
      last = { text, at, before: parseDiff(text.slice(0, charAt(text, at) + 1)) };
    }
    const lines = all() ? pieces(last.before) : last.before;
    return { row: lines.length - 1, letter: Math.max(0, (lines.at(-1)?.text.length ?? 0) - 1) };
  };
  registerBody(props.content.id, {
    load: async (at) => {
      if (at >= firstBytes) setAll(true);
      const now = body();
      if (!now || (!now.whole && at >= utf8Size(now.text))) {
        setBody(await actions.bodyStart(props.content.id, limit()));
      }
      const { row, letter } = placeOf(at);
      if (row >= shownRows || letter >= maxPiece / 2) showAll();
      list?.show(placeOf(at).row);
    },
    locate: (at) => {
      const { row, letter } = placeOf(at);
      const line = all() ? list?.row(row) : drawn?.querySelectorAll(".dl")[row];
      const part = line?.querySelector(".c") ?? line;
      return part ? { part, letter } : undefined;
    },
  });

  return (
    <Show when={body()} fallback={<p class="out-note">{pulled.failure() || messages.chat.loading}</p>}>
      {(now) => (
        <>
          <Show
            when={all()}
            fallback={
              <Diff
                ref={(section) => {
                  drawn = section;
                }}
                rows={rows().slice(0, shownRows)}
                path={path()}
                label={label()}
              />
            }
          >
            <Changes
              of={changes()}
              folder={props.folder}
              label={label()}
              named={false}
              wraps={!!state.settings.wrapDiff}
              control={(control) => {
                list = control;
              }}
            />
          </Show>
          <Show when={!all() && (rows().length > shownRows || !now().whole)}>
            <div class="out-note">
              <button
                type="button"
                class="link"
                onClick={({ currentTarget }) => {
                  const out = currentTarget.closest(".tool-out");
                  const focused = document.activeElement === currentTarget;
                  showAll();
                  // The button is removed, so the focus moves to the content that it revealed.
                  if (focused) out?.querySelector<HTMLElement>(".changes")?.focus({ preventScroll: true });
                }}
              >
                {now().whole
                  ? messages.chat.showAllLines(count(rows().length))
                  : messages.chat.showAllOf(bytes(now().size))}
              </button>
            </div>
          </Show>
          <Show when={all() && !now().whole}>
            <p class="out-note">
              <Show when={pulled.failure()} fallback={messages.chat.loading}>
                <button type="button" class="link" onClick={() => void pulled.run()}>
                  {messages.chat.tryAgain}
                </button>
              </Show>
            </p>
          </Show>
          <Failure message={pulled.failure()} />
        </>
      )}
    </Show>
  );
}
