// Buttons that send a message. A second click before the app responds must not send the message twice.

import { createEffect, on } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { setSentItem } from "../../state/transcriptView";
import type { Attachment } from "../../state/types";

/**
 * createOnce returns a function that runs an action for a chat and then ignores further calls. It accepts calls again
 * after any of these events: the action fails, the chat's turn state changes, the value of `busy` changes, or a message
 * leaves the queue.
 */
export function createOnce(chatId: () => string, busy: () => boolean = () => false) {
  const state = useStore();
  let isSent = false;
  createEffect(
    on(
      [() => state.chats[chatId()]?.turnState, busy],
      () => {
        isSent = false;
      },
      { defer: true },
    ),
  );
  // If the message was queued, it may be removed from the queue, and then sent again.
  createEffect<number>((before) => {
    const now = select.queue(state, chatId()).length;
    if (now < before) isSent = false;
    return now;
  }, 0);
  return (work: () => Promise<unknown>) => {
    if (isSent) return;
    isSent = true;
    work().catch(() => {
      isSent = false;
    });
  };
}

/**
 * createSend returns a function that sends a message and ignores repeated calls. If sending fails, `why` is the start
 * of the log entry.
 */
export function createSend(chatId: () => string, why: string) {
  const once = createOnce(chatId);
  return (text: string, attachments: Attachment[] = []) =>
    once(() =>
      actions.send(chatId(), text, attachments).then(setSentItem, (thrown) => {
        actions.log("warn", `${why}: ${thrown.message}`);
        throw thrown;
      }),
    );
}
