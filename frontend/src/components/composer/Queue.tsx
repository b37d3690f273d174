// The queued messages, which can be edited, reordered or sent immediately.

import { createEffect, createSignal, For, on, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { QueueRow } from "./QueueRow";
import { beforeOf, indexAt, reorder } from "./queueOrder";
import "./queue.css";

export interface QueueProps {
  chatId: string;
  /** The message being edited; "" for none. */
  editing: string;
  onEdit(id: string): void;
  /** Called to return the focus to the composer. */
  onDone(): void;
}

/** Queue lists the messages that wait until the chat is idle. */
export function Queue(props: QueueProps) {
  const state = useStore();
  let list: HTMLOListElement | undefined;
  const queue = () => select.queue(state, props.chatId);
  const paused = () => queue().some((queued) => queued.paused);
  // The dragged row and its drop position; pendingMove is a requested move that isn't done yet.
  const [drag, setDrag] = createSignal<{ id: string; to: number }>();
  const [pendingMove, setPendingMove] = createSignal<{ id: string; to: number }>();
  const [moved, setMoved] = createSignal("");
  const known = () => queue().map((queued) => queued.id);
  const ids = () => {
    const move = drag() ?? pendingMove();
    return move ? reorder(known(), move.id, move.to) : known();
  };
  createEffect(
    on(
      () => known().join(),
      () => setPendingMove(undefined),
      { defer: true },
    ),
  );

  const move = (id: string, to: number) => {
    const all = ids();
    const place = Math.max(0, Math.min(to, all.length - 1));
    if (all.indexOf(id) === place) return;
    setPendingMove({ id, to: place });
    setMoved(messages.composer.queued.moved(place + 1, all.length));
    actions.moveQueued(props.chatId, id, beforeOf(all, id, place)).catch(() => setPendingMove(undefined));
    // A moved row loses the focus.
    queueMicrotask(() => list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] .q`)?.focus());
  };

  let endDrag = () => {};
  onCleanup(() => endDrag());
  const onPointerDown = (id: string, event: PointerEvent) => {
    if (event.button !== 0 || !list) return;
    event.preventDefault();
    const rows = [...list.children].map((row) => row.getBoundingClientRect());
    const onMove = (at: PointerEvent) => setDrag({ id, to: indexAt(rows, at.clientY) });
    const onEnd = (at: PointerEvent) => {
      const to = drag()?.to;
      endDrag();
      if (at.type === "pointerup" && to !== undefined) move(id, to);
    };
    // The listeners are on the window, because the row moves while it is dragged, and a moved element loses
    // pointer capture.
    endDrag = () => {
      setDrag(undefined);
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onEnd);
      window.removeEventListener("pointercancel", onEnd);
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onEnd);
    window.addEventListener("pointercancel", onEnd);
  };

  return (
    <Show when={queue().length > 0}>
      <Show when={paused()}>
        <div class="queue-paused" role="status">
          <span class="grow">{messages.composer.queued.paused}</span>
          <Button onClick={() => actions.resumeQueue(props.chatId)}>{messages.composer.queued.resume}</Button>
        </div>
      </Show>
      <ol ref={list} class="queue" aria-label={messages.composer.queued.list}>
        <For each={ids()}>
          {(id, at) => (
            <Show when={state.queued[id]}>
              {(queued) => (
                <QueueRow
                  queued={queued()}
                  n={at() + 1}
                  editing={props.editing === id}
                  dragged={drag()?.id === id}
                  onEdit={() => props.onEdit(id)}
                  onDone={props.onDone}
                  onPointerDown={(event) => onPointerDown(id, event)}
                  onMove={(by) => move(id, at() + by)}
                />
              )}
            </Show>
          )}
        </For>
      </ol>
      <span class="sr" role="status">
        {moved()}
      </span>
    </Show>
  );
}
