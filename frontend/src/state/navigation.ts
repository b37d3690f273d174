// What the user asked for outside of the window: in the tray, in a notification,
// on a command line, by a link. The window shows it, once: also when the page
// was loaded again since.

import { createEffect, createSignal, on } from "solid-js";
import { words } from "../i18n";
import { notify } from "./notices";
import { go, type SettingsPage } from "./screen";
import { raw, useStore } from "./store";
import type { Navigation } from "./types";

const key = "voxpilot.asked";
const [text, setText] = createSignal("");

/** navigationText is a text that the composer of the new chat takes over, until it has. */
export { text as navigationText };

/** takeNavigationText says that the composer has it. */
export function takeNavigationText(): void {
  setText("");
}

/** isNew remembers what was followed, for as long as this window lives. */
function isNew(asked: Navigation): boolean {
  try {
    if (sessionStorage.getItem(key) === asked.id) return false;
    sessionStorage.setItem(key, asked.id);
  } catch {
    // Without storage a page that is loaded again follows it again.
  }
  return true;
}

function follow(asked: Navigation): void {
  switch (asked.for) {
    case "chat":
      // It may have been deleted meanwhile.
      if (asked.chatId && raw().chats[asked.chatId])
        go({ name: "chat", id: asked.chatId, toRequest: asked.request });
      break;
    case "new":
      if (asked.text) setText(asked.text);
      go({ name: "new", folder: asked.folder || undefined });
      break;
    case "settings": {
      const known = Object.keys(words.settings.pages) as SettingsPage[];
      go({ name: "settings", page: known.find((page) => page === asked.page) ?? "account" });
      break;
    }
    case "failed":
      notify({ id: "asked", text: words.shell.failed.asked, detail: asked.message, failed: true });
  }
}

/** createNavigation follows what is asked for, as long as its owner lives. */
export function createNavigation(): void {
  const state = useStore();
  createEffect(
    on(
      () => (state.ready ? state.asked?.id : undefined),
      () => {
        const asked = raw().asked;
        if (state.ready && asked && isNew(asked)) follow(asked);
      },
    ),
  );
}
