// Prompts that the practice script supports.

import BookOpen from "lucide-solid/icons/book-open";
import Pencil from "lucide-solid/icons/pencil";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import { words } from "../../i18n";

const w = words.newChat.practiceSuggestions;

/** practicePrompts are three messages that demonstrate an edit, a command and a long answer. */
export const practicePrompts = [
  { icon: Pencil, text: w.fix },
  { icon: SquareTerminal, text: w.run },
  { icon: BookOpen, text: w.story },
] as const;
