// What waits to be sent, seen and changed in its place.

import Pencil from "lucide-solid/icons/pencil";
import X from "lucide-solid/icons/x";
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Queued } from "../../state/words";
import { words } from "../../words";
import { Button, IconButton } from "../ui/Button";

export interface QueueProps {
  chatId: string;
  /** The message that is being edited; "" for none. */
  editing: string;
  onEdit(id: string): void;
  /** The focus goes back to the composer. */
  onDone(): void;
}

/** Queue lists the messages that wait for the chat to be free. */
export function Queue(props: QueueProps) {
  const state = useStore();
  const queue = () => select.queue(state, props.chatId);
  const ids = () => queue().map((queued) => queued.id);
  const paused = () => queue().some((queued) => queued.paused);
  return (
    <Show when={queue().length > 0}>
      <Show when={paused()}>
        <div class="queue-paused" role="status">
          <span class="grow">{words.chat.composer.paused}</span>
          <Button onClick={() => actions.resumeQueue(props.chatId)}>{words.chat.composer.resume}</Button>
        </div>
      </Show>
      <ol class="queue" aria-label={words.chat.composer.queued}>
        <For each={ids()}>
          {(id, at) => (
            <Show when={state.queued[id]}>
              {(queued) => (
                <li>
                  <span class="q num">{at() + 1}</span>
                  <Show
                    when={props.editing === id}
                    fallback={
                      <>
                        <span class="trunc grow">{queued().text}</span>
                        <IconButton
                          small
                          icon={Pencil}
                          label={words.chat.composer.edit(at() + 1)}
                          onClick={() => props.onEdit(id)}
                        />
                        <IconButton
                          small
                          icon={X}
                          label={words.chat.composer.remove(at() + 1)}
                          onClick={() => {
                            actions.removeQueued(props.chatId, id);
                            props.onDone();
                          }}
                        />
                      </>
                    }
                  >
                    <Editor queued={queued()} n={at() + 1} onDone={props.onDone} />
                  </Show>
                </li>
              )}
            </Show>
          )}
        </For>
      </ol>
    </Show>
  );
}

function Editor(props: { queued: Queued; n: number; onDone: () => void }) {
  let field!: HTMLTextAreaElement;
  const [text, setText] = createSignal(props.queued.text);
  const [failure, setFailure] = createSignal("");
  const save = () => {
    if (text().trim() === "") return;
    actions.editQueued(props.queued.id, text()).then(props.onDone, (thrown) => setFailure(thrown.message));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      props.onDone();
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
        aria-label={words.chat.composer.editing(props.n)}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Show when={failure()}>
        <p class="c-bad" role="alert">
          {failure()}
        </p>
      </Show>
      <div class="row">
        <Button onClick={save} disabled={text().trim() === ""}>
          {words.chat.composer.save}
        </Button>
        <Button look="ghost" onClick={() => props.onDone()}>
          {words.chat.composer.cancel}
        </Button>
      </div>
    </div>
  );
}
