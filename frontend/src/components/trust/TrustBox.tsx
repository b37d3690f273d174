// One of the sheet's two lists: files that can run code, or files that instruct the agent. Each row shows
// a file with all its entries and expands to the file's content.

import FileText from "lucide-solid/icons/file-text";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import { createMemo, createResource, createUniqueId, For, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { bytes, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { TrustEntry, TrustRequest } from "../../state/types";
import { VisibleText } from "../transcript/VisibleText";
import { Icon } from "../ui/Icon";
import { date } from "../ui/time";
import { byFile, type FileEntries, type Sentence, sentenceOf, summarize } from "./runs";
import "../ui/sheet.css";
import "./trust.css";

const t = messages.trust;

export interface TrustBoxProps {
  request: TrustRequest;
  of: "runs" | "steers";
  /** The expanded files. */
  open: readonly string[];
  onToggle(file: string): void;
}

/** TrustBox renders a titled list of files, or nothing if there are none. */
export function TrustBox(props: TrustBoxProps) {
  const isRuns = () => props.of === "runs";
  const entries = () => (isRuns() ? props.request.runs : props.request.steers) ?? [];
  // An unchanged file keeps its row, which may contain the focus.
  const files = createMemo((before: FileEntries[]) => {
    const texts = new Map(before.map((each) => [JSON.stringify(each), each]));
    return byFile(entries()).map((each) => texts.get(JSON.stringify(each)) ?? each);
  }, []);
  const more = () => (isRuns() ? props.request.moreRuns : props.request.moreSteers) ?? 0;
  const title = () => (isRuns() ? t.runs : t.steers(visibleText(props.request.agent)));
  const id = createUniqueId();
  return (
    <Show when={files().length > 0 || more() > 0}>
      <section class="fl-box" aria-labelledby={id}>
        <div class="fl-cap">
          <Icon of={isRuns() ? SquareTerminal : FileText} size="sm" />
          <h3 class="grow" id={id}>
            {title()}
          </h3>
          <Show when={isRuns()}>
            <span class="fact">{props.request.changed ? t.runsChanged : t.runsFact}</span>
          </Show>
        </div>
        <ul>
          <For each={files()}>
            {(file) => (
              <File
                request={props.request}
                of={file}
                runsCode={isRuns()}
                isOpen={props.open.includes(file.file)}
                onToggle={() => props.onToggle(file.file)}
              />
            )}
          </For>
        </ul>
        <Show when={more() > 0}>
          <p class="fl-more">{t.more(more())}</p>
        </Show>
      </section>
    </Show>
  );
}

/** FilledSentence renders a sentence. The parts that come from files have a different style than the rest. */
function FilledSentence(props: Sentence) {
  return (
    <For each={props.text.split(/(\{\d\})/)}>
      {(piece) => {
        const at = /^\{(\d)\}$/.exec(piece)?.[1];
        if (at === undefined) return piece;
        return (
          <bdi class="mono">
            <VisibleText text={props.parts[Number(at)] ?? ""} />
          </bdi>
        );
      }}
    </For>
  );
}

interface FileProps {
  request: TrustRequest;
  of: FileEntries;
  runsCode: boolean;
  isOpen: boolean;
  onToggle(): void;
}

function File(props: FileProps) {
  const name = () => visibleText(props.of.file);
  const id = createUniqueId();
  return (
    <li class="fl-row">
      <Icon of={props.runsCode ? SquareTerminal : FileText} size="sm" />
      <div class="what">
        <span class="mono name">{name()}</span>
        <For each={props.of.entries}>
          {(entry) => (
            <Show when={props.runsCode} fallback={<InstructionsEntry entry={entry} />}>
              <CodeEntry entry={entry} changed={props.request.changed === true} />
            </Show>
          )}
        </For>
      </div>
      <button
        type="button"
        class="hb"
        aria-expanded={props.isOpen}
        aria-controls={props.isOpen ? id : undefined}
        aria-label={props.isOpen ? t.hideOf(name()) : t.viewOf(name())}
        onClick={() => props.onToggle()}
      >
        {props.isOpen ? t.hide : t.view}
      </button>
      <Show when={props.isOpen}>
        <div class="fl-open" id={id}>
          <FileBody id={props.request.id} of={props.of} />
        </div>
      </Show>
    </li>
  );
}

/** InstructionsEntry shows the size and modification time of an instruction file. */
function InstructionsEntry(props: { entry: TrustEntry }) {
  const facts = () => {
    const { size = 0, changedAt = 0 } = props.entry;
    return t.size(size > 0 ? bytes(size) : "", changedAt > 0 ? date(changedAt, Date.now()) : "");
  };
  return (
    <span class="ds">
      <Show when={props.entry.note} fallback={facts()}>
        <FilledSentence {...sentenceOf(props.entry, "")} />
      </Show>
    </span>
  );
}

/**
 * CodeEntry shows the code that an entry would run, and the code that it would have run when the folder
 * was last trusted.
 */
function CodeEntry(props: { entry: TrustEntry; changed: boolean }) {
  const isWhole = () => !props.entry.key || !!props.entry.note;
  const brief = () => summarize(isWhole() ? "" : (props.entry.value ?? ""));
  const sentence = () => sentenceOf(props.entry, brief().first);
  const before = () => (isWhole() ? undefined : props.entry.before);
  return (
    <>
      <span class="ds">
        <Show when={props.changed}>
          <span class="tag">{props.entry.before ? t.isChanged : t.isNew}</span>
        </Show>
        <FilledSentence {...sentence()} />
      </span>
      <Show when={brief().rest}>
        {(rest) => (
          <bdi class="ds mono more">
            <VisibleText text={rest()} />
          </bdi>
        )}
      </Show>
      <Show when={brief().more > 0}>
        <span class="ds c-attn">{t.moreCharacters(brief().more)}</span>
      </Show>
      <Show when={before()}>
        {(text) => (
          <span class="ds was">
            <Show when={text() !== props.entry.value} fallback={t.sameText}>
              <FilledSentence text={t.was} parts={[summarize(text()).first]} />
            </Show>
          </span>
        )}
      </Show>
    </>
  );
}

/** FileBody shows the exact values of a file's entries, and the file's text. */
function FileBody(props: { id: string; of: FileEntries }) {
  const note = () =>
    props.of.entries.find((entry) => entry.note)?.note as keyof typeof t.noteText | undefined;
  const hasText = () => note() !== "link" && note() !== "unread";
  const [pull, { refetch }] = createResource(
    () => hasText() && `${props.id}\n${props.of.file}`,
    () => actions.trustText(props.id, props.of.file),
  );
  const text = () => (pull.error ? undefined : pull.latest);
  const why = () => {
    const now = note();
    return now && t.noteText[now];
  };
  return (
    <>
      <Show when={why()}>{(reason) => <p class="out-note">{reason()}</p>}</Show>
      <For each={props.of.entries.filter((entry) => !entry.note && (entry.key || entry.before))}>
        {(entry) => <Value entry={entry} />}
      </For>
      <Show when={hasText()}>
        <Switch fallback={<p class="out-note">{messages.chat.loading}</p>}>
          <Match when={pull.error}>
            <p class="out-note" role="alert">
              {pull.error.message}{" "}
              <button type="button" class="link" onClick={() => void refetch()}>
                {messages.chat.tryAgain}
              </button>
            </p>
          </Match>
          <Match when={text()?.text === ""}>
            <p class="out-note">{t.empty}</p>
          </Match>
          <Match when={text()}>
            {(found) => (
              <>
                <section class="out sel" aria-label={t.text(visibleText(props.of.file))} tabindex="0">
                  <VisibleText text={found().text} how="line" />
                </section>
                <Show when={found().cut}>
                  <p class="out-note">{t.cut(bytes(new Blob([found().text]).size), bytes(found().size))}</p>
                </Show>
              </>
            )}
          </Match>
        </Switch>
      </Show>
    </>
  );
}

/**
 * Value shows an entry's key, exact value and previous value; for a whole file, only the previous
 * content.
 */
function Value(props: { entry: TrustEntry }) {
  const before = () => props.entry.before;
  const isSame = () => before() === props.entry.value;
  return (
    <div class="fl-value sel">
      <Show when={props.entry.key}>
        {(key) => (
          <p class="mono key">
            <VisibleText text={key()} />
          </p>
        )}
      </Show>
      <Show when={before()}>
        {(text) => (
          <Show when={!isSame()} fallback={<p>{t.sameText}</p>}>
            <p class="cap">{t.before}</p>
            <pre>
              <VisibleText text={text()} />
            </pre>
            <p class="cap">{t.now}</p>
          </Show>
        )}
      </Show>
      <Show when={props.entry.key}>
        <pre>
          <VisibleText text={props.entry.value ?? ""} />
        </pre>
      </Show>
    </div>
  );
}
