// The button in a turn's last row that undoes the turn's changes, and the line with the Redo button that
// then replaces the row.

import Undo2 from "lucide-solid/icons/undo-2";
import { createUniqueId, onCleanup, Show, untrack } from "solid-js";
import { messages } from "../../i18n";
import { keysOf } from "../../state/commands";
import type { TurnUndo } from "../../state/types";
import { busyTurn, startUndo } from "../../state/undo";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import "../banner/banner.css";
import "./undo.css";

const t = messages.undo;

/**
 * focusUndo focuses the button that undoes or redoes a turn's changes, and reports whether there is such
 * a button.
 */
export function focusUndo(turnId: string): boolean {
  const button = document.querySelector<HTMLElement>(`[data-undo="${CSS.escape(turnId)}"]`);
  button?.focus();
  return button !== null;
}

/**
 * createFocusKeeper returns a ref for a turn's button. If the button has the focus when it is replaced, the
 * focus moves to its replacement.
 */
function createFocusKeeper(turnId: string) {
  let button: HTMLButtonElement | undefined;
  onCleanup(() => {
    if (!button || document.activeElement !== button) return;
    queueMicrotask(() => document.activeElement === document.body && focusUndo(turnId));
  });
  return (element: HTMLButtonElement) => {
    button = element;
  };
}

/** UndoButton undoes a turn's changes, or explains why that isn't possible. */
export function UndoButton(props: { undo: TurnUndo }) {
  const ref = createFocusKeeper(untrack(() => props.undo.turnId));
  const id = createUniqueId();
  const isUnavailable = () => props.undo.state === "unavailable";
  const note = () => {
    if (isUnavailable()) return props.undo.reason || t.unavailable;
    return props.undo.edgesOnly ? t.edgesOnly : "";
  };
  return (
    <>
      <button
        ref={ref}
        type="button"
        class="hb undo-button"
        classList={{ off: isUnavailable() }}
        data-undo={props.undo.turnId}
        aria-label={props.undo.files ? t.buttonName(props.undo.files) : undefined}
        title={props.undo.edgesOnly && !isUnavailable() ? t.edgesOnly : undefined}
        aria-describedby={note() !== "" ? id : undefined}
        aria-busy={busyTurn() === props.undo.turnId}
        aria-keyshortcuts={keyShortcuts(...keysOf("undoTurn"))}
        onClick={() => startUndo(props.undo.turnId)}
      >
        <Icon of={Undo2} size="sm" />
        {t.button}
      </button>
      <Show when={note() !== ""}>
        <span class="sr" id={id}>
          {note()}
        </span>
      </Show>
    </>
  );
}

/** UndoneRule is the line that replaces the last row of a turn whose changes were undone. */
export function UndoneRule(props: { undo: TurnUndo }) {
  const ref = createFocusKeeper(untrack(() => props.undo.turnId));
  const text = () => (props.undo.files ? t.undoneFiles(props.undo.files) : t.undone);
  return (
    <div class="rule undone" role="status" aria-label={t.undone}>
      <Icon of={Undo2} />
      <span>{text()}</span>
      <button
        ref={ref}
        type="button"
        class="hb"
        data-undo={props.undo.turnId}
        aria-label={t.redoName}
        aria-busy={busyTurn() === props.undo.turnId}
        aria-keyshortcuts={keyShortcuts(...keysOf("undoTurn"))}
        onClick={() => startUndo(props.undo.turnId)}
      >
        {t.redo}
      </button>
    </div>
  );
}
