// Text written by an agent: finished paragraphs as Markdown, parsed once, and the unfinished one as plain
// text. Only a window of a long text is in the DOM.

import {
  createEffect,
  createMemo,
  createRenderEffect,
  createSignal,
  ErrorBoundary,
  For,
  type JSX,
  Show,
  untrack,
  useContext,
} from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { parseMarkdown } from "../../lib/markdown";
import { rangesOf } from "../../lib/marks";
import { Paragraphs, type Piece } from "../../lib/paragraphs";
import { pathInside } from "../../lib/path";
import { openInEditor } from "../../state/editor";
import { wantedMatch } from "../../state/match";
import { useStore } from "../../state/store";
import { CodeBlock } from "./CodeBlock";
import { DrawingsContext } from "./drawing";
import { createLinks } from "./Links";
import { TextMatches } from "./matches";
import { registerText } from "./matchReveal";
import { Sequence } from "./Sequence";
import { registerOmitted } from "./selectedText";
import { namedText } from "./VisibleText";
import { createVisiblePieces } from "./visiblePieces";
import "./prose.css";

/** Maximum size of the unfinished paragraph in the DOM, in characters. */
const tailChars = 8 * 1024;
/** Maximum number of paragraphs in the DOM; maxShownChars is the maximum number of characters in them. */
const maxPieces = 300;
export const maxShownChars = 300 * 1024;
/** While the list doesn't follow its end, maxPieces and maxShownChars may be exceeded by this factor. */
const maxGrowth = 10;

export function Plain(props: { text: string }) {
  return <p class="plain">{namedText(props.text.replace(/\n+$/, ""), "prose")}</p>;
}

export function Markdown(props: { text: string }) {
  return (
    <div class="md">
      <For each={parseMarkdown(props.text)}>
        {(part) => {
          if (part.kind === "code") return <CodeBlock text={part.text} lang={part.lang} />;
          return part.kind === "plain" ? <Plain text={part.text} /> : part.nodes;
        }}
      </For>
    </div>
  );
}

/** Paragraph renders only once, because a finished paragraph doesn't change. */
function Paragraph(props: { piece: Piece }): JSX.Element {
  const { kind, text, lang } = props.piece;
  if (kind === "code") return <CodeBlock text={text} lang={lang ?? ""} />;
  if (kind === "plain") return <Plain text={text} />;
  // If the parser fails, the text is shown as received.
  return (
    <ErrorBoundary fallback={<Plain text={text} />}>
      <Markdown text={text} />
    </ErrorBoundary>
  );
}

/** StreamingText appends new text to its node, so that only the last lines are laid out again. */
function StreamingText(props: { text: string }): JSX.Element {
  const node = document.createTextNode("");
  createRenderEffect(() => {
    const now = props.text;
    if (now.startsWith(node.data)) node.appendData(now.slice(node.data.length));
    else node.data = now;
  });
  return node;
}

/**
 * windowFrom returns the index after the last paragraph of the window that starts at paragraph `from`. The window may
 * be up to `growth` times as long as usual.
 */
function windowFrom(pieces: Piece[], from: number, growth = 1): number {
  let letters = 0;
  let to = from;
  while (to < pieces.length && to - from < maxPieces * growth && letters < maxShownChars * growth) {
    letters += pieces[to++]?.text.length ?? 0;
  }
  return to;
}

/** windowTo returns the index of the first paragraph of the window that ends before paragraph `to`. */
function windowTo(pieces: Piece[], to: number): number {
  let letters = 0;
  let from = to;
  while (from > 0 && to - from < maxPieces && letters < maxShownChars) {
    letters += pieces[--from]?.text.length ?? 0;
  }
  return from;
}

export interface ProseProps {
  /** The item that contains the text. */
  itemId: string;
  /** Whether more text may arrive. The last paragraph is then shown as plain text. */
  open: boolean;
  /** Whether to show a caret for streaming text. */
  caret?: boolean;
}

/** Prose shows the text of a message. */
export function Prose(props: ProseProps) {
  const state = useStore();
  const paragraphs = new Paragraphs();
  const matches = new TextMatches(paragraphs.finished);
  let [chunk, letter] = [0, 0];
  let isFinished = false;
  let reopened = 0;

  /**
   * feed passes newly arrived text to the paragraphs. It returns the number of finished paragraphs, the
   * unfinished text, and how often the last paragraph was reopened.
   */
  const feed = createMemo(
    () => {
      const text = state.texts[props.itemId];
      void text?.known;
      const chunks = text ? unwrap(text.chunks) : [];
      // Some agents add text after finishing their answer, or after an interrupted call.
      const isMore = chunk < chunks.length - 1 || letter < (chunks[chunk]?.length ?? 0);
      if (isFinished && (props.open || isMore)) {
        isFinished = false;
        reopened++;
        paragraphs.reopen();
        matches.forget();
      }
      for (; chunk < chunks.length; chunk++, letter = 0) {
        const now = chunks[chunk] as string;
        if (letter < now.length) paragraphs.grow(letter === 0 ? now : now.slice(letter));
        letter = now.length;
        if (chunk === chunks.length - 1) break;
      }
      if (!props.open && !isFinished) {
        isFinished = true;
        paragraphs.finish();
      }
      return {
        count: paragraphs.finished.length,
        rest: props.open ? paragraphs.tail(tailChars) : "",
        reopened,
      };
    },
    undefined,
    { equals: false },
  );
  const count = createMemo(() => feed().count);
  /** A counter that increases whenever a finished paragraph is reopened and replaced. */
  const again = createMemo(() => feed().reopened);

  /**
   * The chosen window, given by the index of its first paragraph (`from`) or the index after its last one (`to`). If
   * undefined, the window is at the end of the text and follows it.
   */
  const [chosen, setChosen] = createSignal<{ from: number; growth?: number } | { to: number }>();
  const range = createMemo(
    () => {
      const all = paragraphs.finished;
      const now = chosen();
      const end = count();
      if (now && "from" in now) return [now.from, windowFrom(all, now.from, now.growth)] as const;
      const to = Math.min(end, now ? now.to : end);
      return [windowTo(all, to), to] as const;
    },
    undefined,
    { equals: (a, b) => a[0] === b[0] && a[1] === b[1] },
  );
  // While the list doesn't follow its end, new text must not remove the paragraphs being read.
  const drawings = useContext(DrawingsContext);
  createRenderEffect(() => {
    const now = chosen();
    const follows = drawings?.follows() !== false;
    if (!now && !follows) setChosen({ from: untrack(range)[0], growth: maxGrowth });
    else if (now && "growth" in now && follows) setChosen(undefined);
  });
  let box!: HTMLDivElement;
  const drawn = createVisiblePieces({ id: props.itemId, box: () => box, pieces: paragraphs.finished, range });
  /** The rendered paragraphs, and the gaps between them. */
  const cells = createMemo(() => {
    again();
    return drawn
      .cells()
      .map((cell) => (typeof cell === "number" ? (paragraphs.finished[cell] as Piece) : cell));
  });
  /** omits registers an element that stands for paragraphs that aren't in the DOM. */
  const omits = (element: Element, from: () => number, to: () => number) =>
    registerOmitted(element, function* () {
      for (const piece of paragraphs.finished.slice(from(), to())) yield () => <Paragraph piece={piece} />;
    });
  const atEnd = () => range()[1] >= count();

  /** show moves the window to include a paragraph. */
  const show = (piece: number) => {
    const [from, to] = range();
    if (piece < from || piece >= to) setChosen({ from: Math.max(0, piece - 2) });
  };
  registerText(props.itemId, {
    reveal(find, nth, onlyHere = false) {
      const at = matches.at(find, nth);
      const [from, to] = drawn.range();
      if (!at || (onlyHere && (at.piece < from || at.piece >= to))) return undefined;
      show(at.piece);
      const part = drawn.bring(at.piece);
      const found = part ? rangesOf(part, find) : [];
      return found[Math.min(at.nth, found.length - 1)];
    },
    positionOf: (find, nth) => matches.positionOf(find, nth),
    countBefore: (find, letter) => matches.before(find, letter),
    positionAt: (edge) => matches.charsBefore(drawn.firstBelow(edge)),
  });
  // Jumping to a match outside the window moves the window to the match once the text is loaded.
  createEffect(() => {
    const place = wantedMatch();
    if (place?.itemId !== props.itemId || !place.find) return;
    void count();
    const at = matches.at(place.find, place.nth ?? 0);
    if (at) untrack(() => show(at.piece));
  });

  const [failure, setFailure] = createSignal("");
  // Only files in the chat's folder are opened in the editor.
  const openFile = (path: string, line: number) => {
    const chat = state.chats[state.items[props.itemId]?.chatId ?? ""];
    if (!chat) return;
    const whole = pathInside(path, chat.folder);
    if (whole === "") {
      setFailure(messages.chat.outsideFolder(visibleText(path)));
      return;
    }
    openInEditor(chat.id, whole, line, setFailure);
  };

  const links = createLinks(openFile);

  return (
    <>
      <div
        class="prose"
        ref={(element) => {
          box = element;
          links.ref(element);
        }}
      >
        <Show when={range()[0] > 0}>
          <button
            type="button"
            class="link show-all"
            ref={(element) =>
              omits(
                element,
                () => 0,
                () => range()[0],
              )
            }
            onClick={() => setChosen({ to: range()[0] })}
          >
            {messages.chat.earlierPart}
          </button>
        </Show>
        <Sequence each={cells()}>
          {(cell) =>
            "from" in cell ? (
              <div
                class="space"
                style={{ height: `${drawn.space(cell)}px` }}
                ref={(element) =>
                  omits(
                    element,
                    () => cell.from,
                    () => cell.to,
                  )
                }
              />
            ) : (
              <Paragraph piece={cell} />
            )
          }
        </Sequence>
        <Show when={props.open && atEnd()}>
          <p class="tail">
            <StreamingText text={visibleText(feed().rest, "prose")} />
            <Show when={props.caret}>
              <span class="caret" />
            </Show>
          </p>
        </Show>
        <Show when={!atEnd()}>
          <button
            type="button"
            class="link show-all"
            ref={(element) => omits(element, () => range()[1], count)}
            onClick={() => {
              const next = { from: range()[1] };
              // A window that reaches the end of the text stays at the end as text arrives.
              setChosen(windowFrom(paragraphs.finished, next.from) >= count() ? undefined : next);
            }}
          >
            {messages.chat.laterPart}
          </button>
        </Show>
      </div>
      <Show when={failure()}>
        <p class="c-bad" role="alert">
          {failure()}
        </p>
      </Show>
      {links.question()}
    </>
  );
}
