// The message form of a new chat. It stores the attachments, because the chat doesn't exist yet.

import ArrowUp from "lucide-solid/icons/arrow-up";
import { createEffect, createMemo, createSignal, type JSX, on } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { draftAttachments } from "../../state/draftAttachments";
import { listedCommands, runTyped } from "../../state/typedCommands";
import type { Attachment } from "../../state/types";
import { createAttach } from "../composer/attach";
import { MessageForm } from "../composer/MessageForm";
import { Icon } from "../ui/Icon";

const t = messages.newChat;

export interface FirstMessageProps {
  text: string;
  onText(text: string): void;
  /** The folder whose files can be mentioned, or "" for none. */
  folder: string;
  placeholder: string;
  who: string;
  /** Whether everything except the message itself is ready for sending. */
  canSend: boolean;
  onSend(text: string, attachments: Attachment[]): void;
  /** Called when the user tries to send a message that can't be sent yet. */
  onBlocked(): void;
  ref(field: HTMLTextAreaElement): void;
  /** Content of the bar: the pickers. */
  children: JSX.Element;
}

export function FirstMessage(props: FirstMessageProps) {
  const attachments = createMemo(() => draftAttachments.forText(props.text, props.folder));

  // Whether to send the message as soon as its attachments have been read.
  let again = false;
  const intake = createAttach({
    chatId: "",
    count: () => attachments().length,
    attach: draftAttachments.add,
    takesImages: () => true,
    who: () => props.who,
    onFailed: () => {
      again = false;
    },
  });
  const isEmpty = () => props.text.trim() === "" && attachments().length === 0;
  const canSend = () => props.canSend && (!isEmpty() || intake.pending().length > 0);
  const [hint, setHint] = createSignal("");
  /**
   * The command for which the hint is shown. If the user sends the same text again, it is sent as a
   * message.
   */
  let hinted = "";
  const runOwn = (): boolean => {
    const { text } = props;
    if (text === hinted) return false;
    const typed = runTyped(text, [], undefined, props.onText);
    hinted = typed?.hint ? text : "";
    setHint(typed?.hint ?? "");
    return typed !== undefined;
  };
  const send = () => {
    again = false;
    if (runOwn()) return;
    if (!canSend()) {
      if (!isEmpty()) props.onBlocked();
      return;
    }
    again = intake.pending().length > 0;
    if (!again) props.onSend(props.text, attachments());
  };
  createEffect(on(intake.pending, (pending) => pending.length === 0 && again && send(), { defer: true }));

  return (
    <MessageForm
      label={t.composer}
      name={t.message}
      placeholder={props.placeholder}
      text={props.text}
      onText={(text) => {
        // Typing cancels the pending send.
        again = false;
        hinted = "";
        setHint("");
        props.onText(text);
      }}
      attachments={attachments()}
      onDetach={draftAttachments.remove}
      attach={intake}
      folder={props.folder}
      files={(typed, limit) => actions.filesIn(props.folder, typed, limit)}
      commands={listedCommands([], true)}
      hint={hint()}
      onKey={(event) => {
        if (event.key !== "Enter" || event.shiftKey) return;
        event.preventDefault();
        send();
      }}
      onSend={send}
      ref={props.ref}
    >
      {props.children}
      <span class="grow" />
      <button type="submit" class="send" aria-label={t.send} disabled={!canSend()}>
        <Icon of={ArrowUp} />
      </button>
    </MessageForm>
  );
}
