import { createResource, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { type CodeRun, highlight, languageOf } from "../../lib/highlight";
import { CopyIcon } from "../ui/CopyButton";
import { namedText } from "./VisibleText";

/** CodeLines renders highlighted code, with invisible characters shown by name. */
function CodeLines(props: { lines: CodeRun[][] }) {
  return (
    <For each={props.lines}>
      {(line, at) => (
        <>
          {at() > 0 ? "\n" : ""}
          <For each={line}>{(run) => <span class={run.class}>{namedText(run.text, "line")}</span>}</For>
        </>
      )}
    </For>
  );
}

/** CodeBlock shows fenced code, highlighted once the language's grammar is loaded. */
export function CodeBlock(props: { text: string; lang: string }) {
  const [lines] = createResource(
    () => ({ text: props.text, lang: languageOf(props.lang) }),
    ({ text, lang }) => (lang === "" ? undefined : highlight(text, lang).catch(() => undefined)),
  );
  return (
    <div class="code">
      <pre class="sel">
        <code>
          <Show when={lines()} fallback={namedText(props.text, "line")}>
            {(all) => <CodeLines lines={all()} />}
          </Show>
        </code>
      </pre>
      <CopyIcon text={props.text} label={messages.chat.copyCode} />
    </div>
  );
}
