// The button of a message that opens a menu for going back to that message. The menu describes the effect of
// each entry in advance.

import { DropdownMenu } from "@kobalte/core/dropdown-menu";
import type { LucideIcon } from "lucide-solid";
import FileDiff from "lucide-solid/icons/file-diff";
import GitFork from "lucide-solid/icons/git-fork";
import MessageSquare from "lucide-solid/icons/message-square";
import History from "lucide-solid/icons/rotate-ccw-clock";
import { createUniqueId, Show } from "solid-js";
import { messages } from "../../i18n";
import { keysOf } from "../../state/commands";
import {
  closeGoBack,
  goBackBusy,
  goBackMenu,
  newChatFrom,
  openGoBack,
  startGoBack,
} from "../../state/goBack";
import type { Item } from "../../state/types";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import { stopKeyRepeat } from "../ui/Menu";
import "../ui/menu.css";
import "./goback.css";

const t = messages.goBack;

interface EntryProps {
  icon: LucideIcon;
  label: string;
  hint: string;
  disabled?: boolean;
  onSelect(): void;
}

function Entry(props: EntryProps) {
  return (
    <DropdownMenu.Item
      class="opt mo"
      disabled={props.disabled}
      onKeyDown={stopKeyRepeat}
      onSelect={() => props.onSelect()}
    >
      <Icon of={props.icon} size="sm" />
      <span class="tx">
        <span class="nm">{props.label}</span>
        <span class="ds">{props.hint}</span>
      </span>
    </DropdownMenu.Item>
  );
}

/**
 * GoBackButton is the button that goes back to a message, together with its menu. The menu is open while
 * goBackMenu refers to the message.
 */
export function GoBackButton(props: { item: Item }) {
  const turnId = () => props.item.turnId ?? "";
  const now = () => (goBackMenu()?.itemId === props.item.id ? goBackMenu() : undefined);
  const preview = () => now()?.preview;
  const noteId = createUniqueId();
  let content: HTMLDivElement | undefined;
  /** Whether the menu has just been opened: its first entry then takes the focus. */
  let isFresh = false;
  let chosen: (() => void) | undefined;
  const choose = (then: () => void) => () => {
    chosen = then;
  };
  /** The number of the user's messages below this one. */
  const below = () => Math.max(0, (preview()?.messages ?? 1) - 1);
  const files = () => preview()?.total ?? 0;
  /** The number of files that are restored unless the user chooses otherwise. */
  const ready = () => preview()?.ready ?? 0;
  const filesText = () => {
    if (ready() > 0) return t.filesHint(ready());
    return files() > 0 ? t.changedHint(files()) : t.noFiles;
  };
  const reason = () => now()?.failure || preview()?.blocked || "";
  const filesReason = () => reason() || preview()?.filesBlocked || "";
  const hint = (text: () => string, why: string) => {
    if (why !== "") return why;
    return preview() ? text() : t.checking;
  };
  return (
    <DropdownMenu
      open={now() !== undefined}
      onOpenChange={(open) => (open ? openGoBack(props.item) : closeGoBack())}
      placement="bottom-end"
      gutter={4}
      shift={-2}
      modal={false}
    >
      <DropdownMenu.Trigger
        class="ib sm"
        aria-label={t.button}
        // The tooltip would cover the list.
        title={now() ? undefined : t.button}
        aria-busy={goBackBusy() !== "" && goBackBusy() === turnId()}
        aria-keyshortcuts={keyShortcuts(...keysOf("goBack"))}
      >
        <Icon of={History} size="sm" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={content}
          class="pop menu go-back"
          aria-describedby={noteId}
          onOpenAutoFocus={() => {
            isFresh = true;
          }}
          onFocusIn={(event: FocusEvent) => {
            if (!isFresh || event.target !== content) return;
            isFresh = false;
            content?.querySelector<HTMLElement>("[role=menuitem]:not([data-disabled])")?.focus();
          }}
          onCloseAutoFocus={() => {
            const then = chosen;
            chosen = undefined;
            if (then) queueMicrotask(then);
          }}
        >
          <Entry
            icon={History}
            label={t.both}
            hint={hint(() => t.bothHint(ready(), below()), filesReason())}
            disabled={filesReason() !== ""}
            onSelect={choose(() => void startGoBack(turnId(), "both"))}
          />
          <Entry
            icon={FileDiff}
            label={t.files}
            hint={hint(filesText, filesReason())}
            disabled={filesReason() !== "" || (preview() !== undefined && files() === 0)}
            onSelect={choose(() => void startGoBack(turnId(), "files"))}
          />
          <Entry
            icon={MessageSquare}
            label={t.conversation}
            hint={hint(() => t.conversationHint(below()), reason())}
            disabled={reason() !== ""}
            onSelect={choose(() => void startGoBack(turnId(), "conversation"))}
          />
          <Entry
            icon={GitFork}
            label={t.newChat}
            hint={t.newChatHint}
            onSelect={choose(() => void newChatFrom(turnId()))}
          />
          <DropdownMenu.Separator class="hr" />
          <div class="cap" id={noteId}>
            {t.note} <Show when={preview()?.memory === "recap"}>{t.recap}</Show>
          </div>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}
