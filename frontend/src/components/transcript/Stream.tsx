// The output of a delegated session. Only a window of it is in the DOM; the window moves with scrolling
// and follows the end until the user scrolls up.

import ArrowDown from "lucide-solid/icons/arrow-down";
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show, untrack } from "solid-js";
import { messages } from "../../i18n";
import { sameList } from "../../lib/lists";
import { actions } from "../../state/actions";
import { wantedMatch } from "../../state/match";
import { useStore } from "../../state/store";
import { chunkWith } from "../../state/text";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { namedText } from "./VisibleText";
import "./delegation-block.css";

/** Maximum number of text chunks in the DOM. */
export const maxPieces = 8;
/** Number of chunks by which the window moves. */
const step = maxPieces / 2;
/** Maximum distance in pixels from the end at which the view still follows it. */
const followDistance = 8;
/** Distance in pixels from an edge of the window at which the window moves. */
const edgeDistance = 200;

/** Piece is one chunk of an item's text: `id` is the item's ID, and `at` is the chunk's index. */
interface Piece {
  key: string;
  id: string;
  at: number;
}

export interface StreamProps {
  /** Display name of the agent. */
  who: string;
  /** IDs of the items whose texts are shown, in this order. */
  ids: string[];
  live: boolean;
  /** Called when the user is reading the output, so that the block doesn't collapse. */
  onRead?: () => void;
}

/** Stream renders the output of a session. */
export function Stream(props: StreamProps) {
  const state = useStore();
  let pre!: HTMLPreElement;
  const nodes = new Map<string, HTMLElement>();
  const [follows, setFollows] = createSignal(true);
  /** Index after the window's last piece. If undefined, the window follows the end. */
  const [end, setEnd] = createSignal<number>();

  // If a snapshot contains only the beginning of a text, the rest is loaded.
  createEffect(() => {
    for (const id of props.ids) {
      const text = state.texts[id];
      if (!text || text.known >= text.size) continue;
      actions
        .loadText(id)
        .catch((thrown) => actions.log("warn", `pull the output of a session: ${thrown.message}`));
    }
  });

  const counts = createMemo(() => props.ids.map((id) => state.texts[id]?.chunks.length ?? 0), [], {
    equals: sameList,
  });
  const total = createMemo(() => counts().reduce((sum, n) => sum + n, 0));
  const to = () => Math.min(total(), end() ?? total());
  const from = () => Math.max(0, to() - maxPieces);
  const pieces = createMemo<Piece[]>((before) => {
    const known = new Map(before?.map((piece) => [piece.key, piece]));
    const out: Piece[] = [];
    let first = 0;
    props.ids.forEach((id, index) => {
      const count = counts()[index] ?? 0;
      for (let at = Math.max(0, from() - first); at < Math.min(count, to() - first); at++) {
        const key = `${id}:${at}`;
        out.push(known.get(key) ?? { key, id, at });
      }
      first += count;
    });
    return out;
  }, []);

  const textOf = (piece: Piece) => state.texts[piece.id]?.chunks[piece.at] ?? "";

  const topOf = (node: HTMLElement | undefined) => node?.getClientRects()[0]?.top;
  /** move shifts the window by a number of chunks and keeps the visible text in place. */
  const move = (by: number) => {
    const next = Math.max(Math.min(maxPieces, total()), Math.min(total(), to() + by));
    if (next === to()) return;
    const before = new Map(pieces().map((piece) => [piece.key, topOf(nodes.get(piece.key))]));
    setEnd(next);
    for (const piece of pieces()) {
      const was = before.get(piece.key);
      const now = topOf(nodes.get(piece.key));
      if (was === undefined || now === undefined) continue;
      pre.scrollTop += now - was;
      return;
    }
  };
  const toEnd = () => {
    setEnd(undefined);
    setFollows(true);
    pre.scrollTop = pre.scrollHeight;
  };

  // Jumping to a match in the output moves the window to the match once its text is loaded.
  createEffect(() => {
    const place = wantedMatch();
    const index = props.ids.indexOf(place?.itemId ?? "");
    const text = state.texts[place?.itemId ?? ""];
    if (!place || index < 0 || !text || text.known < text.size) return;
    const at = chunkWith(text.chunks, place.find ?? "");
    const first = counts()
      .slice(0, index)
      .reduce((sum, n) => sum + n, 0);
    untrack(() => {
      setFollows(false);
      setEnd(Math.max(Math.min(maxPieces, total()), Math.min(total(), first + at + step)));
      props.onRead?.();
    });
  });

  let lastTop = 0;
  const onScroll = () => {
    const up = pre.scrollTop < lastTop - 1;
    lastTop = pre.scrollTop;
    const below = pre.scrollHeight - pre.scrollTop - pre.clientHeight;
    if (to() === total() && below <= followDistance) {
      setEnd(undefined);
      setFollows(true);
      return;
    }
    if (up && follows()) {
      // The window stays in place while text streams in.
      setEnd(to());
      setFollows(false);
      props.onRead?.();
    }
    if (follows()) return;
    if (pre.scrollTop < edgeDistance && from() > 0) move(-step);
    else if (below < edgeDistance && to() < total()) move(step);
    lastTop = pre.scrollTop;
  };

  // New text moves the end. The view follows it unless the user has scrolled up.
  const last = createMemo(() => {
    const piece = pieces().at(-1);
    return piece ? textOf(piece) : "";
  });
  createEffect(
    on([last, total], () => {
      if (follows()) pre.scrollTop = pre.scrollHeight;
    }),
  );

  // A width change rewraps the text and moves its end.
  onMount(() => {
    const observer = new ResizeObserver(() => {
      if (follows()) pre.scrollTop = pre.scrollHeight;
    });
    observer.observe(pre);
    onCleanup(() => observer.disconnect());
  });

  return (
    <div class="stream">
      {/* biome-ignore lint/a11y/useSemanticElements: a pre preserves the text's spaces. */}
      <pre
        ref={(element) => {
          pre = element;
          pre.addEventListener("scroll", onScroll);
        }}
        class="copilot-stream sel"
        role="region"
        aria-label={messages.chat.work.output(props.who)}
        tabindex="0"
      >
        <For each={pieces()}>
          {(piece) => (
            <>
              <Show when={piece.at === 0 && piece.id !== props.ids[0]}>{"\n\n"}</Show>
              <span
                data-item={piece.id}
                ref={(node) => {
                  nodes.set(piece.key, node);
                  onCleanup(() => nodes.get(piece.key) === node && nodes.delete(piece.key));
                }}
              >
                {namedText(textOf(piece), "prose")}
              </span>
            </>
          )}
        </For>
        <Show when={props.live && to() === total()}>
          <span class="caret" />
        </Show>
      </pre>
      <Show when={!follows()}>
        <Button class="stream-jump" onClick={toEnd}>
          <Icon of={ArrowDown} size="sm" />
          {messages.chat.jump}
        </Button>
      </Show>
    </div>
  );
}
