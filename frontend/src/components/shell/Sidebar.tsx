import ArrowRight from "lucide-solid/icons/arrow-right";
import Funnel from "lucide-solid/icons/funnel";
import Hand from "lucide-solid/icons/hand";
import PanelLeft from "lucide-solid/icons/panel-left";
import SearchIcon from "lucide-solid/icons/search";
import SettingsIcon from "lucide-solid/icons/settings";
import SquarePen from "lucide-solid/icons/square-pen";
import X from "lucide-solid/icons/x";
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { keysOf, provide, toNextRequest } from "../../state/commands";
import { go, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Inbox } from "../permission/Inbox";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd, keyShortcuts } from "../ui/Kbd";
import { Logo } from "../ui/Logo";
import { AccountRow } from "./AccountRow";
import { ChatList, type ChatListRef } from "./ChatList";
import { UpdateNotice } from "./UpdateNotice";
import "./sidebar.css";

export interface SidebarProps {
  onHide: () => void;
  /** Called after the user has opened a screen from the sidebar, to close the drawer. */
  onLeave?: () => void;
  /** The sidebar's resizable edge, if any. */
  children?: JSX.Element;
}

/** Sidebar gives access to all chats (new, waiting, by folder) and to the settings. */
export function Sidebar(props: SidebarProps) {
  const state = useStore();
  const openId = () => {
    const now = screen();
    return now.name === "chat" ? now.id : "";
  };
  const others = createMemo(() => select.needsAttention(state, openId()).length);
  const asks = createMemo(() => select.waiting(state).some((request) => request.chatId !== openId()));
  const leave = (then: () => void) => {
    then();
    props.onLeave?.();
  };
  // The filter field is hidden until the user opens it or types in the list.
  const [filter, setFilter] = createSignal<string>();
  let field: HTMLInputElement | undefined;
  let list: ChatListRef | undefined;
  let settings!: HTMLButtonElement;
  const openFilter = (typed = "") => {
    setFilter((filter() ?? "") + typed);
    field?.focus();
  };
  const closeFilter = () => {
    setFilter(undefined);
    list?.enter();
  };
  provide("filter", openFilter);
  const searchAll = () => leave(() => go({ name: "search", query: filter() }));
  const onFilterKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") closeFilter();
    else if (event.key === "ArrowDown") list?.enter();
    else if (event.key === "Enter") {
      if (list?.count()) list.openFirst();
      else searchAll();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <nav class="sidebar" aria-label={messages.shell.sidebar}>
      <div class="bar">
        <span class="brand">
          <Logo />
          {messages.common.app}
        </span>
        <span class="grow" />
        <IconButton
          icon={Funnel}
          label={messages.shell.filter.open}
          aria-expanded={filter() !== undefined}
          onClick={() => (filter() === undefined ? openFilter() : closeFilter())}
        />
        <IconButton
          icon={PanelLeft}
          label={messages.shell.hideSidebar}
          aria-keyshortcuts={keyShortcuts(...keysOf("sidebar"))}
          onClick={() => props.onHide()}
        />
      </div>
      <div class="side-actions">
        <button
          type="button"
          class="side-act"
          aria-label={messages.shell.newChat}
          aria-keyshortcuts={keyShortcuts(...keysOf("newChat"))}
          aria-current={screen().name === "new" ? "page" : undefined}
          onClick={() => leave(() => go({ name: "new" }))}
        >
          <Icon of={SquarePen} />
          <span>{messages.shell.newChat}</span>
          <Kbd keys={keysOf("newChat")} />
        </button>
        <button
          type="button"
          class="side-act"
          aria-label={messages.shell.search}
          aria-keyshortcuts={keyShortcuts(...keysOf("search"))}
          aria-current={screen().name === "search" ? "page" : undefined}
          onClick={() => leave(() => go({ name: "search" }))}
        >
          <Icon of={SearchIcon} />
          <span>{messages.shell.search}</span>
          <Kbd keys={keysOf("search")} />
        </button>
      </div>
      <Show when={others() > 0}>
        <div class="jump-row">
          <button
            type="button"
            class="jump"
            aria-label={messages.shell.jump(others())}
            aria-keyshortcuts={keyShortcuts(...keysOf("nextRequest"))}
            onClick={() => leave(toNextRequest)}
          >
            <Icon of={Hand} />
            <span class="trunc">{messages.shell.jump(others())}</span>
            <Icon of={ArrowRight} size="sm" />
          </button>
          <Show when={others() > 1 && asks()}>
            <Inbox onLeave={() => props.onLeave?.()} />
          </Show>
        </div>
      </Show>
      <Show when={filter() !== undefined}>
        <div class="side-filter">
          <div class="input">
            <Icon of={Funnel} size="sm" />
            <input
              ref={(input) => {
                field = input;
                queueMicrotask(() => input.focus());
              }}
              class="grow sel"
              type="text"
              aria-label={messages.shell.filter.field}
              placeholder={messages.shell.filter.open}
              spellcheck={false}
              autocomplete="off"
              value={filter()}
              onInput={(event) => setFilter(event.currentTarget.value)}
              onKeyDown={onFilterKey}
            />
            <IconButton small icon={X} label={messages.shell.filter.clear} onClick={closeFilter} />
          </div>
          <Show when={filter()?.trim()}>
            <span class="sr" role="status">
              {messages.shell.filter.found(list?.count() ?? 0)}
            </span>
          </Show>
        </div>
      </Show>
      <ChatList
        ref={(made) => {
          list = made;
        }}
        filter={filter()}
        onOpened={() => props.onLeave?.()}
        onType={openFilter}
        onLeaveUp={() => field?.isConnected && field.focus()}
      />
      <Show when={filter()?.trim()}>
        <button type="button" class="side-act search-all" onClick={searchAll}>
          <Icon of={SearchIcon} size="sm" />
          <span class="trunc">{messages.shell.filter.searchAll}</span>
          <Icon of={ArrowRight} size="sm" />
        </button>
      </Show>
      <UpdateNotice onLeave={props.onLeave} onHide={() => settings.focus()} />
      <div class="side-foot">
        <AccountRow onLeave={props.onLeave} />
        <IconButton
          ref={settings}
          icon={SettingsIcon}
          label={messages.shell.settings}
          aria-keyshortcuts={keyShortcuts(...keysOf("settings"))}
          onClick={() => leave(() => go({ name: "settings", page: "account" }))}
        />
      </div>
      {props.children}
    </nav>
  );
}
