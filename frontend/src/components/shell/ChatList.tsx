import { ContextMenu } from "@kobalte/core/context-menu";
import Archive from "lucide-solid/icons/archive";
import ChevronRight from "lucide-solid/icons/chevron-right";
import {
  batch,
  createEffect,
  createMemo,
  createSignal,
  For,
  onCleanup,
  onMount,
  Show,
  untrack,
} from "solid-js";
import { messages } from "../../i18n";
import { askDelete, chatActions } from "../../state/chatActions";
import { createChats } from "../../state/chats";
import { createPreference } from "../../state/preference";
import {
  archiveKey,
  type Group,
  groupsIn,
  headKey,
  layOut,
  matches,
  positionOf,
  rowState,
  rowsIn,
  stopsOf,
} from "../../state/rows";
import { go, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { textSizeOf } from "../../state/textSize";
import type { Chat, Connection } from "../../state/types";
import { questionLine, requestSummary, requestTitle } from "../transcript/tool";
import { Icon } from "../ui/Icon";
import { MenuGroups } from "../ui/Menu";
import { ChatRow, titleOf } from "./ChatRow";
import { chatEntries } from "./chatMenu";
import { Heading } from "./Heading";
import { InlineEdit } from "./InlineEdit";
import "./chat-list.css";

/** Distance in pixels beyond the view within which rows are rendered. */
const overscan = 400;

export interface ChatListProps {
  /** Filter text: only matching chats are shown, including archived ones. */
  filter?: string;
  /** Called when a chat was opened from the list. */
  onOpened?: () => void;
  /** Called with text typed while a row has the focus. */
  onType?: (text: string) => void;
  /** Called when Up is pressed on the first row. */
  onLeaveUp?: () => void;
  /** Receives the controls of the list. */
  ref?: (list: ChatListRef) => void;
}

/** Controls of the list, used by the filter field above it. */
export interface ChatListRef {
  /** Returns the number of visible chats. */
  count: () => number;
  /** Focuses the first row. */
  enter: () => void;
  /** Opens the first chat. */
  openFirst: () => void;
}

/** ChatList is the sidebar's list of chats by folder. */
export function ChatList(props: ChatListProps) {
  const state = useStore();
  let scroller!: HTMLDivElement;

  const requests = createMemo(() => select.oldestRequests(state));
  const signInWaits = createMemo(() => select.signInWaits(state));
  const trustWaits = createMemo(() => select.trustWaits(state));
  const waiting = createMemo(
    () => new Set([...requests().keys(), ...signInWaits().keys(), ...trustWaits().keys()]),
  );
  // A chat whose agent is reconnecting is shown neither as failed nor as idle.
  const reconnecting = createMemo(() => {
    const back = (c: Connection) =>
      c.state === "waiting"
        ? c.cause !== "offline"
        : (c.state === "checking" || c.state === "starting" || c.state === "restoring") &&
          state.chats[c.chatId]?.turnState === "interrupted";
    return new Map(
      Object.values(state.connections)
        .filter(back)
        .map((c) => [c.chatId, messages.shell.connection.state(c.state)]),
    );
  });
  // withDetail returns a chat as its row shows it. If the chat is waiting for the user or for its agent to reconnect,
  // the detail line shows the reason instead of the last event.
  const withDetail = (chat: Chat): Chat => {
    const request = requests().get(chat.id);
    if (request?.sandbox === "site") return { ...chat, detail: requestTitle(request, chat.folder) };
    if (request?.question?.plan) return { ...chat, detail: messages.plan.ready };
    if (request?.question) return { ...chat, detail: messages.question.asks(questionLine(request)) };
    if (request) return { ...chat, detail: messages.shell.wantsTo(requestSummary(request)) };
    if (signInWaits().has(chat.id)) return { ...chat, detail: messages.shell.signInToContinue };
    if (trustWaits().has(chat.id)) return { ...chat, detail: messages.shell.waitsForTrust };
    const back = reconnecting().get(chat.id);
    if (back) return { ...chat, turnState: "running", turnSince: undefined, detail: back };
    if (chat.turnState === "interrupted" && !chat.detail)
      return { ...chat, detail: messages.shell.interrupted };
    return chat;
  };
  const all = createChats();
  const filter = () => (props.filter ?? "").trim();
  const chats = createMemo(() =>
    filter() === "" ? all() : all().filter((chat) => matches(chat, titleOf(chat), filter())),
  );
  const [archive, setArchive] = createPreference("voxpilot.archive", "folded");
  // With a filter, nothing is collapsed.
  const archiveOpen = () => archive() === "open" || filter() !== "";
  const [foldedText, setFoldedText] = createPreference("voxpilot.folded", "");
  const folded = createMemo(() => new Set(foldedText().split("\n").filter(Boolean)));
  const fold = (folder: string, on: boolean) => {
    const next = new Set(folded());
    if (on) next.add(folder);
    else next.delete(folder);
    setFoldedText([...next].join("\n"));
  };
  const layout = createMemo(() =>
    layOut(
      chats().map(withDetail),
      waiting(),
      { name: messages.shell.archived, open: archiveOpen() },
      textSizeOf(state.settings.textSize),
      filter() === "" ? folded() : new Set(),
    ),
  );
  const groups = createMemo(() => new Map(layout().groups.map((group) => [group.key, group])));
  const stops = createMemo(() => stopsOf(layout()));
  // The IDs of the elements that can have the focus: rows, and the headings of all folders.
  const shown = createMemo(() => new Set([...layout().order, ...[...groups().keys()].map(headKey)]));

  const [scrolled, setScrolled] = createSignal({ top: 0, height: 900 });
  const view = createMemo(() => ({
    from: scrolled().top - overscan,
    to: scrolled().top + scrolled().height + overscan,
  }));
  const measure = () => setScrolled({ top: scroller.scrollTop, height: scroller.clientHeight });
  onMount(() => {
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    onCleanup(() => observer.disconnect());
  });

  // The ID of the open chat, if any. Until the user moves the cursor, that chat's row is the only tab
  // stop and stays rendered.
  const openId = () => {
    const now = screen();
    return now.name === "chat" ? now.id : undefined;
  };
  const [cursor, setCursor] = createSignal<string>();
  const tabStop = createMemo(() => {
    const at = cursor();
    if (at && shown().has(at)) return at;
    const open = openId();
    return open && shown().has(open) ? open : stops()[0];
  });
  const [renaming, setRenaming] = createSignal<string>();

  const show = (id: string) => {
    const place = positionOf(layout(), id);
    if (!place) return;
    const { top, height } = { top: scroller.scrollTop, height: scroller.clientHeight };
    if (place.top < top + 30) scroller.scrollTop = Math.max(0, place.top - 30);
    else if (place.top + place.height > top + height)
      scroller.scrollTop = place.top + place.height - height + 12;
    measure();
  };
  const focusRow = (id: string) => {
    batch(() => {
      setCursor(id);
      show(id);
    });
    const rows = scroller.querySelectorAll<HTMLElement>("[data-id]");
    [...rows].find((row) => row.dataset.id === id)?.focus({ preventScroll: true });
  };
  const open = (id: string) => {
    go({ name: "chat", id });
    props.onOpened?.();
  };
  props.ref?.({
    count: () => layout().order.length,
    enter: () => {
      const first = stops()[0];
      if (first) focusRow(first);
    },
    openFirst: () => {
      const first = layout().order[0];
      if (first) open(first);
    },
  });

  // If the row with the keyboard cursor is removed, the cursor moves to the next remaining row or, if
  // there is none, to the previous one.
  createEffect((before: string[]) => {
    const order = layout().order;
    const at = before.indexOf(untrack(cursor) ?? "");
    if (at >= 0 && !shown().has(before[at] as string)) {
      const next = [...before.slice(at + 1), ...before.slice(0, at).reverse()].find((id) => shown().has(id));
      setCursor(next);
      // The focus is only restored if it was lost with the row.
      setTimeout(() => {
        const lost = document.activeElement === document.body || document.activeElement === null;
        if (next && lost && shown().has(next)) focusRow(next);
      });
    }
    return order;
  }, []);
  /**
   * onSideways handles the keys Left and Right. On a chat, Left moves to its folder. On a folder, Left collapses the
   * folder. Right expands a collapsed folder, and moves from an expanded one to its first chat.
   */
  const onSideways = (id: string, key: string) => {
    const group = layout().groups.find((g) => headKey(g.key) === id || g.rows.some((row) => row.id === id));
    if (!group || group.key === archiveKey) return;
    const atHead = headKey(group.key) === id;
    if (key === "ArrowLeft" && !atHead) focusRow(headKey(group.key));
    else if (key === "ArrowRight" && atHead && !group.folded && group.rows[0]) focusRow(group.rows[0].id);
    else if (atHead && filter() === "") fold(group.key, key === "ArrowLeft");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).dataset.id;
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      return onSideways(id, event.key);
    }
    // The heading of an expanded folder precedes its first row.
    const head = layout().groups.find((g) => headKey(g.key) === id && !g.folded);
    const order = stops().flatMap((stop) => (stop === head?.rows[0]?.id ? [id, stop] : [stop]));
    const at = order.indexOf(id);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (to < 0 && props.onLeaveUp) return props.onLeaveUp();
      const next = order[Math.min(Math.max(to, 0), order.length - 1)];
      if (next) focusRow(next);
      return;
    }
    const chat = state.chats[id];
    if (event.key === "F2") {
      event.preventDefault();
      event.stopPropagation();
      setRenaming(id);
    } else if (event.key === "Delete" && chat) {
      event.preventDefault();
      askDelete(chat);
    } else if (event.key.length === 1 && event.key !== " " && props.onType) {
      event.preventDefault();
      props.onType(event.key);
    }
  };

  // All rows share one menu, which applies to the row that it was opened on.
  const [menuOf, setMenuOf] = createSignal<string>();
  const menuChat = () => state.chats[menuOf() ?? ""];
  let afterMenu: (() => void) | undefined;
  /**
   * entries returns the menu's entries. The action of a selected entry runs only after the focus has been restored,
   * because it may open a dialog.
   */
  const entries = (chat: Chat) =>
    chatEntries(chat, () => setRenaming(chat.id)).map((group) => ({
      ...group,
      entries: group.entries.map((entry) => ({
        ...entry,
        onSelect: () => {
          afterMenu = entry.onSelect;
        },
      })),
    }));

  // The visible chat is scrolled into view when it is opened, not each time it moves.
  createEffect((before: string) => {
    const id = openId();
    if (!id || !state.ready) return before;
    const folder = untrack(() => state.chats[id]?.folder);
    // Opening a chat expands its folder, except for the chat that is open when the window starts.
    if (before !== id && folder && untrack(folded).has(folder)) fold(folder, false);
    queueMicrotask(() => show(id));
    return id;
  }, untrack(openId) ?? "");

  const GroupRows = (own: { group: Group }) => (
    <section
      class="group"
      aria-label={own.group.name}
      style={{ top: `${own.group.top}px`, height: `${own.group.height}px` }}
    >
      <Show
        when={own.group.key === archiveKey}
        fallback={
          <Heading
            group={own.group}
            tabStop={tabStop() === headKey(own.group.key)}
            onFold={() => filter() === "" && fold(own.group.key, !own.group.folded)}
            onFocus={() => setCursor(headKey(own.group.key))}
            onNew={() => {
              go({ name: "new", folder: own.group.key });
              props.onOpened?.();
            }}
          />
        }
      >
        <h2>
          <button
            type="button"
            class="archive"
            aria-expanded={!own.group.folded}
            onClick={() => setArchive(archive() === "open" ? "folded" : "open")}
          >
            <Icon of={ChevronRight} size="sm" class="chev" />
            <Icon of={Archive} size="sm" />
            <span class="trunc">{own.group.name}</span>
            <span class="path num">{own.group.count}</span>
          </button>
        </h2>
      </Show>
      <ul>
        <For each={rowsIn(own.group, view(), tabStop())}>
          {(id) => {
            const row = createMemo(() => own.group.rows.findIndex((r) => r.id === id));
            return (
              <Show when={state.chats[id]}>
                {(chat) => (
                  <li
                    style={{ top: `${own.group.rows[row()]?.top ?? 0}px` }}
                    aria-setsize={own.group.rows.length}
                    aria-posinset={row() + 1}
                  >
                    <Show
                      when={renaming() === id}
                      fallback={
                        <ChatRow
                          chat={withDetail(chat())}
                          state={rowState(withDetail(chat()), waiting().has(id))}
                          current={openId() === id}
                          tabStop={tabStop() === id}
                          onOpen={() => open(id)}
                          onFocus={() => setCursor(id)}
                        />
                      }
                    >
                      <InlineEdit
                        class="in-row"
                        label={messages.shell.renameLabel}
                        value={titleOf(chat())}
                        onSave={(title) => chatActions.rename(chat(), title)}
                        onDone={(byKey) => {
                          setRenaming(undefined);
                          if (byKey) focusRow(id);
                        }}
                      />
                    </Show>
                  </li>
                )}
              </Show>
            );
          }}
        </For>
      </ul>
    </section>
  );

  return (
    <ContextMenu modal={false}>
      <ContextMenu.Trigger
        as="div"
        class="chats"
        ref={scroller}
        onScroll={measure}
        onKeyDown={onKeyDown}
        onContextMenu={(event: MouseEvent) => {
          const id = (event.target as HTMLElement).closest<HTMLElement>("[data-id]")?.dataset.id;
          afterMenu = undefined;
          setMenuOf(id);
          // Outside of rows there is no context menu.
          if (!id || !state.chats[id]) event.preventDefault();
          else setCursor(id);
        }}
      >
        <Show when={state.ready && layout().order.length === 0 && layout().groups.length === 0}>
          <p class="chats-none">
            {filter() === "" ? messages.shell.noChats : messages.shell.filter.none(filter())}
          </p>
        </Show>
        <div class="chats-in" style={{ height: `${layout().height}px` }}>
          <For each={groupsIn(layout(), view(), tabStop())}>
            {(key) => <Show when={groups().get(key)}>{(group) => <GroupRows group={group()} />}</Show>}
          </For>
        </div>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          class="pop menu"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const id = menuOf();
            const then = afterMenu;
            afterMenu = undefined;
            if (id && shown().has(id)) focusRow(id);
            if (then) setTimeout(then);
          }}
        >
          <Show when={menuChat()}>{(chat) => <MenuGroups groups={entries(chat())} />}</Show>
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu>
  );
}
