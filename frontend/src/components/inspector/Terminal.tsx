// The commands that a chat's agents ran, and the output of one of them.

import Check from "lucide-solid/icons/check";
import CircleDashed from "lucide-solid/icons/circle-dashed";
import Copy from "lucide-solid/icons/copy";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, Match, on, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { parseAnsi } from "../../lib/ansi";
import { createNow } from "../../lib/clock";
import { bytes, visibleParts, visibleText } from "../../lib/format";
import { sameList } from "../../lib/lists";
import { type OutputLine, outputLines, withoutColors } from "../../lib/outputLines";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import type { RanCommand } from "../../state/types";
import { SessionMain } from "../../state/types";
import { namedText } from "../transcript/VisibleText";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { clock, durationText } from "../ui/time";
import { LoadState } from "./LoadState";
import { createLoader, onToolActivity, runLogged } from "./loader";
import { createOutput } from "./output";
import { Rows } from "./Rows";
import "./terminal.css";

const t = messages.inspector.terminal;

/**
 * Maximum length of a line in characters. Longer lines are truncated, because a single one could block
 * the page.
 */
const maxLine = 5000;
/**
 * Output up to this size in bytes is copied completely; for larger output, only the visible part is
 * copied.
 */
const maxCopyBytes = 8_000_000;

/**
 * liveCommand returns a copy of a command with its current state from the store. If the command's item isn't loaded, it
 * returns the command unchanged.
 */
function liveCommand(command: RanCommand): RanCommand {
  const state = useStore();
  const item = state.items[command.itemId];
  if (!item?.tool) return command;
  const contentId =
    command.contentId ??
    state.contentsOf[command.itemId]?.find((id) => state.contents[id]?.type === "terminal");
  return {
    ...command,
    status: item.tool.status,
    exitCode: item.tool.exitCode ?? command.exitCode,
    endedAt: item.endedAt || command.endedAt,
    contentId,
  };
}

const isRunning = (command: RanCommand) => command.status === "in_progress";

/** outcome returns a short label for the result of a command. */
function outcome(command: RanCommand): string {
  if (command.exitCode !== undefined) return t.exit(command.exitCode);
  switch (command.status) {
    case "failed":
      return t.failed;
    case "cancelled":
      return t.cancelled;
    case "completed":
      return t.done;
    default:
      return t.pending;
  }
}

function Clock(props: { since: number }) {
  const now = createNow();
  return <>{clock(now() - props.since)}</>;
}

/** Line shows the first line of a command, with invisible characters shown by name. */
function Line(props: { text: string }) {
  return (
    <For each={visibleParts(props.text.split("\n")[0] ?? "")}>
      {(part) => (part.marked ? <span class="unseen">{part.text}</span> : part.text)}
    </For>
  );
}

/** Terminal is the inspector's tab that lists the commands and shows the output of the selected one. */
export function Terminal(props: { chatId: string }) {
  const ran = createLoader(
    () => props.chatId,
    () => actions.commandRuns(props.chatId),
  );
  onToolActivity(props.chatId, ran.reload);
  const [chosen, setChosen] = createSignal("");
  let list: HTMLDivElement | undefined;

  // The app returns the latest command first; the tab shows commands in chronological order, like a
  // terminal.
  const commands = createMemo(() => (ran.value() ?? []).map(liveCommand).reverse());
  const ids = createMemo(() => commands().map((each) => each.itemId), [], {
    equals: sameList,
  });
  const byId = createMemo(() => new Map(commands().map((each) => [each.itemId, each])));
  const selected = createMemo(() => byId().get(chosen()) ?? commands().at(-1));
  createEffect(
    on(
      () => selected()?.itemId,
      () =>
        queueMicrotask(() => {
          const row = list?.querySelector<HTMLElement>("[aria-selected=true]");
          if (row && list) scrollRowIntoView(list, row);
        }),
    ),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const at = ids().indexOf(selected()?.itemId ?? "");
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: ids().length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const id = ids()[to];
    if (!id) return;
    setChosen(id);
    queueMicrotask(() => list?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <LoadState of={ran}>
      {() => (
        <Show when={selected()} fallback={<p class="inspector-empty muted">{t.empty}</p>}>
          {(open) => (
            <>
              <div
                ref={list}
                class="terminals"
                role="tablist"
                aria-orientation="vertical"
                aria-label={t.list}
                onKeyDown={onKeyDown}
              >
                <For each={ids()}>
                  {(id) => (
                    <Show when={byId().get(id)}>
                      {(command) => (
                        <button
                          type="button"
                          class="opt"
                          role="tab"
                          aria-selected={open().itemId === id}
                          tabIndex={open().itemId === id ? 0 : -1}
                          aria-label={t.tab(
                            command().command,
                            isRunning(command()) ? "" : outcome(command()),
                          )}
                          onClick={() => setChosen(id)}
                        >
                          <Status command={command()} />
                          <span class="mono trunc">
                            <Line text={command().command} />
                          </span>
                          <span class="r num">
                            <Show when={isRunning(command())} fallback={outcome(command())}>
                              <Clock since={command().startedAt} />
                            </Show>
                          </span>
                        </button>
                      )}
                    </Show>
                  )}
                </For>
              </div>
              <Output chatId={props.chatId} command={open()} />
            </>
          )}
        </Show>
      )}
    </LoadState>
  );
}

/** scrollRowIntoView shows a row by scrolling its list. Unlike scrollIntoView, it scrolls nothing else. */
function scrollRowIntoView(list: HTMLElement, row: HTMLElement): void {
  const from = row.offsetTop - list.offsetTop;
  if (from < list.scrollTop) list.scrollTop = from;
  else if (from + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = from + row.offsetHeight - list.clientHeight;
}

function Status(props: { command: RanCommand }) {
  const isBad = () =>
    props.command.status === "failed" ||
    props.command.status === "cancelled" ||
    (props.command.exitCode ?? 0) !== 0;
  return (
    <Switch fallback={<Icon of={CircleDashed} size="sm" />}>
      <Match when={isRunning(props.command)}>
        <Icon of={LoaderCircle} size="sm" class="spin c-cop" />
      </Match>
      <Match when={isBad()}>
        <Icon of={X} size="sm" class="c-bad" />
      </Match>
      <Match when={props.command.status === "completed"}>
        <Icon of={Check} size="sm" class="c-ok" />
      </Match>
    </Switch>
  );
}

function Output(props: { chatId: string; command: RanCommand }) {
  const state = useStore();
  const output = createOutput(
    createMemo(() => props.command.contentId ?? ""),
    () => props.command.size,
  );
  const [failure, setFailure] = createSignal("");
  const lines = createMemo(() => [
    ...props.command.command
      .split("\n")
      .map((text, at) => ({ text: `${at === 0 ? "$" : ">"} ${text}`, carried: "\u001b[2m" })),
    ...outputLines(output.shown()?.text ?? ""),
    ...(isRunning(props.command) ? [{ text: "", carried: "" }] : []),
  ]);
  const widest = createMemo(() =>
    lines().reduce((most, line) => Math.max(most, Math.min(line.text.length, maxLine)), 0),
  );
  const took = () => (props.command.endedAt ?? 0) - props.command.startedAt - (props.command.waited ?? 0);

  // The block whose turn must be stopped to stop the command; "" for the main session's turn, or if the
  // command's item isn't loaded. A command can't be stopped on its own.
  const block = () =>
    props.command.session === SessionMain ? "" : (raw().items[props.command.itemId]?.parentId ?? "");
  const stop = () => {
    const id = block();
    if (id) actions.stopBlock(props.chatId, id);
    else actions.stop(props.chatId);
  };
  const canStop = () => isRunning(props.command) && (props.command.session === SessionMain || block() !== "");
  const copy = async () => {
    const id = props.command.contentId;
    const shown = output.shown();
    if (!id || !shown) return;
    const text = shown.size <= maxCopyBytes ? await actions.wholeContent(id) : shown.text;
    await actions.copy(withoutColors(text));
  };
  const note = () => {
    const shown = output.shown();
    if (!shown || (shown.from === 0 && shown.to >= shown.size)) return "";
    const say = shown.from > 0 ? t.last : t.first;
    return say(bytes(shown.to - shown.from), bytes(shown.size));
  };
  const sized = () => {
    const size = output.shown()?.size ?? 0;
    if (size === 0) return "";
    return bytes(size);
  };
  const left = () => {
    const shown = output.shown();
    return shown ? shown.size - shown.to : 0;
  };
  return (
    <>
      <div class="fh">
        <span class="mono trunc grow strong-medium">
          <Line text={props.command.command} />
        </span>
        <span class="subtle small nowrap">{props.command.session}</span>
        <Show when={props.command.contentId}>
          <IconButton small icon={Copy} label={t.copy} onClick={() => runLogged(copy(), setFailure)} />
        </Show>
        <Show when={canStop()}>
          <Button
            class="slim"
            aria-label={t.stopLabel}
            title={block() ? t.stopsBlock(props.command.session) : t.stopsTurn}
            onClick={stop}
          >
            {t.stop}
          </Button>
        </Show>
      </div>
      <Show when={note()}>
        <p class="inspector-note muted">
          {note()}{" "}
          <button type="button" class="link" onClick={() => output.more()}>
            {(output.shown()?.from ?? 0) > 0 ? t.showAll : t.showMore(bytes(left()))}
          </button>
        </p>
      </Show>
      <Failure text={failure() || output.failure()} class="inspector-note c-bad" />
      <Rows
        class="out terminal-out sel"
        role="region"
        label={t.output(visibleText(props.command.command))}
        focusable
        follow
        count={lines().length}
        height={(_, line) => line}
        minWidth={`${widest() + 4}ch`}
      >
        {(index) => (
          <Show keyed when={lines()[index]}>
            {(line) => (
              <OutputText line={line} caret={isRunning(props.command) && index === lines().length - 1} />
            )}
          </Show>
        )}
      </Rows>
      <div class="foot status row">
        <span class="subtle">{t.readOnly(select.agentOf(state, props.chatId))}</span>
        <span class="grow" />
        <span class="subtle num nowrap">
          {[
            isRunning(props.command) ? "" : outcome(props.command),
            !isRunning(props.command) && took() >= 1000 ? t.took(durationText(took())) : "",
            sized(),
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
      </div>
    </>
  );
}

function OutputText(props: { line: OutputLine; caret: boolean }) {
  return (
    <div class="ol">
      <For each={parseAnsi(props.line.carried + props.line.text.slice(0, maxLine))}>
        {(run) => <span class={run.class || undefined}>{namedText(run.text, "output")}</span>}
      </For>
      <Show when={props.line.text.length > maxLine}>
        <span class="subtle">
          {" "}
          {messages.inspector.changes.more(String(props.line.text.length - maxLine))}
        </span>
      </Show>
      <Show when={props.caret}>
        <span class="caret" aria-hidden="true" />
      </Show>
      {"\n"}
    </div>
  );
}
