// Text of an agent: finished paragraphs as Markdown, parsed once, and the open
// one as it came. However long it is, only a window of it is in the page.

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
} from "solid-js";
import { unwrap } from "solid-js/store";
import { words } from "../../i18n";
import { seen, within } from "../../lib/format";
import { parseMarkdown } from "../../lib/markdown";
import { rangesOf } from "../../lib/marks";
import { Paragraphs, type Piece } from "../../lib/paragraphs";
import { openInEditor } from "../../state/editor";
import { wantedMatch } from "../../state/match";
import { useStore } from "../../state/store";
import { CodeBlock } from "./CodeBlock";
import { createLinks } from "./Links";
import { TextMatches } from "./matches";
import { offerText } from "./matchReveal";
import { named } from "./VisibleText";
import { createDrawn } from "./visiblePieces";
import "./prose.css";

/** How much of the open paragraph is in the page. */
const tailLetters = 8 * 1024;
/** How many paragraphs, and how many letters of them, are in the page at once. */
const mostPieces = 300;
export const mostShown = 300 * 1024;

export function Plain(props: { text: string }) {
  return <p class="plain">{named(props.text.replace(/\n+$/, ""), "prose")}</p>;
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

/** Paragraph is drawn once: what is finished does not change. */
function Paragraph(props: { piece: Piece }): JSX.Element {
  const { kind, text, lang } = props.piece;
  if (kind === "code") return <CodeBlock text={text} lang={lang ?? ""} />;
  if (kind === "plain") return <Plain text={text} />;
  // What the parser gives up on is shown as it came.
  return (
    <ErrorBoundary fallback={<Plain text={text} />}>
      <Markdown text={text} />
    </ErrorBoundary>
  );
}

/** Growing is a text that grows: what is new is added to it, so that only its last lines are laid out again. */
function Growing(props: { text: string }): JSX.Element {
  const node = document.createTextNode("");
  createRenderEffect(() => {
    const now = props.text;
    if (now.startsWith(node.data)) node.appendData(now.slice(node.data.length));
    else node.data = now;
  });
  return node;
}

/** windowFrom is the end of a window of paragraphs that begins at one of them. */
function windowFrom(pieces: Piece[], from: number): number {
  let letters = 0;
  let to = from;
  while (to < pieces.length && to - from < mostPieces && letters < mostShown) {
    letters += pieces[to++]?.text.length ?? 0;
  }
  return to;
}

/** windowTo is the beginning of a window that ends before one of them. */
function windowTo(pieces: Piece[], to: number): number {
  let letters = 0;
  let from = to;
  while (from > 0 && to - from < mostPieces && letters < mostShown) {
    letters += pieces[--from]?.text.length ?? 0;
  }
  return from;
}

export interface ProseProps {
  /** The item whose text is shown. */
  itemId: string;
  /** More may come: the last paragraph is shown as it is. */
  open: boolean;
  /** Shows that it is being written now. */
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

  /** feed hands over what is new; it never reads what was read before. */
  const feed = createMemo(
    () => {
      const text = state.texts[props.itemId];
      void text?.known;
      const chunks = text ? unwrap(text.chunks) : [];
      // Some agents go on after they have answered, or where a call broke off.
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
        rest: props.open ? paragraphs.tail(tailLetters) : "",
        reopened,
      };
    },
    undefined,
    { equals: false },
  );
  const count = createMemo(() => feed().count);
  /** A paragraph that was finished is another one now. */
  const again = createMemo(() => feed().reopened);

  /** The window: where it begins or ends, whichever the reader has chosen; the end of the text else. */
  const [chosen, setChosen] = createSignal<{ from: number } | { to: number }>();
  const range = createMemo(
    () => {
      const all = paragraphs.finished;
      const now = chosen();
      const end = count();
      if (now && "from" in now) return [now.from, windowFrom(all, now.from)] as const;
      const to = Math.min(end, now ? now.to : end);
      return [windowTo(all, to), to] as const;
    },
    undefined,
    { equals: (a, b) => a[0] === b[0] && a[1] === b[1] },
  );
  let box!: HTMLDivElement;
  const drawn = createDrawn({ id: props.itemId, box: () => box, pieces: paragraphs.finished, range });
  const pieces = createMemo(() => {
    again();
    return paragraphs.finished.slice(...drawn.range());
  });
  const atEnd = () => range()[1] >= count();

  /** show has the window reach to a paragraph. */
  const show = (piece: number) => {
    const [from, to] = range();
    if (piece < from || piece >= to) setChosen({ from: Math.max(0, piece - 2) });
  };
  offerText(props.itemId, {
    bring(find, nth, onlyHere = false) {
      const at = matches.at(find, nth);
      const [from, to] = drawn.range();
      if (!at || (onlyHere && (at.piece < from || at.piece >= to))) return undefined;
      show(at.piece);
      const part = drawn.bring(at.piece);
      const found = part ? rangesOf(part, find) : [];
      return found[Math.min(at.nth, found.length - 1)];
    },
    letterOf: (find, nth) => matches.letterOf(find, nth),
    before: (find, letter) => matches.before(find, letter),
    letterAt: (edge) => matches.lettersBefore(drawn.firstBelow(edge)),
  });
  // A place that is beyond the window moves it there, once the text is here.
  createEffect(() => {
    const place = wantedMatch();
    if (place?.itemId !== props.itemId || !place.find) return;
    void count();
    const at = matches.at(place.find, place.nth ?? 0);
    if (at) untrack(() => show(at.piece));
  });

  const [failure, setFailure] = createSignal("");
  // A file is opened in the editor, and only one in the chat's folder.
  const openFile = (path: string, line: number) => {
    const chat = state.chats[state.items[props.itemId]?.chatId ?? ""];
    if (!chat) return;
    const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(path);
    const whole = isAbsolute ? path : `${chat.folder}/${path.replace(/^\.[\\/]/, "")}`;
    if (within(whole, chat.folder) === whole) {
      setFailure(words.chat.outsideFolder(seen(path)));
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
          <button type="button" class="link show-all" onClick={() => setChosen({ to: range()[0] })}>
            {words.chat.earlierPart}
          </button>
        </Show>
        <Show when={drawn.before() > 0}>
          <div class="space" style={{ height: `${drawn.before()}px` }} />
        </Show>
        <For each={pieces()}>{(piece) => <Paragraph piece={piece} />}</For>
        <Show when={drawn.after() > 0}>
          <div class="space" style={{ height: `${drawn.after()}px` }} />
        </Show>
        <Show when={props.open && atEnd()}>
          <p class="tail">
            <Growing text={seen(feed().rest, "prose")} />
            <Show when={props.caret}>
              <span class="caret" />
            </Show>
          </p>
        </Show>
        <Show when={!atEnd()}>
          <button
            type="button"
            class="link show-all"
            onClick={() => {
              const next = { from: range()[1] };
              // The last part follows what is still being written.
              setChosen(windowFrom(paragraphs.finished, next.from) >= count() ? undefined : next);
            }}
          >
            {words.chat.laterPart}
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
