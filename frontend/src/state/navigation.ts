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
 * isUnhandled reports whether a request hasn't been handled yet, and marks it as handled. The mark lasts as long as
 * the window, even across reloads.
 */
function isUnhandled(request: Navigation): boolean {
  try {
    if (sessionStorage.getItem(key) === request.id) return false;
    sessionStorage.setItem(key, request.id);
  } catch {
    // Without storage, a reloaded page handles the request again.
  }
  return true;
}

function follow(request: Navigation): void {
  switch (request.for) {
    case "chat":
      // The chat may have been deleted in the meantime.
      if (request.chatId && raw().chats[request.chatId])
        go({ name: "chat", id: request.chatId, toRequest: request.request });
      break;
    case "review":
      if (!request.chatId || !raw().chats[request.chatId]) break;
      openReview(request.chatId, request.source || "working");
      if (requestListing(raw(), request.chatId)) reviewTrust(request.chatId);
      break;
    case "new":
      startNewChat(request.folder, request.text ?? "");
      break;
    case "settings": {
      const known = Object.keys(messages.settings.pages) as SettingsPage[];
      go({ name: "settings", page: known.find((page) => page === request.page) ?? "account" });
      break;
    }
    case "failed":
      notify({
        id: "navigation",
        text: messages.shell.failed.navigation,
        detail: request.message,
        failed: true,
      });
  }
}

/** createNavigation handles navigation requests for the lifetime of its owner. */
export function createNavigation(): void {
  const state = useStore();
  createEffect(
    on(
      () => (state.ready ? state.navigation?.id : undefined),
      () => {
        const request = raw().navigation;
        if (state.ready && request && isUnhandled(request)) follow(request);
      },
    ),
  );
}
