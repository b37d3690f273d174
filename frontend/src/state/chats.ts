import { type Accessor, createMemo } from "solid-js";
import { unwrap } from "solid-js/store";
import { useStore } from "./store";
import type { Chat } from "./types";

/**
 * createChats returns an accessor for all chats that aren't deleted. The reducer always replaces a whole chat, so
 * tracking each entry is enough. The fields of a chat are read untracked: with thousands of chats, subscriptions to
 * fields would dominate the cost.
 */
export function createChats(): Accessor<Chat[]> {
  const state = useStore();
  return createMemo(() =>
    Object.values(state.chats)
      .map((chat) => unwrap(chat))
      .filter((chat) => !chat.deletedAt),
  );
}
