// The output of a command or tool: its last lines first, more on request. Only part of a large output is
// in the DOM at a time, but the user can get to all of it.

import { createMemo, createSignal, For, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { hasLongLine, parseAnsi, tailLines } from "../../lib/ansi";
import { bytes, count, utf8Size } from "../../lib/format";
import { actions } from "../../state/actions";
import type { ContentViewProps } from "./content";
import { createLazyContent, Failure } from "./lazyContent";
import { registerBody } from "./matchReveal";
import {
  bytesOf,
  charAt,
  type Part,
  partAfter,
  partAround,
  partBefore,
  type Range,
  trimParts,
} from "./parts";
import { namedText } from "./VisibleText";

/** Number of lines of output shown initially. */
const collapsedLines = 200;
/** Number of lines shown while the command is running. */
const liveLines = 12;
/** Number of bytes at the end of the output that are loaded to find the last lines. */
const tailBytes = 64 * 1024;
/** Maximum size in bytes of the output in the DOM. */
const maxBytes = 1_000_000;

const decoder = new TextDecoder();

/** Output shows the text of a body, such as a command's output. */
export function Output(props: ContentViewProps) {
  let out: HTMLElement | undefined;
  const nodes = new Map<Part, HTMLElement>();
  const [tail, setTail] = createSignal<{ part: Part; isCut: boolean; most: number }>();
  /** The parts that replace the last lines once the user has requested more. */
  const [parts, setParts] = createSignal<Part[]>();
  const [size, setSize] = createSignal(props.content.size);
  const range: Range = (offset, limit) => actions.content(props.content.id, offset, limit);

  const pullTail = async () => {
    const from = Math.max(0, props.content.size - tailBytes);
    const piece = await range(from, tailBytes);
    let text = decoder.decode(piece.bytes);
    // The first line of a piece from the middle is usually incomplete.
    if (from > 0) text = text.slice(text.indexOf("\n") + 1).replace(/^\uFFFD+/, "");
    const most = props.live ? liveLines : collapsedLines;
    const last = tailLines(text, most);
    const scroller = out?.closest(".tool-out");
    const isAtEnd = !scroller || scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
    setSize(piece.size);
    const to = from + piece.bytes.length;
    const isEnded = text.endsWith("\n") && !last.text.endsWith("\n");
    setTail({
      part: { from: Math.max(0, to - utf8Size(last.text) - (isEnded ? 1 : 0)), to, text: last.text },
      isCut: from > 0 || last.lines > most,
      most,
    });
    setParts(undefined);
    if (props.live && isAtEnd)
      out?.closest(".tool-out")?.scrollTo?.({ top: out.offsetTop + out.offsetHeight });
  };

  /**
   * Loads the parts from the byte offset `from` to the end of the output, or until their total size reaches maxBytes.
   */
  const onward = async (from: number) => {
    const all: Part[] = [];
    for (let at = from; ; ) {
      const next = await partAfter(range, at);
      setSize(next.size);
      if (next.part.to > at) all.push(next.part);
      if (next.part.to === at || next.part.to >= next.size || bytesOf(all) >= maxBytes) return all;
      at = next.part.to;
    }
  };

  // Queued loads that the user has requested, in order. If there are none, the visible parts are loaded again.
  const due: (() => Promise<void>)[] = [];
  const renew = async () => {
    const first = parts()?.[0];
    const all = first ? await onward(first.from) : [];
    if (all.length > 0) setParts(all);
    else await pullTail();
  };
  const pulled = createLazyContent(
    () => props.content.version,
    async () => {
      const work = due.splice(0);
      const failures: unknown[] = [];
      for (const step of work.length > 0 ? work : [renew]) {
        await step().catch((thrown) => failures.push(thrown));
      }
      if (failures.length > 0) throw failures[0];
    },
  );
  const ask = (work: () => Promise<void>) => {
    due.push(work);
    void pulled.run();
  };

  /**
   * show replaces the rendered parts and then scrolls so that the visible content doesn't move. `edge` returns the
   * vertical position of that content.
   */
  const show = (next: Part[], edge: () => number | undefined) => {
    const scroller = out?.closest(".tool-out");
    const focused = document.activeElement;
    const before = edge();
    setParts(next);
    const after = edge();
    if (scroller && before !== undefined && after !== undefined) scroller.scrollTop += after - before;
    // If the focused button was removed because nothing is left to load, the focus moves to the text.
    if (focused && !focused.isConnected) out?.focus({ preventScroll: true });
  };
  const topOf = (part: Part | undefined) => () => part && nodes.get(part)?.getClientRects()[0]?.top;
  const bottom = () => out?.getBoundingClientRect().bottom;

  const all = async () => show(await onward(0), bottom);
  const earlier = async () => {
    const shown = parts();
    const [first] = shown ?? [];
    if (!shown || !first) return show([await partBefore(range, size())], bottom);
    show(trimParts([await partBefore(range, first.from), ...shown], maxBytes, "first"), topOf(first));
  };
  const later = async () => {
    const shown = parts() ?? [];
    const last = shown.at(-1);
    const next = await partAfter(range, last?.to ?? 0);
    setSize(next.size);
    show(trimParts([...shown, next.part], maxBytes, "last"), topOf(last));
  };
  const toBeginning = async () => {
    show([(await partAfter(range, 0)).part], () => undefined);
    out?.closest(".tool-out")?.scrollTo?.({ top: 0 });
  };
  const toEnd = async () => {
    const { size: whole } = await range(0, 0);
    setSize(whole);
    show([await partBefore(range, whole)], () => undefined);
    const scroller = out?.closest(".tool-out");
    scroller?.scrollTo?.({ top: scroller.scrollHeight });
  };

  const list = createMemo(() => {
    const last = tail();
    return parts() ?? (last && [last.part]);
  });

  // Returns the part that contains the byte at offset `at`, if that part is loaded. A search match may be
  // outside the loaded parts.
  const partOf = (at: number) => list()?.find((part) => part.from <= at && at < part.to);
  const waiting = new Set<() => void>();
  onCleanup(() => {
    for (const done of waiting) done();
  });
  const around = async (at: number) => {
    const it = await partAround(range, at);
    setSize(it.size);
    show([it.part], () => undefined);
  };
  registerBody(props.content.id, {
    load: (at) =>
      new Promise((settle) => {
        const done = () => {
          waiting.delete(done);
          settle();
        };
        waiting.add(done);
        ask(() => (partOf(at) ? Promise.resolve() : around(at)).finally(done));
      }),
    locate: (at) => {
      const part = partOf(at);
      const node = part && nodes.get(part);
      if (!node) return undefined;
      const before = part.text.slice(0, charAt(part.text, at - part.from));
      const shown = isTerminal()
        ? parseAnsi(before).reduce((n, run) => n + run.text.length, 0)
        : before.length;
      return { part: node, letter: shown };
    },
  });

  const isCutAbove = () => {
    const shown = parts();
    return shown ? (shown[0]?.from ?? 0) > 0 : tail()?.isCut;
  };
  const isCutBelow = () => (parts()?.at(-1)?.to ?? size()) < size();
  const isTerminal = () => props.content.type === "terminal";
  // All invisible characters of a command are shown by name, as in its permission request.
  const reading = () => (props.content.type === "command" ? "exact" : "output");
  const isWide = createMemo(() => !!list()?.some((part) => hasLongLine(part.text)));
  const Ask = (button: { label: string; work: () => Promise<void> }) => (
    <button type="button" class="link" onClick={() => ask(button.work)}>
      {button.label}
    </button>
  );

  return (
    <>
      <Show when={isCutAbove()}>
        <div class="out-note">
          <Show when={!parts()}>
            <span>{messages.chat.tool.lastLines(tail()?.most ?? collapsedLines)}</span>
          </Show>
          <Show
            when={!parts() && size() <= maxBytes}
            fallback={
              <>
                <Ask label={messages.chat.earlierPart} work={earlier} />
                <Ask label={messages.chat.fromBeginning} work={toBeginning} />
              </>
            }
          >
            <Ask
              label={
                props.content.lines
                  ? messages.chat.showAllLines(count(props.content.lines))
                  : messages.chat.showAllOf(bytes(size()))
              }
              work={all}
            />
          </Show>
        </div>
      </Show>
      <Show when={list()} fallback={<p class="out-note">{messages.chat.loading}</p>}>
        <Show
          when={list()?.some((part) => part.text.trim() !== "")}
          fallback={<p class="out-note">{messages.chat.noContent}</p>}
        >
          <section
            ref={out}
            class="out sel"
            classList={{ wrapped: !isTerminal() || isWide() }}
            tabindex="0"
            aria-label={props.plain ? messages.lines.output : messages.chat.tool.outputOf(props.of)}
          >
            <For each={list()}>
              {(part) => (
                <span
                  ref={(node) => {
                    nodes.set(part, node);
                    onCleanup(() => nodes.delete(part));
                  }}
                >
                  <Show when={isTerminal()} fallback={namedText(part.text, reading())}>
                    <For each={parseAnsi(part.text)}>
                      {(run) => <span class={run.class}>{namedText(run.text, "output")}</span>}
                    </For>
                  </Show>
                </span>
              )}
            </For>
          </section>
        </Show>
      </Show>
      <Show when={isCutBelow()}>
        <div class="out-note">
          <Ask label={messages.chat.laterPart} work={later} />
          <Ask label={messages.chat.toTheEnd} work={toEnd} />
        </div>
      </Show>
      <Failure message={pulled.failure()} />
    </>
  );
}
