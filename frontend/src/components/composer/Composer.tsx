// The message field of a chat. Enter sends the message, or queues it while a turn is running. Unsent text is kept as a
// draft.

import { createEffect, createMemo, on, onCleanup, onMount } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { readOnlyReason, takesDraft } from "../../state/readOnly";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { listedCommands } from "../../state/typedCommands";
import { createAttach } from "./attach";
import { Context } from "./Context";
import { onFirstLine, onLastLine } from "./field";
import { createHistory } from "./history";
import { MessageForm } from "./MessageForm";
import { ChatPickers } from "./Pickers";
import { placeholderOf } from "./placeholder";
import { SendButtons } from "./SendButtons";
import { createSend, tooLarge } from "./send";
import "./composer.css";

export interface ComposerProps {
  chatId: string;
  /**
   * Starts editing the last queued message when the user presses Up in an empty composer. Returns false
   * if the queue is empty.
   */
  onEditLast(): boolean;
}

/** Composer is the form below a transcript. */
export function Composer(props: ComposerProps) {
  const state = useStore();
  // Dock creates a new composer for each chat, so chatId never changes.
  const { chatId } = props;
  let field!: HTMLTextAreaElement;
  const chat = () => state.chats[chatId];
  const readOnly = () => readOnlyReason(state, chatId);
  const isFixed = () => readOnly() !== "" && !takesDraft(state, chatId);
  const attachments = createMemo(() => composer.sentAttachments(chatId));

  const intake = createAttach({
    chatId,
    count: () => attachments().length,
    attach: (attachment) => composer.attach(chatId, attachment),
    takesImages: () => !!chat()?.mainId || select.connection(state, chatId).can?.image !== false,
    who: () => select.modelOrAgent(state, chat()),
    onFailed: () => giveUp(),
    isReadOnly: isFixed,
  });
  const { sending, failure, setFailure, hint, clearHint, isEmpty, send, sendPending, giveUp } = createSend(
    chatId,
    () => intake.pending().length > 0,
  );
  /** The commands of the agent's session, followed by VoxPilot's own commands. */
  const commands = createMemo(() => {
    const declared = select.answeringSession(state, chatId)?.commands ?? [];
    return [...declared, ...listedCommands(declared)];
  });
  createEffect(on(intake.pending, (pending) => pending.length === 0 && sendPending(), { defer: true }));
  const history = createHistory(chatId);

  onMount(() => {
    window.addEventListener("pagehide", composer.saveAll);
    window.addEventListener("blur", composer.saveAll);
  });
  onCleanup(() => {
    window.removeEventListener("pagehide", composer.saveAll);
    window.removeEventListener("blur", composer.saveAll);
    composer.saveNow(chatId);
  });

  const sendIfWritable = () => {
    if (readOnly() === "") send();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      sendIfWritable();
    } else if (event.key === "ArrowUp" && onFirstLine(field)) {
      if ((isEmpty() && props.onEditLast()) || history.up()) event.preventDefault();
    } else if (event.key === "ArrowDown" && onLastLine(field)) {
      if (history.down()) event.preventDefault();
    }
  };

  return (
    <MessageForm
      label={messages.composer.label}
      name={messages.composer.message}
      placeholder={placeholderOf(state, chatId)}
      text={composer.draft(chatId).text}
      onText={(text) => {
        composer.write(chatId, text);
        setFailure("");
        clearHint();
      }}
      attachments={attachments()}
      onDetach={(attachment) => composer.detach(chatId, attachment)}
      attach={intake}
      folder={chat()?.folder ?? ""}
      files={(typed, limit) => actions.files(chatId, typed, limit)}
      commands={commands()}
      fillCount={composer.fillCount(chatId)}
      failure={failure()}
      // The placeholder usually shows the reason, but text hides the placeholder.
      hint={readOnly() !== "" && composer.draft(chatId).text !== "" ? readOnly() : hint()}
      isReadOnly={isFixed()}
      onKey={onKey}
      rejectsPaste={(text) => {
        const wrong = tooLarge(text, messages.composer.pasteTooLarge);
        if (wrong !== "") setFailure(wrong);
        return wrong !== "";
      }}
      onSend={sendIfWritable}
      ref={(element) => {
        field = element;
      }}
    >
      <ChatPickers chatId={chatId} />
      <span class="grow" />
      <Context chatId={chatId} />
      <SendButtons chatId={chatId} idle={isEmpty() || sending() || readOnly() !== ""} />
    </MessageForm>
  );
}
