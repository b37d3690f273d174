import Folder from "lucide-solid/icons/folder";
import { batch, createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Chat } from "../../state/words";
import { words } from "../../words";
import { wantOf } from "../transcript/tool";
import { Icon } from "../ui/Icon";
import { ChatRow, titleOf } from "./ChatRow";
import { createChats } from "./chats";
import { InlineEdit } from "./InlineEdit";
import { type Group, groupsIn, layOut, placeOf, rowState, rowsIn } from "./rows";
import { go, screen } from "./screen";

/** How far beyond what is seen rows are drawn already. */
const overscan = 400;

export interface ChatListProps {
  /** Asks whether a chat is to be deleted. */
  onDelete: (chat: Chat) => void;
  /** Called when a chat was opened from the list. */
  onOpened?: () => void;
}

/** ChatList is the sidebar's list of chats by folder. */
export function ChatList(props: ChatListProps) {
  const state = useStore();
  let scroller!: HTMLDivElement;

  const asked = createMemo(() => select.oldestAsks(state));
  // A chat whose agent waits for a sign-in needs the user too, unless a main AI goes on without it.
  const toSignIn = createMemo(() => {
    const waits = Object.values(state.connections).filter((c) => c.state === "needs_login");
    return new Set(waits.map((c) => c.chatId).filter((id) => !state.chats[id]?.mainId && !asked().has(id)));
  });
  const waiting = createMemo(() => new Set([...asked().keys(), ...toSignIn()]));
  // What the row says under the title: what the chat waits for, before what happened in it.
  const told = (chat: Chat): Chat => {
    if (toSignIn().has(chat.id)) return { ...chat, detail: words.shell.signInToContinue };
    const ask = asked().get(chat.id);
    if (ask) return { ...chat, detail: words.shell.wantsTo(wantOf(ask)) };
    if (chat.turnState === "interrupted" && !chat.detail) return { ...chat, detail: words.shell.interrupted };
    return chat;
  };
  const chats = createChats();
  const layout = createMemo(() => layOut(chats().map(told), waiting()));
  const groups = createMemo(() => new Map(layout().groups.map((group) => [group.folder, group])));

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

  // The row that the keyboard is at: the only tab stop, and always drawn.
  const openId = () => {
    const now = screen();
    return now.name === "chat" ? now.id : undefined;
  };
  const [cursor, setCursor] = createSignal<string>();
  const tabStop = createMemo(() => {
    const at = cursor();
    if (at && state.chats[at]) return at;
    const open = openId();
    return open && state.chats[open] ? open : layout().order[0];
  });
  const [renaming, setRenaming] = createSignal<string>();

  const show = (id: string) => {
    const place = placeOf(layout(), id);
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
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).dataset.id;
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    const order = layout().order;
    const at = order.indexOf(id);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
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
      props.onDelete(chat);
    }
  };

  // The chat on screen is in view when it is opened, not each time it moves.
  createEffect(() => {
    const id = openId();
    if (id && state.ready) queueMicrotask(() => show(id));
  });

  const GroupRows = (own: { group: Group }) => (
    <section
      class="group"
      aria-label={own.group.name}
      style={{ top: `${own.group.top}px`, height: `${own.group.height}px` }}
    >
      <h2 title={own.group.folder}>
        <Icon of={Folder} size="sm" />
        <span class="trunc">{own.group.name}</span>
        <span class="path trunc">{own.group.place}</span>
      </h2>
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
                          chat={told(chat())}
                          state={rowState(chat(), waiting().has(id))}
                          current={openId() === id}
                          tabStop={tabStop() === id}
                          onOpen={() => open(id)}
                          onFocus={() => setCursor(id)}
                        />
                      }
                    >
                      <InlineEdit
                        class="in-row"
                        label={words.shell.renameLabel}
                        value={titleOf(chat())}
                        onSave={(title) =>
                          void actions
                            .renameChat(id, title)
                            .catch((thrown) => actions.log("error", `rename: ${thrown.message}`))
                        }
                        onDone={() => {
                          setRenaming(undefined);
                          focusRow(id);
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the rows inside, which bubble.
    <div class="chats" ref={scroller} onScroll={measure} onKeyDown={onKeyDown}>
      <Show when={state.ready && layout().order.length === 0}>
        <p class="chats-none">{words.shell.noChats}</p>
      </Show>
      <div class="chats-in" style={{ height: `${layout().height}px` }}>
        <For each={groupsIn(layout(), view(), tabStop())}>
          {(folder) => <Show when={groups().get(folder)}>{(group) => <GroupRows group={group()} />}</Show>}
        </For>
      </div>
    </div>
  );
}
