// The protocol messages between VoxPilot and the chat's agent.

import ArrowDownLeft from "lucide-solid/icons/arrow-down-left";
import ArrowUpRight from "lucide-solid/icons/arrow-up-right";
import Download from "lucide-solid/icons/download";
import ListFilter from "lucide-solid/icons/list-filter";
import Pause from "lucide-solid/icons/pause";
import Play from "lucide-solid/icons/play";
import { createMemo, createSignal, For, type JSX, onCleanup, Show } from "solid-js";
import { locale, messages } from "../../i18n";
import { count, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { isComposing } from "../../state/keys";
import type { ProtocolMessage } from "../../state/types";
import { namedText } from "../transcript/VisibleText";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { filterRows, Log, type LogRow, maxMessages, prettyBody } from "./protocolLog";
import { Rows, type RowsControl } from "./Rows";
import "./protocol.css";

const t = messages.inspector.protocol;

/**
 * Polling interval in milliseconds while the log is visible. Polling is needed because protocol messages
 * aren't sent as events.
 */
const pollMillis = 1000;
const rowExtra = 10;
/**
 * Maximum number of visible lines of an expanded message; bodyExtra is the height in pixels of the
 * message's padding.
 */
const maxOpenLines = 20;
const bodyExtra = 21;
/** Maximum number of lines rendered for a message; maxRenderedChars is the maximum number of characters. */
const maxRenderedLines = 2000;
const maxRenderedChars = 20_000;

const time = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
const kilobytes = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
});
/** Number of bytes of a message that the app stores; the rest of a longer message is dropped. */
const storedBytes = 64 * 1024;
const isCut = (message: ProtocolMessage) => message.size > storedBytes;
const size = (message: ProtocolMessage) => t.kilobytes(kilobytes.format(Math.max(0.1, message.size / 1000)));

/**
 * createLog loads new messages of a chat into the log until the component is disposed. It loads nothing while the
 * log is paused or the window isn't visible.
 */
function createLog(chatId: string, isPaused: () => boolean) {
  const log = new Log();
  const [rows, setRows] = createSignal<LogRow[]>();
  const [failure, setFailure] = createSignal("");
  let gone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    if (!isPaused() && document.visibilityState === "visible") {
      try {
        const batch = await actions.protocol(chatId, log.last, maxMessages);
        if (gone) return;
        setFailure("");
        if (batch.length > 0 || rows() === undefined) setRows(log.add(batch));
      } catch (thrown) {
        if (!gone) setFailure((thrown as Error).message);
      }
    }
    if (!gone) timer = setTimeout(read, pollMillis);
  };
  void read();
  onCleanup(() => {
    gone = true;
    clearTimeout(timer);
  });
  return { rows, failure };
}

/** Protocol is the inspector's tab with the protocol messages, which the user can expand. */
export function Protocol(props: { chatId: string }) {
  const [paused, setPaused] = createSignal(false);
  const log = createLog(props.chatId, paused);
  const [filter, setFilter] = createSignal("");
  const [open, setOpen] = createSignal<ReadonlySet<number>>(new Set());
  const [atEnd, setAtEnd] = createSignal(true);
  let control!: RowsControl;

  const shown = createMemo(() => filterRows(log.rows() ?? [], filter()));
  const bodies = new Map<number, ReturnType<typeof prettyBody>>();
  const body = (message: ProtocolMessage) => {
    let lines = bodies.get(message.seq);
    if (!lines) {
      lines = prettyBody(message.body).slice(0, maxRenderedLines);
      bodies.set(message.seq, lines);
    }
    return lines;
  };
  const toggle = (message: ProtocolMessage) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(message.seq)) next.add(message.seq);
      else bodies.delete(message.seq);
      return next;
    });
  const height = (index: number, line: number) => {
    const message = shown()[index]?.message;
    const row = line + rowExtra;
    if (!message || !open().has(message.seq)) return row;
    const lines = body(message).length + (isCut(message) ? 1 : 0);
    return row + Math.min(maxOpenLines, lines) * line + bodyExtra;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = Number(
      (event.target as HTMLElement).closest("[data-index]")?.getAttribute("data-index") ?? -1,
    );
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown().length - 1 }[event.key];
    if (to === undefined || at < 0 || !shown()[to]) return;
    event.preventDefault();
    control.show(to);
    queueMicrotask(() => control.row(to)?.querySelector<HTMLElement>("button")?.focus());
  };
  return (
    <>
      <div class="row protocol-bar">
        <label class="input grow">
          <Icon of={ListFilter} size="sm" class="subtle" />
          <input
            type="search"
            class="grow"
            aria-label={t.filter}
            placeholder={t.placeholder}
            value={filter()}
            spellcheck={false}
            onInput={(event) => setFilter(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || isComposing(event) || filter() === "") return;
              event.preventDefault();
              event.stopPropagation();
              setFilter("");
            }}
          />
        </label>
        <IconButton
          icon={paused() ? Play : Pause}
          label={paused() ? t.resume : t.pause}
          onClick={() => setPaused((now) => !now)}
        />
        <IconButton icon={Download} label={t.save} onClick={() => actions.saveProtocol(props.chatId)} />
      </div>
      <Failure text={log.failure()} class="inspector-note c-bad" />
      <Show
        when={shown().length > 0}
        fallback={
          <p class="inspector-empty muted inspector-scroll">
            {log.rows() === undefined ? "" : filter().trim() === "" ? t.empty : t.nothing(filter().trim())}
          </p>
        }
      >
        <Rows
          class="protocol"
          role="table"
          inner="rowgroup"
          label={t.table}
          rowCount={shown().length}
          count={shown().length}
          height={height}
          follow
          onEnd={setAtEnd}
          onKeyDown={onKeyDown}
          control={(given) => {
            control = given;
          }}
        >
          {(index) => (
            <Show when={shown()[index]}>
              {(row) => (
                <Message
                  row={row()}
                  index={index}
                  open={open().has(row().message.seq)}
                  lines={() => body(row().message)}
                  onToggle={() => toggle(row().message)}
                />
              )}
            </Show>
          )}
        </Rows>
        <Show when={!atEnd()}>
          <div class="protocol-jump">
            <Button onClick={() => control.toEnd()}>{t.toLatest}</Button>
          </div>
        </Show>
      </Show>
      <div class="foot status">
        <span class="subtle">
          {t.note} <Show when={(log.rows()?.length ?? 0) >= maxMessages}>{t.capped(count(maxMessages))}</Show>
        </span>
      </div>
    </>
  );
}

interface MessageProps {
  row: LogRow;
  index: number;
  open: boolean;
  lines(): ReturnType<typeof prettyBody>;
  onToggle(): void;
}

function Message(props: MessageProps) {
  const message = () => props.row.message;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: only some rows of this table are in the page. */}
      <div
        role="row"
        class="pr"
        classList={{ bad: message().error, on: props.open }}
        aria-rowindex={props.index + 1}
        data-index={props.index}
        onClick={() => props.onToggle()}
        onKeyDown={() => {}}
        tabIndex={-1}
      >
        <Cell class="num subtle">{time.format(message().at)}</Cell>
        <Cell>
          <Icon
            of={message().out ? ArrowUpRight : ArrowDownLeft}
            size="sm"
            class={message().out ? "c-accent" : "subtle"}
          />
          <span class="sr">{message().out ? t.sent : t.received}</span>
        </Cell>
        <Cell class="pr-text">
          <button
            type="button"
            class="mono trunc"
            aria-expanded={props.open}
            title={visibleText(props.row.text)}
            onClick={(event) => {
              event.stopPropagation();
              props.onToggle();
            }}
          >
            {visibleText(props.row.text)}
          </button>
        </Cell>
        <Cell class="num subtle">{size(message())}</Cell>
      </div>
      <Show when={props.open}>
        {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
        <div role="row" class="pr-body" tabIndex={-1}>
          {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
          <pre role="cell" class="out sel" tabIndex={0}>
            <Show when={isCut(message())}>
              <span class="subtle">
                {t.cut}
                {"\n"}
              </span>
            </Show>
            <For each={props.lines()}>
              {(line) => (
                <>
                  <For each={line}>
                    {(run) => (
                      <span class={run.class || undefined}>
                        {namedText(run.text.slice(0, maxRenderedChars), "exact")}
                      </span>
                    )}
                  </For>
                  {"\n"}
                </>
              )}
            </For>
          </pre>
        </div>
      </Show>
    </>
  );
}

function Cell(props: { class?: string; children: JSX.Element }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above.
    <span role="cell" class={props.class}>
      {props.children}
    </span>
  );
}
