// The keys that work everywhere in the window.

import { onCleanup } from "solid-js";
import { select } from "../../state/select";
import { raw } from "../../state/store";
import { isMod } from "../ui/Kbd";
import { go, screen } from "./screen";

/** toNextRequest opens the chat that waits for an answer the longest, after the one on screen. */
export function toNextRequest(): void {
  const now = screen();
  const waiting = select.needy(raw()).map((chat) => chat.id);
  if (waiting.length === 0) return;
  const at = now.name === "chat" ? waiting.indexOf(now.id) : -1;
  const id = waiting[(at + 1) % waiting.length];
  if (id) go({ name: "chat", id, toRequest: true });
}

export interface ShortcutActions {
  toggleSidebar: () => void;
}

/** createShortcuts listens for as long as its owner lives. */
export function createShortcuts(does: ShortcutActions): void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !isMod(event)) return;
    // A question is answered before anything else is done.
    if (document.querySelector("[role=alertdialog], .dialog")) return;
    const key = event.key.toLowerCase();
    const run = event.shiftKey
      ? { a: toNextRequest }[key]
      : {
          n: () => go({ name: "new" }),
          b: does.toggleSidebar,
          ",": () => go({ name: "settings", page: "account" }),
        }[key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  window.addEventListener("keydown", onKeyDown);
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));
}
