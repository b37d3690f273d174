// The area below the transcript: the current condition, the queue and the composer.

import CircleX from "lucide-solid/icons/circle-x";
import Hand from "lucide-solid/icons/hand";
import { createEffect, createSignal, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions, failureOf } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { hiddenRequest, showRequest } from "../../state/transcriptView";
import type { Permission } from "../../state/types";
import { Banner } from "../banner/Banner";
import { Condition } from "../banner/Condition";
import { ContextFull } from "../banner/ContextFull";
import { EditNote } from "../goback/EditNote";
import { announcementOf, questionLine, requestSummary } from "../transcript/tool";
import { Masked } from "../trust/Masked";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Composer } from "./Composer";
import { Queue } from "./Queue";
import { hasUnsavedEdit } from "./QueueRow";
import "./composer.css";

/** WaitBar lets the user scroll back to a pending request that is out of view. */
function WaitBar(props: { chatId: string }) {
  const state = useStore();
  const request = () => state.permissions[hiddenRequest(props.chatId) ?? ""];
  const wants = (open: Permission) => {
    const { who, session } = select.requesterOf(state, open);
    const by = messages.chat.request.requester(who, visibleText(session));
    return open.question
      ? announcementOf(open, by, questionLine(open))
      : messages.chat.request.wants(by, requestSummary(open));
  };
  return (
    <Show when={request()?.state === "open" ? request() : undefined}>
      {(open) => (
        <div
          class="waitbar"
          role="status"
          aria-label={messages.chat.request.waitBar(select.requesterOf(state, open()).who)}
        >
          <Icon of={Hand} size="sm" />
          <span class="trunc">{wants(open())}</span>
          <span class="grow" />
          <Button onClick={() => showRequest(props.chatId)}>{messages.chat.request.show}</Button>
        </div>
      )}
    </Show>
  );
}

/** Dock is the lower part of a chat. */
export function Dock(props: { chatId: string }) {
  const state = useStore();
  let dock!: HTMLDivElement;
  const [editing, setEditing] = createSignal("");
  createEffect(
    on(
      () => props.chatId,
      (chatId) =>
        setEditing(select.queue(state, chatId).find((queued) => hasUnsavedEdit(queued.id))?.id ?? ""),
    ),
  );
  const toComposer = () => dock.querySelector<HTMLElement>(".composer textarea")?.focus();
  return (
    <div class="dock" ref={dock}>
      <div>
        <Condition chatId={props.chatId} />
        <Show when={failureOf(props.chatId)}>
          {(failure) => (
            <div class="condition">
              <Banner
                tone="bad"
                label={failure().message}
                icon={CircleX}
                onDismiss={() => actions.dismissFailure(props.chatId)}
              >
                {failure().message}
              </Banner>
            </div>
          )}
        </Show>
        <Masked chatId={props.chatId} />
        <ContextFull chatId={props.chatId} />
        <Show when={select.isPractice(state.chats[props.chatId])}>
          <p class="hint practice">{messages.composer.practice}</p>
        </Show>
        <WaitBar chatId={props.chatId} />
        <Queue
          chatId={props.chatId}
          editing={editing()}
          onEdit={setEditing}
          onDone={() => {
            setEditing("");
            toComposer();
          }}
        />
        <EditNote chatId={props.chatId} onCancel={toComposer} />
        <Show keyed when={props.chatId}>
          {(chatId) => (
            <Composer
              chatId={chatId}
              onEditLast={() => {
                const last = select.queue(state, chatId).at(-1);
                setEditing(last?.id ?? "");
                return last !== undefined;
              }}
            />
          )}
        </Show>
      </div>
    </div>
  );
}
