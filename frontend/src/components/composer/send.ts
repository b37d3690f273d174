// Sends the composer's message. The message stays in the composer until the app has accepted it.

import { createSignal } from "solid-js";
import { messages } from "../../i18n";
import { count, utf8Size } from "../../lib/format";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { editedMessage, goBackForEdit } from "../../state/goBack";
import { noteCommand } from "../../state/recentCommands";
import { select } from "../../state/select";
import { raw } from "../../state/store";
import { setSentItem } from "../../state/transcriptView";
import { runTyped } from "../../state/typedCommands";
import { MaxPromptBytes } from "../../state/types";

/** tooLarge returns "" if `text` is short enough for a message, and otherwise an error message formatted by `say`. */
export function tooLarge(text: string, say: (size: string, max: string) => string): string {
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (text.length * 3 <= MaxPromptBytes) return "";
  const size = utf8Size(text);
  return size > MaxPromptBytes ? say(count(size), count(MaxPromptBytes)) : "";
}

/** createSend returns functions that send the content of a chat's composer. */
export function createSend(chatId: string, isReading: () => boolean) {
  const [sending, setSending] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const [hint, setHint] = createSignal("");
  /** The text for which the hint was shown: sending it again sends it as a message. */
  let hinted = "";
  // Whether Enter was pressed while the previous message was being stored or an attachment was being read.
  let again = false;

  const isEmpty = () =>
    composer.draft(chatId).text.trim() === "" && composer.sentAttachments(chatId).length === 0;
  const send = (): void => {
    if (isEmpty()) return;
    if (sending() || isReading()) {
      again = true;
      return;
    }
    const { text } = composer.draft(chatId);
    const message = { text, attachments: composer.sentAttachments(chatId) };
    const wrong = tooLarge(text, messages.composer.tooLarge);
    setFailure(wrong);
    if (wrong !== "") return;
    if (text !== hinted && runOwn(text)) return;
    clearHint();
    setSending(true);
    const sent = () => actions.send(chatId, text, message.attachments);
    (editedMessage(chatId) ? goBackForEdit(chatId).then(sent) : sent()).then(
      (id) => {
        setSentItem(id);
        noteCommand(text);
        setSending(false);
        composer.removeSent(chatId, message);
        sendPending();
      },
      (thrown) => {
        setSending(false);
        again = false;
        setFailure(thrown.message);
        composer.saveNow(chatId);
      },
    );
  };
  /**
   * runOwn runs the VoxPilot command at the start of the text, or shows a hint about it. It returns false if there
   * is no such command.
   */
  const runOwn = (text: string): boolean => {
    const state = raw();
    const declared = select.answeringSession(state, chatId)?.commands ?? [];
    const typed = runTyped(text, declared, state.chats[chatId], (rest) => {
      composer.removeSent(chatId, { text: text.slice(0, text.length - rest.length), attachments: [] });
    });
    if (!typed) return false;
    noteCommand(text);
    hinted = typed.hint === "" ? "" : text;
    setHint(typed.hint);
    return true;
  };
  const clearHint = () => {
    hinted = "";
    setHint("");
  };
  const sendPending = () => {
    if (!again) return;
    again = false;
    send();
  };
  /**
   * giveUp cancels a pending send after an attachment has failed, since the user doesn't expect the message
   * to be sent without it.
   */
  const giveUp = () => {
    again = false;
  };
  return { sending, failure, setFailure, hint, clearHint, isEmpty, send, sendPending, giveUp };
}
