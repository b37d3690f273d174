// Prompts that the practice model's script can answer.

import BookOpen from "lucide-solid/icons/book-open";
import Pencil from "lucide-solid/icons/pencil";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import { messages } from "../../i18n";

const t = messages.newChat.practiceSuggestions;

/** practicePrompts are three messages that demonstrate an edit, a command and a long answer. */
export const practicePrompts = [
  { icon: Pencil, text: t.fix },
  { icon: SquareTerminal, text: t.run },
  { icon: BookOpen, text: t.story },
] as const;
