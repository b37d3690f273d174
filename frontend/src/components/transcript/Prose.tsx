// Text of an agent: finished paragraphs as Markdown, parsed once, and the open
// one as it came.

import { createMemo, createResource, createSignal, For, Index, type JSX, onCleanup, Show } from "solid-js";
import { type CodeRun, highlight, languageOf } from "../../lib/highlight";
import { isOpenable, parseMarkdown } from "../../lib/markdown";
import { Paragraphs } from "../../lib/paragraphs";
import { actions } from "../../state/actions";
import { words } from "../../words";
import { CopyIcon } from "../ui/CopyButton";
import { Ask } from "../ui/Dialog";

/** Code lines of runs, each in its look. */
export function CodeLines(props: { lines: CodeRun[][] }) {
  return (
    <For each={props.lines}>
      {(line, at) => (
        <>
          {at() > 0 ? "\n" : ""}
          <For each={line}>{(run) => <span class={run.class}>{run.text}</span>}</For>
        </>
      )}
    </For>
  );
}

/** CodeBlock is fenced code, coloured once its grammar is here. */
export function CodeBlock(props: { text: string; lang: string }) {
  const [lines] = createResource(
    () => ({ text: props.text, lang: languageOf(props.lang) }),
    ({ text, lang }) => (lang === "" ? undefined : highlight(text, lang).catch(() => undefined)),
  );
  return (
    <div class="code">
      <pre class="sel">
        <code>
          <Show when={lines()} fallback={props.text}>
            {(all) => <CodeLines lines={all()} />}
          </Show>
        </code>
      </pre>
      <CopyIcon text={props.text} label={words.chat.copyCode} />
    </div>
  );
}

function Paragraph(props: { text: string }) {
  const parts = createMemo(() => parseMarkdown(props.text));
  return (
    <div class="md">
      <For each={parts()}>
        {(part) => (part.kind === "code" ? <CodeBlock text={part.text} lang={part.lang} /> : part.nodes)}
      </For>
    </div>
  );
}

export interface ProseProps {
  text: string;
  /** More may come: the last paragraph is shown as it is. */
  open: boolean;
  /** Shows that it is being written now. */
  caret?: boolean;
}

/** Prose shows the text of a message. */
export function Prose(props: ProseProps) {
  let paragraphs = new Paragraphs();
  const [link, setLink] = createSignal("");
  const [asking, setAsking] = createSignal(false);

  // Text only grows; whoever hands in a shorter one begins a new message.
  let length = 0;
  const state = createMemo(() => {
    const text = props.text;
    if (text.length < length) paragraphs = new Paragraphs();
    length = text.length;
    let rest = "";
    if (props.open) rest = paragraphs.grow(text);
    else paragraphs.finish(text);
    return { finished: [...paragraphs.finished], rest };
  });

  // A link is followed only after the user has seen where it leads.
  const onClick: JSX.EventHandler<HTMLDivElement, MouseEvent> = (event) => {
    const target = (event.target as Element).closest("a");
    if (!target) return;
    event.preventDefault();
    const href = target.getAttribute("href") ?? "";
    if (!isOpenable(href)) return;
    setLink(href);
    setAsking(true);
  };
  const prose = (element: HTMLDivElement) => {
    const handle = onClick as unknown as EventListener;
    element.addEventListener("click", handle);
    element.addEventListener("auxclick", handle);
    onCleanup(() => {
      element.removeEventListener("click", handle);
      element.removeEventListener("auxclick", handle);
    });
  };

  return (
    <>
      <div class="prose" ref={prose}>
        <Index each={state().finished}>{(text) => <Paragraph text={text()} />}</Index>
        <Show when={props.open}>
          <p class="tail">
            {state().rest}
            <Show when={props.caret}>
              <span class="caret" />
            </Show>
          </p>
        </Show>
      </div>
      <Ask
        open={asking()}
        title={words.chat.openLink.title}
        body={words.chat.openLink.body(link())}
        confirm={words.chat.openLink.confirm}
        onConfirm={() => {
          setAsking(false);
          actions.openURL(link()).catch((thrown) => actions.log("warn", `open a link: ${thrown.message}`));
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
