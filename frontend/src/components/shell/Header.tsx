import Ellipsis from "lucide-solid/icons/ellipsis";
import Folder from "lucide-solid/icons/folder";
import GitBranch from "lucide-solid/icons/git-branch";
import { createEffect, createMemo, createResource, createSignal, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { folderName, tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { chatActions } from "../../state/chatActions";
import { provide } from "../../state/commands";
import { select } from "../../state/select";
import type { Chat } from "../../state/types";
import { InspectorButton } from "../inspector/Inspector";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { titleOf } from "./ChatRow";
import { ConnectionPill } from "./ConnectionPill";
import { chatEntries } from "./chatMenu";
import { InlineEdit } from "./InlineEdit";
import { ShowSidebar } from "./ShowSidebar";
import "./header.css";

export interface HeaderProps {
  chat: Chat;
  /** Shows the sidebar; set only while the sidebar is hidden. */
  onShowSidebar?: () => void;
  /** Whether the inspector is an overlay. */
  overlay: boolean;
}

/** Header shows the chat's title, folder, Git branch and connection, and contains the chat actions. */
export function Header(props: HeaderProps) {
  let header!: HTMLElement;
  const [renaming, setRenaming] = createSignal(false);
  // The chat object is replaced on every change, but the code below must depend only on its ID and
  // folder.
  const id = createMemo(() => props.chat.id);
  createEffect(on(id, () => setRenaming(false)));

  provide("rename", () => setRenaming(true));

  // The Git branch can change during a turn, so it is read again after each turn.
  const running = createMemo(() => props.chat.turnState === "running");
  const folder = createMemo(() => props.chat.folder);
  const [facts, { refetch }] = createResource(folder, (path) => actions.folder(path).catch(() => undefined));
  createEffect(on(running, () => void refetch(), { defer: true }));
  const branch = () => facts.latest?.branch;

  const toComposer = () => header.closest("main")?.querySelector<HTMLElement>(".composer textarea")?.focus();

  return (
    <header ref={header} class="bar">
      <Show when={props.onShowSidebar}>{(show) => <ShowSidebar onShow={show()} />}</Show>
      <Show
        when={renaming()}
        fallback={
          <h1 class="title trunc" id="chat-title" onDblClick={() => setRenaming(true)}>
            {titleOf(props.chat)}
          </h1>
        }
      >
        <h1 class="sr" id="chat-title">
          {titleOf(props.chat)}
        </h1>
        <InlineEdit
          class="title grow"
          label={messages.shell.renameLabel}
          value={titleOf(props.chat)}
          onSave={(text) => chatActions.rename(props.chat, text)}
          onDone={(byKey) => {
            setRenaming(false);
            if (byKey) queueMicrotask(toComposer);
          }}
        />
      </Show>
      <Show when={select.isPractice(props.chat)}>
        <span class="tag">{messages.shell.practiceTag}</span>
      </Show>
      <span class="crumb trunc" title={tilde(props.chat.folder)}>
        <Icon of={Folder} />
        <span class="trunc">{folderName(props.chat.folder)}</span>
        <Show when={branch()}>
          {(name) => (
            <span class="br-wrap row">
              <Icon of={GitBranch} />
              <span class="trunc">{name()}</span>
            </span>
          )}
        </Show>
      </span>
      <span class="grow" />
      <ConnectionPill chat={props.chat} />
      <InspectorButton overlay={props.overlay} />
      <Menu
        label={messages.shell.actions}
        triggerClass="ib"
        placement="bottom-end"
        trigger={<Icon of={Ellipsis} />}
        groups={chatEntries(props.chat, () => setTimeout(() => setRenaming(true)))}
      />
    </header>
  );
}
