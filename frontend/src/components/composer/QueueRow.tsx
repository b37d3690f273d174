// One queued message.

import ArrowUp from "lucide-solid/icons/arrow-up";
import Pencil from "lucide-solid/icons/pencil";
import X from "lucide-solid/icons/x";
import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { raw } from "../../state/store";
import type { QueuedPrompt } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { kindIcon } from "./Attachments";
import "./queue.css";

const t = messages.composer.queued;

export interface QueueRowProps {
  queued: QueuedPrompt;
  n: number;
  editing: boolean;
  dragged: boolean;
  onEdit(): void;
  onDone(): void;
  onMove(by: 1 | -1): void;
  onPointerDown(event: PointerEvent): void;
}

export function QueueRow(props: QueueRowProps) {
  const attached = () => (props.queued.with ?? []).filter((one) => one.kind !== "mention");
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key as "ArrowUp" | "ArrowDown"];
    if (!by || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // The transcript uses these keys to move between messages.
    event.stopPropagation();
    props.onMove(by);
  };
  return (
    <li data-id={props.queued.id} classList={{ dragged: props.dragged }} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="q num"
        aria-label={t.move(props.n)}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        title={t.moveHint}
        onPointerDown={(event) => props.onPointerDown(event)}
      >
        {props.n}
      </button>
      <Show
        when={props.editing}
        fallback={
          <>
            <span class="trunc grow">{props.queued.text}</span>
            <Show when={attached()[0]}>
              {(first) => (
                <span
                  class="q-with"
                  title={attached()
                    .map((one) => one.name)
                    .join("\n")}
                >
                  <Icon of={kindIcon(first())} size="sm" />
                  <span class="trunc">
                    {attached().length === 1
                      ? first().name
                      : messages.composer.attachments.some(attached().length)}
                  </span>
                </span>
              )}
            </Show>
            <IconButton
              small
              class="q-now"
              icon={ArrowUp}
              label={t.sendNow(props.n)}
              onClick={() => {
                actions.sendQueuedNow(props.queued.chatId, props.queued.id);
                props.onDone();
              }}
            />
            <IconButton small icon={Pencil} label={t.edit(props.n)} onClick={() => props.onEdit()} />
            <IconButton
              small
              icon={X}
              label={t.remove(props.n)}
              onClick={() => {
                actions.removeQueued(props.queued.chatId, props.queued.id);
                props.onDone();
              }}
            />
          </>
        }
      >
        <Editor queued={props.queued} n={props.n} onDone={props.onDone} />
      </Show>
    </li>
  );
}

/**
 * Unsaved edits by message ID. A message with an unsaved edit isn't sent, and its editor shows the edit
 * when it is reopened.
 */
const unsavedEdits = new Map<string, string>();

/** hasUnsavedEdit reports whether the message has an unsaved edit. */
export const hasUnsavedEdit = (id: string) => unsavedEdits.has(id);

function Editor(props: { queued: QueuedPrompt; n: number; onDone: () => void }) {
  let field!: HTMLTextAreaElement;
  const { id, chatId, text: was } = props.queued;
  const [text, setText] = createSignal(unsavedEdits.get(id) ?? was);
  let done = false;
  actions.beginEdit(id);
  const close = () => {
    done = true;
    unsavedEdits.delete(id);
    props.onDone();
  };
  onCleanup(() => {
    const now = text();
    if (done || now === was || now.trim() === "") {
      unsavedEdits.delete(id);
      actions.endEdit(id);
      return;
    }
    if (raw().queued[id]) unsavedEdits.set(id, now);
    else {
      // The message is no longer queued, so its edit moves to the composer.
      unsavedEdits.delete(id);
      queueMicrotask(() => composer.fill(chatId, now));
    }
  });
  const [failure, setFailure] = createSignal("");
  // A message may consist of attachments alone.
  const isEmpty = () => text().trim() === "" && !props.queued.with?.length;
  const save = () => {
    if (isEmpty()) return;
    actions.editQueued(props.queued.id, text()).then(close, (thrown) => setFailure(thrown.message));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  createEffect(
    on(
      () => props.queued.id,
      () => {
        field.focus();
        field.setSelectionRange(field.value.length, field.value.length);
      },
    ),
  );
  return (
    <div class="queue-editor grow">
      <textarea
        ref={field}
        class="sel"
        rows={Math.min(6, text().split("\n").length)}
        aria-label={t.editing(props.n)}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Failure text={failure()} class="c-bad" />
      <div class="row">
        <Button onClick={save} disabled={isEmpty()}>
          {t.save}
        </Button>
        <Button look="ghost" onClick={close}>
          {t.cancel}
        </Button>
      </div>
    </div>
  );
}
