// Switching between chats by keys, in the order in which they were last on screen.
// While the key is held the order stays, and the list is on screen.

import { createSignal } from "solid-js";
import { go, screen, visits } from "./screen";
import { raw } from "./store";
import type { Chat } from "./types";

/** How many chats can be switched between. */
const most = 12;

/** What is switched between, and which chat is next. */
export interface Switching {
  ids: readonly string[];
  at: number;
}

const [switching, setSwitching] = createSignal<Switching>();

export { switching };

/** recentChats are the chats by when they were last on screen; others follow by their last activity. */
export function recentChats(): Chat[] {
  const chats = Object.values(raw().chats).filter((chat) => !chat.deletedAt);
  const order = new Map(visits().map((id, at) => [id, at]));
  const place = (chat: Chat) => order.get(chat.id) ?? order.size;
  return chats
    .filter((chat) => order.has(chat.id) || !chat.archived)
    .sort((a, b) => place(a) - place(b) || b.updatedAt - a.updatedAt)
    .slice(0, most);
}

const openId = () => {
  const now = screen();
  return now.name === "chat" ? now.id : "";
};

/** switchChat moves on by a step. Keys that are held show the list first; else the chat opens at once. */
export function switchChat(step: 1 | -1, held: boolean): void {
  const ids = recentChats().map((chat) => chat.id);
  const isOpen = ids[0] === openId();
  if (ids.length < (isOpen ? 2 : 1)) return;
  const from = isOpen ? 0 : step > 0 ? -1 : 0;
  const at = (from + step + ids.length) % ids.length;
  if (held) setSwitching({ ids, at });
  else go({ name: "chat", id: ids[at] as string });
}

/** moveSwitch moves on within the list. */
export function moveSwitch(step: number): void {
  setSwitching((now) => now && { ...now, at: (now.at + step + now.ids.length) % now.ids.length });
}

/** endSwitch takes the list away, and opens the chat at a place of it. */
export function endSwitch(at?: number): void {
  const id = at === undefined ? undefined : switching()?.ids[at];
  setSwitching(undefined);
  if (id !== undefined && raw().chats[id] && id !== openId()) go({ name: "chat", id });
}
