// The transcript of the visible chat: a virtualized list of entries, the card of the pending request, and
// the live regions for screen readers.

import ArrowDown from "lucide-solid/icons/arrow-down";
import { createEffect, createMemo, createSignal, onCleanup, onMount, Show, untrack } from "solid-js";
import { messages } from "../../i18n";
import { sameList } from "../../lib/lists";
import { actions } from "../../state/actions";
import { provide } from "../../state/commands";
import { maxItems, visibleSpan } from "../../state/pageWindow";
import { select } from "../../state/select";
import { jump, loadFailure, raw, useStore } from "../../state/store";
import { lengthOf } from "../../state/text";
import { blockKey, type Entry, entriesOf } from "../../state/transcript";
import {
  requestedView,
  requestView,
  sentItem,
  setHiddenRequest,
  setSentItem,
} from "../../state/transcriptView";
import { SessionMain } from "../../state/types";
import type { CardControl } from "../permission/PermissionCard";
import { Button } from "../ui/Button";
import { Announcer } from "./Announcer";
import { Empty } from "./Empty";
import { createFind, FindBar } from "./FindBar";
import { isCovered, isField, isShortField, scrollsWithin } from "./keys";
import type { ListControl, ListCopy, ScrollState } from "./list";
import { maxShownChars } from "./Prose";
import { Row } from "./Row";
import { createReveal } from "./reveal";
import { VirtualList } from "./VirtualList";
import { rememberScroll, scrollStateOf } from "./viewState";
import "./transcript.css";

/** Transcript shows a chat's transcript once it is loaded. */
export function Transcript(props: { chatId: string }) {
  const state = useStore();
  return (
    <Show keyed when={props.chatId}>
      {(chatId) => (
        <Show
          when={state.pages[chatId]}
          fallback={
            <div class="scroll">
              <Show when={loadFailure(chatId)}>
                {(failure) => (
                  <div class="transcript">
                    <div class="note trouble" role="alert">
                      <span class="grow">
                        {messages.chat.loadFailed} {failure().message}
                      </span>
                      <Button onClick={() => actions.openChat(chatId)}>{messages.chat.tryAgain}</Button>
                    </div>
                  </div>
                )}
              </Show>
            </div>
          }
        >
          <LoadedTranscript chatId={chatId} />
        </Show>
      )}
    </Show>
  );
}

/** Estimated heights in pixels of entries that haven't been measured. */
const estimates: Record<Exclude<Entry["kind"], "item">, number> = {
  lines: 52,
  work: 40,
  ask: 320,
  next: 72,
  end: 20,
  foot: 42,
  back: 18,
};
const lineHeight = 24;
const lineChars = 80;

/** estimate returns an entry's estimated height. The estimate is close enough to keep the scrollbar from jumping. */
function estimate(entry: Entry | undefined): number {
  if (entry?.kind !== "item") return estimates[entry?.kind ?? "end"];
  const item = raw().items[entry.id];
  const letters = Math.min(maxShownChars, lengthOf(raw().texts[entry.id]));
  const text = Math.max(1, Math.ceil(letters / lineChars)) * lineHeight;
  return item?.kind === "user" ? text + 20 : text;
}

/** posOf returns the position of an entry's first item, or 0 if there is none. */
function posOf(entry: Entry | undefined): number {
  if (entry?.kind === "item") return raw().items[entry.id]?.pos ?? 0;
  if (entry?.kind === "work") return raw().items[entry.blockId]?.pos ?? 0;
  return entry?.kind === "lines" ? (raw().items[entry.ids[0] ?? ""]?.pos ?? 0) : 0;
}

/** endPosOf returns the position of an entry's last top-level item, or infinity if there is none. */
function endPosOf(entry: Entry | undefined): number {
  const { items } = raw();
  if (entry?.kind === "item") return items[entry.more?.at(-1) ?? entry.id]?.pos ?? 0;
  if (entry?.kind === "work") return items[entry.blockId]?.pos ?? 0;
  if (entry?.kind === "lines") return items[entry.ids.at(-1) ?? ""]?.pos ?? 0;
  return Number.POSITIVE_INFINITY;
}

/** Maximum number of items that stay loaded because a selection ends beyond them. */
const maxSelectedItems = 3 * maxItems;
/** Maximum size in bytes of the texts in a selection that can be copied. */
const maxCopiedBytes = 8 * 1024 * 1024;

/** Maximum number of pages that are loaded in search of the next or previous message. */
const maxPages = 20;

function LoadedTranscript(props: { chatId: string }) {
  const state = useStore();
  const folder = () => state.chats[props.chatId]?.folder ?? "";
  const entries = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    void state.settings.showThoughts;
    return entriesOf(raw(), props.chatId);
  });
  // Whether the list shows a part of the chat that doesn't include its end. Even then, the end stays loaded.
  const isApart = () => state.pages[props.chatId]?.window !== undefined;
  const newest = createMemo(() => {
    if (!isApart()) return entries();
    void state.pages[props.chatId]?.rev;
    void state.settings.showThoughts;
    return entriesOf(raw(), props.chatId, "end");
  });
  const byKey = createMemo(() => new Map(entries().map((entry) => [entry.key, entry])));
  const keys = createMemo(() => entries().map((entry) => entry.key), [], {
    equals: sameList,
  });
  // A string that changes when items are loaded or added at either end, even if they join an existing row.
  const bounds = createMemo(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    return page ? `${visibleSpan(page).before} ${visibleSpan(page).order.at(-1)}` : "";
  });
  /** Whether the chat's messages are being read from a session, or reading them failed. */
  const isImported = () => ["reading", "failed"].includes(state.sessionImports[props.chatId]?.state ?? "");
  const [list, setList] = createSignal<ListControl>();
  const [card, setCard] = createSignal<CardControl>();

  const atEnd = () => !isApart() && list()?.atEnd() !== false;
  const toEnd = () => {
    actions.showEnd(props.chatId);
    list()?.toEnd();
  };

  const asks = () => select.openPermissions(state, props.chatId).length > 0;
  const askEntry = () => entries().find((entry) => entry.kind === "ask");
  const showAsk = () => {
    if (askEntry()) jump(props.chatId);
    else actions.showEnd(props.chatId);
    const entry = askEntry();
    if (entry) list()?.toKey(entry.key);
  };
  createEffect(() => {
    const entry = asks() ? (askEntry() ?? newest().find((each) => each.kind === "ask")) : undefined;
    if (entry?.kind !== "ask" || (askEntry() && list()?.isSeen(entry.key) !== false)) {
      setHiddenRequest(undefined);
      return;
    }
    setHiddenRequest({ chatId: props.chatId, requestId: entry.id, show: showAsk });
  });
  onCleanup(() => setHiddenRequest(undefined));

  let frame!: HTMLDivElement;
  const rowOf = (key: string) => frame.querySelector<HTMLElement>(`.entry[data-key="${CSS.escape(key)}"]`);
  createReveal({ chatId: props.chatId, entries, list, rowOf });
  const find = createFind();

  // isLasting reports whether an entry shows items of the chat. All other entries depend on the state of a turn and
  // disappear when it changes, so they don't count toward `unseen`.
  const isLasting = (entry: Entry) => !["next", "end", "ask", "foot", "back"].includes(entry.kind);
  const unseen = createMemo(
    (before: { last: string; count: number }) => {
      const all = newest().filter(isLasting);
      const last = all.at(-1)?.key ?? "";
      const at = all.findLastIndex((entry) => entry.key === before.last);
      if (atEnd() || at < 0) return { last, count: atEnd() ? 0 : before.count };
      return { last, count: before.count + all.length - 1 - at };
    },
    { last: "", count: 0 },
  );
  const news = () => unseen().count;

  // A message just sent is scrolled into view.
  createEffect(() => {
    const id = sentItem();
    if (id === "" || !newest().some((entry) => entry.key === id)) return;
    setSentItem("");
    untrack(toEnd);
  });

  // A session's newest block is searched for at the end of the chat, then in the rest of it.
  createEffect(() => {
    const want = requestedView();
    if (want?.chatId !== props.chatId) return;
    if (want.session === SessionMain) {
      requestView(undefined);
      untrack(toEnd);
      return;
    }
    const entry = newest().findLast((each) => each.kind === "work" && each.session === want.session);
    if (entry && (want.after === undefined || entry.key !== blockKey(want.after))) {
      requestView(undefined);
      untrack(() => {
        actions.showEnd(props.chatId);
        list()?.toKey(entry.key);
        rowOf(entry.key)?.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
      });
      return;
    }
    if (entry || want.after !== undefined) return;
    requestView(undefined);
    const isStill = jump(props.chatId);
    actions.sessionStats(props.chatId).then(
      (all) => {
        const work = all.find((each) => each.name === want.session);
        if (work?.blockId && isStill()) actions.showMatch(props.chatId, work.blockId, work.blockPos ?? 0);
      },
      (thrown) => actions.log("warn", `find the newest block of a session: ${thrown.message}`),
    );
  });
  onCleanup(() => requestView(undefined));

  // While the transcript is on screen, only its list keeps track of the user's position. The position is stored when
  // the user leaves the chat.
  actions.updateReader(props.chatId);
  /**
   * standing returns the entry with the given key. If that entry shows no items and therefore has no position, it
   * returns the nearest earlier entry with a position.
   */
  const standing = (key: string | undefined) => {
    const all = entries();
    return all.slice(0, all.findIndex((entry) => entry.key === key) + 1).findLast(isLasting);
  };
  const evict = () => {
    const page = raw().pages[props.chatId];
    if (!page || visibleSpan(page).order.length <= maxItems) return;
    const [first, last] = list()?.near() ?? [];
    if (first === undefined || last === undefined) return;
    const near = [posOf(standing(first)), endPosOf(standing(last))] as const;
    const held = (list()?.held() ?? []).map((key) => standing(key));
    const from = Math.min(near[0], ...held.map(posOf));
    const to = Math.max(near[1], ...held.map(endPosOf));
    const selected = visibleSpan(page).order.filter((id) => {
      const pos = raw().items[id]?.pos ?? 0;
      return pos >= from && pos <= to;
    });
    actions.evictFar(props.chatId, ...(selected.length <= maxSelectedItems ? ([from, to] as const) : near));
  };
  /** textsOf returns the IDs of the texts in the rows with the given keys. */
  const textsOf = (of: readonly string[]) =>
    of.flatMap((key) => {
      const entry = byKey().get(key);
      return entry?.kind === "item" && raw().texts[entry.id] ? [entry.id] : [];
    });
  const copy: ListCopy = {
    isText: (key) => byKey().get(key)?.kind !== "ask",
    isTooLong: (of) =>
      textsOf(of).reduce((sum, id) => sum + (raw().texts[id]?.size ?? 0), 0) > maxCopiedBytes,
    load(of) {
      const missing = textsOf(of).filter((id) => {
        const text = raw().texts[id];
        return text && text.size > text.known;
      });
      return missing.length > 0 ? Promise.all(missing.map(actions.loadText)) : undefined;
    },
    hasEarlier: () => before() > 0,
  };
  const leave = (place: ScrollState) => {
    rememberScroll(props.chatId, place);
    actions.updateReader(props.chatId, place.follows ? 0 : posOf(standing(place.anchor?.key)));
  };

  const walk = async (step: 1 | -1) => {
    const isStill = jump(props.chatId);
    for (let steps = 0; steps < maxPages; steps++) {
      const all = keys();
      const stops = all.filter((key) => {
        const entry = byKey().get(key);
        const kind = entry?.kind === "item" ? state.items[entry.id]?.kind : undefined;
        return kind === "user" || kind === "message";
      });
      const focused = document.activeElement?.closest<HTMLElement>(".entry")?.dataset.key;
      const from = all.indexOf(focused ?? list()?.firstSeen() ?? "");
      const next =
        step > 0
          ? stops.find((key) => all.indexOf(key) > from)
          : stops.findLast((key) => all.indexOf(key) < from);
      if (next) {
        list()?.toKey(next);
        rowOf(next)?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
        return;
      }
      // Scroll to the loaded edge before loading more, because items far from the list's scroll position may be
      // evicted.
      const edge = step > 0 ? all.at(-1) : all[0];
      if (edge === undefined) return;
      if (step < 0 ? before() > 0 : isApart()) list()?.toKey(edge);
      const here = bounds();
      await (step > 0 ? actions.loadNewer(props.chatId) : actions.loadOlder(props.chatId));
      if (bounds() === here || !isStill()) return;
    }
  };
  const before = () => {
    const page = state.pages[props.chatId];
    return page ? visibleSpan(page).before : 0;
  };
  /** toFirst and toLast show and focus the first and the last message of the chat, loading it first if necessary. */
  const toFirst = async () => {
    if (!(await actions.loadFirst(props.chatId))) return;
    const first = keys()[0];
    if (first === undefined) return;
    list()?.toStart();
    rowOf(first)?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
  };
  const toLast = () => {
    toEnd();
    const last = keys().findLast((key) => rowOf(key)?.querySelector("article"));
    if (last) rowOf(last)?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
  };

  // If the request is out of view, the first key press scrolls to it instead of answering it.
  const answer = (give: "allowOnce" | "reject") => {
    const entry = askEntry();
    if (entry && list()?.isSeen(entry.key)) card()?.[give]();
    else showAsk();
  };
  // The request can't be answered while the drawer, or an inspector in overlay mode, covers its card.
  const mayAnswer = () => asks() && !isCovered() && document.querySelector(".scrim") === null;
  provide("allow", () => answer("allowOnce"), mayAnswer);
  provide("reject", () => answer("reject"), mayAnswer);
  provide("find", find.open, () => !isCovered());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isCovered()) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.target instanceof Element ? event.target : document.body;
    if (!event.altKey && (event.key === "PageUp" || event.key === "PageDown") && isShortField(at)) {
      event.preventDefault();
      list()?.page(event.key === "PageUp" ? -1 : 1);
      return;
    }
    if (event.repeat) return;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      void walk(event.key === "ArrowDown" ? 1 : -1);
    } else if (!event.altKey && (at === document.body || (frame.contains(at) && !isField(at)))) {
      // If the focused row was removed, the document's body has the focus.
      if (event.key === "Home" && before() > 0) {
        event.preventDefault();
        void toFirst();
      } else if (event.key === "Home" && !scrollsWithin(at)) {
        // Rows that turn out taller than estimated interrupt a smooth scroll.
        event.preventDefault();
        list()?.toStart();
      } else if (event.key === "End" && isApart()) {
        event.preventDefault();
        toLast();
      } else if (event.key === "End" && !scrollsWithin(at)) {
        // Text may arrive faster than a smooth scroll moves: End must reach the current end.
        event.preventDefault();
        toEnd();
      }
    }
  };
  onMount(() => window.addEventListener("keydown", onKeyDown));
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));

  return (
    <div class="scroll-frame" ref={frame}>
      <Show when={find.isOpen()}>
        <FindBar
          chatId={props.chatId}
          find={find}
          frame={frame}
          from={() => {
            const entry = standing(list()?.firstSeen());
            return { pos: posOf(entry), itemId: entry?.kind === "item" ? entry.id : undefined };
          }}
          show={(key, part) => list()?.toPart(key, part)}
        />
      </Show>
      <VirtualList
        keys={keys()}
        bounds={bounds()}
        label={messages.chat.transcript}
        estimate={(key) => estimate(byKey().get(key))}
        scrollState={scrollStateOf(props.chatId)}
        onScrollState={leave}
        ends={!isApart()}
        onNearTop={() => void actions.loadOlder(props.chatId)}
        onNearEnd={() => void actions.loadNewer(props.chatId)}
        onRows={evict}
        isApart={(key) => !byKey().get(key)?.isContinued}
        control={setList}
        copy={copy}
        head={
          <Show when={before() > 0}>
            <p class="day">{messages.chat.older}</p>
          </Show>
        }
        foot={
          <Show when={isApart()}>
            <p class="day">{messages.chat.newer}</p>
          </Show>
        }
      >
        {(key) => (
          <Row
            find={() => byKey().get(key)}
            chatId={props.chatId}
            folder={folder()}
            onToggle={() => list()?.keepPosition(key)}
            onCard={setCard}
          />
        )}
      </VirtualList>
      <Show when={entries().length === 0 && !isImported()}>
        <Empty chatId={props.chatId} />
      </Show>
      <Show when={!atEnd()}>
        <Button class="jumpdown" icon={ArrowDown} onClick={toEnd}>
          {news() > 0 ? messages.chat.jumpNew(news()) : messages.chat.jump}
        </Button>
      </Show>
      <Announcer chatId={props.chatId} folder={folder()} entries={newest()} />
    </div>
  );
}
