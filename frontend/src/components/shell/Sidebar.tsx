import ArrowRight from "lucide-solid/icons/arrow-right";
import Hand from "lucide-solid/icons/hand";
import PanelLeft from "lucide-solid/icons/panel-left";
import SettingsIcon from "lucide-solid/icons/settings";
import SquarePen from "lucide-solid/icons/square-pen";
import { createMemo, type JSX, Show } from "solid-js";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Chat } from "../../state/words";
import { words } from "../../words";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd, keyShortcuts } from "../ui/Kbd";
import { Logo } from "../ui/Logo";
import { AccountRow } from "./AccountRow";
import { ChatList } from "./ChatList";
import { go, screen } from "./screen";
import { toNextRequest } from "./shortcuts";

export interface SidebarProps {
  onHide: () => void;
  onDelete: (chat: Chat) => void;
  /** Called when the sidebar led somewhere; the drawer then closes. */
  onLeave?: () => void;
  /** Its edge, where that can be moved. */
  children?: JSX.Element;
}

/** Sidebar is the way to every chat: new, waiting, by folder; and to the settings. */
export function Sidebar(props: SidebarProps) {
  const state = useStore();
  const others = createMemo(() => {
    const now = screen();
    return select.needy(state, now.name === "chat" ? now.id : "").length;
  });
  const leave = (then: () => void) => {
    then();
    props.onLeave?.();
  };
  return (
    <nav class="sidebar" aria-label={words.shell.sidebar}>
      <div class="bar">
        <span class="brand">
          <Logo />
          {words.common.app}
        </span>
        <span class="grow" />
        <IconButton
          icon={PanelLeft}
          label={words.shell.hideSidebar}
          aria-keyshortcuts={keyShortcuts("Mod", "B")}
          onClick={() => props.onHide()}
        />
      </div>
      <div class="side-actions">
        <button
          type="button"
          class="side-act"
          aria-label={words.shell.newChat}
          aria-keyshortcuts={keyShortcuts("Mod", "N")}
          aria-current={screen().name === "new" ? "page" : undefined}
          onClick={() => leave(() => go({ name: "new" }))}
        >
          <Icon of={SquarePen} />
          <span>{words.shell.newChat}</span>
          <Kbd keys={["Mod", "N"]} />
        </button>
      </div>
      <Show when={others() > 0}>
        <button
          type="button"
          class="jump"
          aria-label={words.shell.jump(others())}
          aria-keyshortcuts={keyShortcuts("Mod", "Shift", "A")}
          onClick={() => leave(toNextRequest)}
        >
          <Icon of={Hand} />
          <span class="trunc">{words.shell.jump(others())}</span>
          <Icon of={ArrowRight} size="sm" />
        </button>
      </Show>
      <ChatList onDelete={props.onDelete} onOpened={() => props.onLeave?.()} />
      <div class="side-foot">
        <AccountRow onLeave={props.onLeave} />
        <IconButton
          icon={SettingsIcon}
          label={words.shell.settings}
          aria-keyshortcuts={keyShortcuts("Mod", ",")}
          onClick={() => leave(() => go({ name: "settings", page: "account" }))}
        />
      </div>
      {props.children}
    </nav>
  );
}
