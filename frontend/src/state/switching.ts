// Switching between chats by keyboard, most recently used first. While the modifier is down, the order is
// frozen and the list is visible.

import { createSignal } from "solid-js";
import { go, screen, visits } from "./screen";
import { raw } from "./store";
import type { Chat } from "./types";

/** Maximum number of chats in the list. */
const maxChats = 12;

/** The chats in the list, and the selected one. */
export interface Switching {
  ids: readonly string[];
  at: number;
}

const [switching, setSwitching] = createSignal<Switching>();

export { switching };

/**
 * recentChats returns the visited chats, most recently visited first, then the other unarchived chats,
 * most recently active first. It returns at most maxChats.
 */
export function recentChats(): Chat[] {
  const chats = Object.values(raw().chats).filter((chat) => !chat.deletedAt);
  const order = new Map(visits().map((id, at) => [id, at]));
  const place = (chat: Chat) => order.get(chat.id) ?? order.size;
  return chats
    .filter((chat) => order.has(chat.id) || !chat.archived)
    .sort((a, b) => place(a) - place(b) || b.updatedAt - a.updatedAt)
    .slice(0, maxChats);
}

const openId = () => {
  const now = screen();
  return now.name === "chat" ? now.id : "";
};

/**
 * switchChat moves the selection by one step. If `held` is set, the keys are still down, so it shows the
 * list; otherwise it opens the chat immediately.
 */
export function switchChat(step: 1 | -1, held: boolean): void {
  const ids = recentChats().map((chat) => chat.id);
  const isOpen = ids[0] === openId();
  if (ids.length < (isOpen ? 2 : 1)) return;
  const from = isOpen ? 0 : step > 0 ? -1 : 0;
  const at = (from + step + ids.length) % ids.length;
  if (held) setSwitching({ ids, at });
  else go({ name: "chat", id: ids[at] as string });
}

/** moveSwitch moves the selection within the list. */
export function moveSwitch(step: number): void {
  setSwitching((now) => now && { ...now, at: (now.at + step + now.ids.length) % now.ids.length });
}

/** endSwitch closes the list and opens the chat at the given index, if any. */
export function endSwitch(at?: number): void {
  const id = at === undefined ? undefined : switching()?.ids[at];
  setSwitching(undefined);
  if (id !== undefined && raw().chats[id] && id !== openId()) go({ name: "chat", id });
}
