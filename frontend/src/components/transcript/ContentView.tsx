// A body of an item, pulled when it is opened and only as far as it is shown.

import { createEffect, createMemo, createSignal, For, Match, on, onCleanup, Show, Switch } from "solid-js";
import { hasLongLine, parseAnsi, tailLines } from "../../lib/ansi";
import { parseDiff } from "../../lib/diff";
import { bytes, count, within } from "../../lib/format";
import { actions, pieceBytes } from "../../state/actions";
import type { Content } from "../../state/words";
import { words } from "../../words";
import { Diff } from "./Diff";
import { ImageView } from "./ImageView";

/** How many lines of output are shown until all are asked for. */
const shownLines = 200;
/** How much of the end of an output is pulled to find them. */
const tailBytes = 64 * 1024;
/** How many rows of a diff are shown until all are asked for. */
const shownRows = 400;
/** How many more each time they are asked for. */
const stepRows = 2000;
/** How often a body that grows is pulled again. */
const renewMillis = 250;

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
    <Switch fallback={<OutputView {...props} />}>
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

/** createPulled pulls with work now and whenever the body's version grows, not too often. */
function createPulled(version: () => number, work: () => Promise<void>) {
  const [failure, setFailure] = createSignal("");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let gone = false;
  const run = async () => {
    timer = undefined;
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      await work();
      setFailure("");
    } catch (thrown) {
      setFailure((thrown as Error).message);
    }
    running = false;
    if (again && !gone) {
      again = false;
      timer ??= setTimeout(run, renewMillis);
    }
  };
  createEffect(
    on(version, (_, before) => {
      if (before === undefined) void run();
      else timer ??= setTimeout(run, renewMillis);
    }),
  );
  onCleanup(() => {
    gone = true;
    clearTimeout(timer);
  });
  return { failure, run };
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

function Failure(props: { message: string }) {
  return (
    <Show when={props.message}>
      <p class="out-note c-bad">{props.message}</p>
    </Show>
  );
}

/** How much one "Show all" or "Show more" brings into the page. */
const stepBytes = 1_000_000;

function OutputView(props: ContentViewProps) {
  const [text, setText] = createSignal<string>();
  const [size, setSize] = createSignal(props.content.size);
  const [end, setEnd] = createSignal(0);
  // 0 shows the tail; more shows that much from the start.
  const [limit, setLimit] = createSignal(0);
  const pulled = createPulled(
    () => props.content.version + limit(),
    async () => {
      if (limit() > 0) {
        const all = await pullAll(props.content, limit());
        setText(all.text);
        setSize(all.size);
        setEnd(all.end);
        return;
      }
      const from = Math.max(0, props.content.size - tailBytes);
      const piece = await actions.content(props.content.id, from, tailBytes);
      let tail = decoder.decode(piece.bytes);
      // The first line of a piece from the middle is seldom whole.
      if (from > 0) tail = tail.slice(tail.indexOf("\n") + 1).replace(/^\uFFFD+/, "");
      setText(tail);
      setSize(piece.size);
      setEnd(from > 0 ? -1 : piece.bytes.length);
    },
  );

  const view = createMemo(() => {
    const all = text() ?? "";
    if (limit() > 0) return { text: all, cut: false };
    const tail = tailLines(all, shownLines);
    return { text: tail.text, cut: tail.lines > shownLines || end() < 0 };
  });
  const isTerminal = () => props.content.type === "terminal";

  return (
    <>
      <Show when={view().cut}>
        <div class="out-note">
          <span>{words.chat.tool.lastLines(shownLines)}</span>
          <button type="button" class="link" onClick={() => setLimit(stepBytes)}>
            {props.content.lines
              ? words.chat.showAllLines(count(props.content.lines))
              : words.chat.showAllOf(bytes(size()))}
          </button>
        </div>
      </Show>
      <Show when={text() !== undefined} fallback={<p class="out-note">{words.chat.loading}</p>}>
        <Show when={view().text.trim() !== ""} fallback={<p class="out-note">{words.chat.noContent}</p>}>
          <section
            class="out sel"
            classList={{ wrapped: !isTerminal() || hasLongLine(view().text) }}
            tabindex="0"
            aria-label={words.chat.tool.outputOf(props.of)}
          >
            <Show when={isTerminal()} fallback={view().text}>
              <For each={parseAnsi(view().text)}>{(run) => <span class={run.class}>{run.text}</span>}</For>
            </Show>
          </section>
        </Show>
      </Show>
      <Show when={limit() > 0 && end() < size()}>
        <div class="out-note">
          <button type="button" class="link" onClick={() => setLimit((n) => n + stepBytes)}>
            {words.chat.showMore(bytes(size() - end()))}
          </button>
        </div>
      </Show>
      <Failure message={pulled.failure()} />
    </>
  );
}

function DiffView(props: ContentViewProps) {
  const [text, setText] = createSignal<string>();
  const [size, setSize] = createSignal({ whole: 0, here: 0 });
  const [most, setMost] = createSignal(shownRows);
  const pulled = createPulled(
    () => props.content.version,
    async () => {
      const all = await pullAll(props.content, stepBytes);
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
            {left() <= stepRows
              ? words.chat.showAllLines(count(rows().length))
              : words.chat.showMoreLines(count(stepRows))}
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
