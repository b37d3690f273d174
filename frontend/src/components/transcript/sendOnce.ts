// Buttons that send a message. A second click comes before the app has answered
// the first one, and must not send it twice.

import { createEffect, on } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { setSentItem } from "../../state/transcriptView";
import type { Attachment } from "../../state/types";

/**
 * createOnce returns what does a piece of work for a chat, once until that failed
 * or the chat went on; busy is whoever else does it.
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
  // What waited may be taken out of the queue again.
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

/** createSend returns what sends a message once; why is told to the log if it fails. */
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
