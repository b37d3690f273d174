import { type Accessor, createMemo } from "solid-js";
import { unwrap } from "solid-js/store";
import { useStore } from "./store";
import type { Chat } from "./types";

/**
 * createChats is every chat, but those that were deleted. The reducer replaces a chat whole, so following
 * each entry is enough: the fields are read without a subscription each, which
 * for thousands of chats is most of the work.
 */
export function createChats(): Accessor<Chat[]> {
  const state = useStore();
  return createMemo(() =>
    Object.values(state.chats)
      .map((chat) => unwrap(chat))
      .filter((chat) => !chat.deletedAt),
  );
}
