// Icons of palette entries.

import type { LucideIcon } from "lucide-solid";
import Archive from "lucide-solid/icons/archive";
import Bot from "lucide-solid/icons/bot";
import ChevronRight from "lucide-solid/icons/chevron-right";
import Contrast from "lucide-solid/icons/contrast";
import Copy from "lucide-solid/icons/copy";
import Cpu from "lucide-solid/icons/cpu";
import Download from "lucide-solid/icons/download";
import FileDiff from "lucide-solid/icons/file-diff";
import FileText from "lucide-solid/icons/file-text";
import Folder from "lucide-solid/icons/folder";
import Funnel from "lucide-solid/icons/funnel";
import Hand from "lucide-solid/icons/hand";
import MessageSquare from "lucide-solid/icons/message-square";
import PanelLeft from "lucide-solid/icons/panel-left";
import PanelRight from "lucide-solid/icons/panel-right";
import Pencil from "lucide-solid/icons/pencil";
import Pin from "lucide-solid/icons/pin";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import ScrollText from "lucide-solid/icons/scroll-text";
import SearchIcon from "lucide-solid/icons/search";
import SettingsIcon from "lucide-solid/icons/settings";
import Shield from "lucide-solid/icons/shield";
import Square from "lucide-solid/icons/square";
import SquarePen from "lucide-solid/icons/square-pen";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import Trash from "lucide-solid/icons/trash";
import Undo2 from "lucide-solid/icons/undo-2";
import type { Entry } from "./entries";

const icons: Record<string, LucideIcon> = {
  newChat: SquarePen,
  search: SearchIcon,
  terminalSession: SquareTerminal,
  nextRequest: Hand,
  filter: Funnel,
  sidebar: PanelLeft,
  inspector: PanelRight,
  undoDelete: Undo2,
  find: SearchIcon,
  rename: Pencil,
  pin: Pin,
  archive: Archive,
  exportMarkdown: Download,
  exportHTML: Download,
  exportJSON: Download,
  exportCopilot: Download,
  copyFolder: Copy,
  copyResume: SquareTerminal,
  openFolder: Folder,
  locateFolder: Folder,
  saveProtocol: ScrollText,
  reviewChanges: FileDiff,
  removeRules: Shield,
  reconnect: RotateCcw,
  delete: Trash,
  stop: Square,
  theme: Contrast,
  contrast: Contrast,
  motion: Contrast,
  settings: SettingsIcon,
  setting: SettingsIcon,
  model: Cpu,
  mode: Bot,
  permission: Shield,
  folder: Folder,
};

/**
 * iconOf returns the icon of an entry. Files have the icon of a file or folder; other entries have their own icon or,
 * if they have none, that of their kind.
 */
export function iconOf(entry: Entry): LucideIcon {
  if (entry.file) return entry.file.endsWith("/") ? Folder : FileText;
  const [kind = ""] = entry.id.split(".");
  return icons[entry.id] ?? icons[kind] ?? (entry.chat ? MessageSquare : ChevronRight);
}
