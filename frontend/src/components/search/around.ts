// The part of a chat around what was found, read from a page of events without
// bringing the chat into the store.

import { openPage, reduce } from "../../state/reduce";
import { newState } from "../../state/state";
import { wholeOf } from "../../state/text";
import type { Event, Hit, Item } from "../../state/words";
import { words } from "../../words";
import { targetOf } from "../transcript/tool";

/** One entry of a chat, in few words. */
export interface Excerpt {
  id: string;
  kind: "user" | "message" | "tool" | "block" | "note";
  at: number;
  text: string;
}

/** How much of a text is shown, and how many entries before and behind what was found. */
const textLetters = 6000;
const entriesBefore = 1;
const entriesBehind = 5;

function cut(text: string): string {
  return text.length <= textLetters ? text : `${text.slice(0, textLetters)}…`;
}

/** around are the entries of a page that stand around a hit; all of its end where the hit is the chat's title. */
export function around(events: readonly Event[], hit: Hit): Excerpt[] {
  const state = newState();
  openPage(state, hit.chatId);
  for (const event of events) reduce(state, event);
  const textOf = (item: Item): string => {
    switch (item.kind) {
      case "tool":
        return item.tool ? targetOf(item.tool, hit.folder) || item.tool.title : "";
      case "block":
        return item.block ? words.search.blockOf(item.block.sessionName) : "";
      default:
        return wholeOf(state.texts[item.id]);
    }
  };
  const kinds: Excerpt["kind"][] = ["user", "message", "tool", "block", "note"];
  const list = (state.pages[hit.chatId]?.order ?? []).flatMap((id) => {
    const item = state.items[id];
    const kind = kinds.find((each) => each === item?.kind);
    const text = item && kind ? cut(textOf(item)) : "";
    return item && kind && text !== "" ? [{ id, kind, at: item.createdAt, text }] : [];
  });
  if (!hit.itemId) return list.slice(-(entriesBefore + entriesBehind));
  const at = list.findIndex((entry) => entry.id === (hit.parentId || hit.itemId));
  return at < 0 ? [] : list.slice(Math.max(0, at - entriesBefore), at + entriesBehind + 1);
}
