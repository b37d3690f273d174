// Recalls the user's earlier messages in a chat: Up shows older ones and Down newer ones, up to the draft, as in a
// shell. Recalling starts only in an empty composer.

import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { raw } from "../../state/store";
import type { Item } from "../../state/types";

/** userMessages returns the user's messages from `items`, newest first. */
function userMessages(items: readonly (Item | undefined)[]): Item[] {
  return items.flatMap((item) => (item?.kind === "user" ? [item] : [])).reverse();
}

/** createHistory lets the user step through the messages that they sent in a chat. */
export function createHistory(chatId: string) {
  let at = -1;
  let shown = "";
  /** The known messages, newest first; `before` is the position from which to load earlier ones. */
  let all: Item[] = [];
  let before = 0;
  let request: object | undefined;
  /** Index of the message that the user requested with Up but that isn't loaded yet, or -1. */
  let wanted = -1;
  /** The end of the chat when navigation started: the loaded page, and the ID of the user's newest message. */
  let end: { page: unknown; newest: string | undefined } | undefined;
  /** Number of the latest step. The result of a step is ignored once a newer step has started. */
  let step = 0;

  const isEmpty = () => composer.draft(chatId).text === "" && composer.sentAttachments(chatId).length === 0;
  const isShown = () => at >= 0 && composer.draft(chatId).text === shown && composer.isUnchangedFill(chatId);

  /**
   * begin starts navigating at the end of the chat, regardless of the part shown in the transcript. If
   * the end hasn't changed, the loaded messages are reused.
   */
  const begin = () => {
    const { pages, items } = raw();
    const page = pages[chatId];
    const held = userMessages((page?.order ?? []).map((id) => items[id]));
    const newest = held[0]?.id ?? page?.lastUserItem;
    if (end?.page === page && end?.newest === newest) return;
    end = { page, newest };
    all = held;
    before = page?.before ?? 0;
    request = undefined;
  };

  /**
   * Loads earlier pages until one contains a message from the user, and then shows the message that the user requested
   * with Up, if any.
   */
  const more = () => {
    if (before === 0 || request) return;
    const walked = {};
    request = walked;
    actions.excerpt(chatId, before).then(
      (page) => {
        if (request !== walked) return;
        request = undefined;
        before = page.before ?? 0;
        const found = userMessages(page.events.map((event) => event.item));
        all.push(...found);
        if (found.length === 0) return more();
        const item = all[wanted];
        if (item && wanted === at + 1 && (at < 0 ? isEmpty() : isShown())) go(wanted, item);
        wanted = -1;
      },
      (thrown) => {
        if (request === walked) {
          request = undefined;
          wanted = -1;
        }
        actions.log("warn", `earlier messages: ${thrown.message}`);
      },
    );
  };

  const go = async (to: number, item: Item | undefined) => {
    const own = ++step;
    const { text: was, attachments: had } = composer.draft(chatId);
    const text = item ? await actions.wholeText(item.id).catch(() => undefined) : "";
    if (text === undefined) return;
    // Text typed while the message was loading takes precedence.
    const now = composer.draft(chatId);
    if (own !== step || now.text !== was || now.attachments.length !== had.length) return;
    at = to;
    shown = text;
    composer.show(chatId, { text: shown, attachments: item?.with ?? [] });
  };

  return {
    /** Shows an older message, if there is one, and returns whether the key was handled. */
    up(): boolean {
      wanted = -1;
      if (!isShown()) at = -1;
      if (at < 0 && !isEmpty()) return false;
      if (at < 0) begin();
      if (at + 2 >= all.length) more();
      const item = all[at + 1];
      if (!item) {
        if (request) wanted = at + 1;
        return at >= 0;
      }
      go(at + 1, item);
      return true;
    },
    /** Shows a newer message or, after the newest one, the draft, and returns whether the key was handled. */
    down(): boolean {
      wanted = -1;
      // An edited message stays: it is a new draft.
      if (!isShown()) return composer.isUnchangedFill(chatId) && composer.restoreAside(chatId);
      if (at === 0 && composer.restoreAside(chatId)) at = -1;
      else go(at - 1, at > 0 ? all[at - 1] : undefined);
      return true;
    },
  };
}
