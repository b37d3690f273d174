// The user's earlier messages of a chat, called back with Up and left with
// Down, as in a shell. Only an empty composer calls them back.

import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { raw } from "../../state/store";
import { wholeOf } from "../../state/text";
import type { Item } from "../../state/words";

/** earlier are the user's messages of a chat that are loaded, the newest first. */
function earlier(chatId: string): Item[] {
  const { pages, items } = raw();
  const order = pages[chatId]?.order ?? [];
  return order.flatMap((id) => (items[id]?.kind === "user" ? [items[id] as Item] : [])).reverse();
}

/** createHistory walks the messages of one chat. */
export function createHistory(chatId: string) {
  let at = -1;
  let shown = "";
  /** A step is ignored that was overtaken by the next one. */
  let step = 0;

  const isEmpty = () => composer.draft(chatId).text === "" && composer.attached(chatId).length === 0;
  const isShown = () => at >= 0 && composer.draft(chatId).text === shown && composer.isAsPutIn(chatId);

  const go = async (to: number, item: Item | undefined) => {
    const mine = ++step;
    const { text: was, with: had } = composer.draft(chatId);
    const id = item?.id ?? "";
    const held = raw().texts[id];
    if (held && held.known < held.size) await actions.pullText(id).catch(() => {});
    // What was typed while the text came is worth more than it.
    const now = composer.draft(chatId);
    if (mine !== step || now.text !== was || now.with.length !== had.length) return;
    at = to;
    shown = wholeOf(raw().texts[id]);
    composer.show(chatId, { text: shown, with: item?.with ?? [] });
  };

  return {
    /** An older message; whether there is one to show. */
    up(): boolean {
      if (!isShown()) at = -1;
      if (at < 0 && !isEmpty()) return false;
      const all = earlier(chatId);
      if (at + 2 >= all.length) actions.loadOlder(chatId);
      const item = all[at + 1];
      if (!item) return at >= 0;
      go(at + 1, item);
      return true;
    },
    /** A newer one, and then what was there before. */
    down(): boolean {
      // What was changed stays: it is a message of its own now.
      if (!isShown()) return composer.isAsPutIn(chatId) && composer.giveBack(chatId);
      if (at === 0 && composer.giveBack(chatId)) at = -1;
      else go(at - 1, at > 0 ? earlier(chatId)[at - 1] : undefined);
      return true;
    },
  };
}
