// Menu entries for the actions on a chat, shared by the list and the header.

import Archive from "lucide-solid/icons/archive";
import ArchiveRestore from "lucide-solid/icons/archive-restore";
import Copy from "lucide-solid/icons/copy";
import Download from "lucide-solid/icons/download";
import FolderOpen from "lucide-solid/icons/folder-open";
import FolderSearch from "lucide-solid/icons/folder-search";
import Pencil from "lucide-solid/icons/pencil";
import Pin from "lucide-solid/icons/pin";
import PinOff from "lucide-solid/icons/pin-off";
import ScrollText from "lucide-solid/icons/scroll-text";
import SquarePen from "lucide-solid/icons/square-pen";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import Trash from "lucide-solid/icons/trash";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { askDelete, canContinue, canResume, chatActions, formats } from "../../state/chatActions";
import type { Chat } from "../../state/types";
import { Icon } from "../ui/Icon";
import type { MenuEntry } from "../ui/Menu";

/**
 * chatEntries returns the groups of menu entries for a chat. `rename` starts renaming the chat in the
 * part of the window that shows the menu.
 */
export function chatEntries(chat: Chat, rename: () => void): { entries: MenuEntry[] }[] {
  const t = messages.shell;
  const pin: MenuEntry = {
    label: chat.pinned ? t.unpin : t.pin,
    icon: <Icon of={chat.pinned ? PinOff : Pin} size="sm" />,
    onSelect: () => chatActions.pin(chat),
  };
  const continueEntry: MenuEntry = {
    label: t.continueInNewChat,
    icon: <Icon of={SquarePen} size="sm" />,
    onSelect: () => chatActions.continueInNewChat(chat),
  };
  const resumeEntry: MenuEntry = {
    label: t.copyResume,
    icon: <Icon of={SquareTerminal} size="sm" />,
    onSelect: () => chatActions.copyResume(chat),
  };
  return [
    {
      entries: [
        { label: t.rename, icon: <Icon of={Pencil} size="sm" />, fact: "F2", onSelect: rename },
        ...(chat.archived ? [] : [pin]),
        {
          label: chat.archived ? t.unarchive : t.archive,
          icon: <Icon of={chat.archived ? ArchiveRestore : Archive} size="sm" />,
          onSelect: () => chatActions.archive(chat),
        },
        ...(canContinue(chat) ? [continueEntry] : []),
      ],
    },
    {
      entries: [
        {
          label: t.openFolder,
          icon: <Icon of={FolderOpen} size="sm" />,
          onSelect: () => chatActions.openFolder(chat),
        },
        {
          label: t.copyFolder,
          icon: <Icon of={Copy} size="sm" />,
          onSelect: () => chatActions.copyFolder(chat),
        },
        ...(canResume(chat) ? [resumeEntry] : []),
        {
          label: t.locateFolder,
          icon: <Icon of={FolderSearch} size="sm" />,
          onSelect: () => chatActions.locate(chat),
        },
      ],
    },
    {
      entries: [
        ...formats.map((format) => ({
          label: t.exportAs[format],
          icon: <Icon of={Download} size="sm" />,
          onSelect: () => chatActions.exportAs(chat, format),
        })),
        {
          label: t.saveProtocol,
          icon: <Icon of={ScrollText} size="sm" />,
          onSelect: () => actions.saveProtocol(chat.id),
        },
      ],
    },
    {
      entries: [{ label: t.delete, icon: <Icon of={Trash} size="sm" />, onSelect: () => askDelete(chat) }],
    },
  ];
}
