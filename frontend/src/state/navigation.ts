// Navigation requests from outside the window: from the tray, a notification, a command line or a link.
// The window handles each request only once, even if it reloads.

import { createEffect, createSignal, on } from "solid-js";
import { messages } from "../i18n";
import { notify } from "./notices";
import { openReview } from "./reviewScreen";
import { go, type SettingsPage } from "./screen";
import { raw, useStore } from "./store";
import { requestListing } from "./trust";
import { reviewTrust } from "./trustSheet";
import type { Navigation } from "./types";

const key = "voxpilot.asked";
const [text, setText] = createSignal("");

/**
 * navigationText is the text to insert into the new chat's composer, or "" once the composer has taken
 * it.
 */
export { text as navigationText };

/** takeNavigationText clears navigationText. The composer calls it after it has inserted the text. */
export function takeNavigationText(): void {
  setText("");
}

/** startNewChat opens the form for a new chat in a folder and adds a text to its composer. */
export function startNewChat(folder: string | undefined, text: string): void {
  if (text !== "") setText(text);
  go({ name: "new", folder: folder || undefined });
}

/**
 * isUnhandled reports whether a request hasn't been handled yet, and marks it as handled for as long as
 * the window exists, including reloads.
 */
function isUnhandled(asked: Navigation): boolean {
  try {
    if (sessionStorage.getItem(key) === asked.id) return false;
    sessionStorage.setItem(key, asked.id);
  } catch {
    // Without storage, a reloaded page handles the request again.
  }
  return true;
}

function follow(asked: Navigation): void {
  switch (asked.for) {
    case "chat":
      // The chat may have been deleted in the meantime.
      if (asked.chatId && raw().chats[asked.chatId])
        go({ name: "chat", id: asked.chatId, toRequest: asked.request });
      break;
    case "review":
      if (!asked.chatId || !raw().chats[asked.chatId]) break;
      openReview(asked.chatId, asked.source || "working");
      if (requestListing(raw(), asked.chatId)) reviewTrust(asked.chatId);
      break;
    case "new":
      startNewChat(asked.folder, asked.text ?? "");
      break;
    case "settings": {
      const known = Object.keys(messages.settings.pages) as SettingsPage[];
      go({ name: "settings", page: known.find((page) => page === asked.page) ?? "account" });
      break;
    }
    case "failed":
      notify({ id: "asked", text: messages.shell.failed.navigation, detail: asked.message, failed: true });
  }
}

/** createNavigation handles navigation requests for the lifetime of its owner. */
export function createNavigation(): void {
  const state = useStore();
  createEffect(
    on(
      () => (state.ready ? state.navigation?.id : undefined),
      () => {
        const asked = raw().navigation;
        if (state.ready && asked && isUnhandled(asked)) follow(asked);
      },
    ),
  );
}
