// Undo and redo of the changes that a turn made to files. Simple cases run immediately; all others open
// the sheet first, which lists the files.

import { batch, createSignal } from "solid-js";
import { messages } from "../i18n";
import { actions } from "./actions";
import { notify } from "./notices";
import { raw } from "./store";
import type { BackScope, GoBackPreview, Turn, TurnUndo, UndoChoice, UndoFile, UndoPreview } from "./types";

const t = messages.undo;

/** From this number of files on, the sheet is shown even if no file has later changes. */
const minFilesForSheet = 4;
/** Delay in milliseconds before the sheet opens even if the files are still being checked. */
const slowMillis = 300;

/** The agent option that selects the model, and the value to set. */
export interface AgainOption {
  option: string;
  value: string;
}

/** The state of the open sheet. */
export interface UndoSheetState {
  turnId: string;
  redo: boolean;
  /** Set if the sheet is for going back to the point before the turn's message (goBack.ts). */
  back?: BackScope;
  /** Set if the message is then sent again to another model. */
  again?: AgainOption;
  /**
   * The preview. If `back` is set, it includes the number of messages to set aside, and the extent to which the agent
   * remembers the remaining ones.
   */
  preview?: UndoPreview & Partial<Pick<GoBackPreview, "messages" | "memory">>;
  /** The reason why the preview couldn't be loaded. */
  failure?: string;
  /** Whether the turn can't be undone at all; the preview's Blocked is the reason. */
  unavailable?: boolean;
}

const [sheet, setSheet] = createSignal<UndoSheetState>();
const [busyTurn, setBusyTurn] = createSignal("");
const [working, setWorking] = createSignal(false);
const [outcome, setOutcome] = createSignal("");

export {
  /** The turn whose files are being checked or changed; "" for none. */
  busyTurn,
  /** A sentence about the last undo or redo, for screen readers. */
  outcome as undoOutcome,
  /** Announces a sentence to screen readers. */
  setOutcome as announceUndo,
  /** Opens the sheet or changes its state. */
  setSheet as showUndoSheet,
  /** Records whether files are being changed. */
  setWorking as setUndoing,
  /** The open sheet, if any. */
  sheet as undoSheet,
  /** Whether files are being changed. */
  working as isUndoing,
};

/**
 * Number of the latest preview request. Closing the sheet increases it too, so that a late preview is
 * ignored.
 */
let prepared = 0;

/** lastTurn returns the newest turn that answers the user in a chat. */
export function lastTurn(chatId: string): Turn | undefined {
  let last: Turn | undefined;
  for (const turn of Object.values(raw().turns)) {
    if (turn.chatId !== chatId || turn.blockId || turn.aside) continue;
    if (turn.startedAt >= (last?.startedAt ?? 0)) last = turn;
  }
  return last;
}

/** lastUndo returns the undo of a chat's last turn, or undefined if none was recorded. */
export function lastUndo(chatId: string): TurnUndo | undefined {
  return raw().undos[lastTurn(chatId)?.id ?? ""];
}

/** undoObstacle returns the reason why a chat's last turn can't be undone, as a sentence, or "" if it can be undone. */
export function undoObstacle(chatId: string): string {
  const last = lastUndo(chatId);
  switch (last?.state) {
    case "available":
      return "";
    case "undone":
      return t.alreadyUndone;
    case "unavailable":
      return last.reason || t.unavailable;
    case "recording":
      return t.running;
    default:
      return lastTurn(chatId)?.state === "running" ? t.running : t.none;
  }
}

/**
 * isPlain reports whether an undo or redo can run without the sheet: it affects only a few files, none of which has
 * later changes or may have been edited by the user during the turn, and it is complete.
 */
function isPlain(preview: UndoPreview): boolean {
  return (
    !preview.blocked &&
    preview.changed === 0 &&
    !preview.meanwhile &&
    preview.notUndone.every((rest) => !rest.what) && // a row without a command or path is a general remark
    preview.total > 0 &&
    preview.total < minFilesForSheet
  );
}

/** startUndo undoes a turn's changes, or redoes them if they are undone. It opens the sheet if needed. */
export function startUndo(turnId: string): void {
  const undo = raw().undos[turnId];
  if (!undo || busyTurn() !== "") return;
  const redo = undo.state === "undone";
  if (undo.state === "unavailable") {
    setSheet({ turnId, redo, unavailable: true, preview: unavailable(undo) });
    return;
  }
  prepare(turnId, redo);
}

const unavailable = (undo: TurnUndo): UndoPreview => ({
  turnId: undo.turnId,
  since: 0,
  blocked: undo.reason || t.unavailable,
  files: [],
  total: 0,
  ready: 0,
  changed: 0,
  notUndone: [],
});

function prepare(turnId: string, redo: boolean): void {
  const mine = ++prepared;
  setBusyTurn(turnId);
  const slow = setTimeout(() => mine === prepared && setSheet({ turnId, redo }), slowMillis);
  const settle = (then: () => void) => {
    clearTimeout(slow);
    if (mine !== prepared) return;
    batch(() => {
      setBusyTurn("");
      then();
    });
  };
  actions.undoPreview(turnId).then(
    (preview) =>
      settle(() => {
        if (!sheet() && isPlain(preview)) void runUndo(turnId, redo, {});
        else setSheet({ turnId, redo, preview });
      }),
    (thrown) => settle(() => setSheet({ turnId, redo, failure: thrown.message })),
  );
}

/** checkAgain loads the preview of the open sheet again. */
export function checkAgain(): void {
  const now = sheet();
  if (!now) return;
  setSheet({ turnId: now.turnId, redo: now.redo });
  prepare(now.turnId, now.redo);
}

/** closeUndo closes the sheet. An undo or redo that is already running continues. */
export function closeUndo(): void {
  prepared++;
  batch(() => {
    if (!working()) setBusyTurn("");
    setSheet(undefined);
  });
}

/**
 * runUndo undoes a turn's changes or redoes them. On success, it closes the sheet and returns ""; otherwise it
 * returns the reason for the failure. If the turn's sheet isn't open, it shows a notice of the failure.
 */
export async function runUndo(
  turnId: string,
  redo: boolean,
  choices: Record<string, UndoChoice>,
): Promise<string> {
  batch(() => {
    setBusyTurn(turnId);
    setWorking(true);
    setOutcome("");
  });
  let failure = "";
  try {
    await (redo ? actions.redoTurn(turnId, choices) : actions.undoTurn(turnId, choices));
  } catch (thrown) {
    failure = (thrown as Error).message;
  }
  batch(() => {
    setWorking(false);
    setBusyTurn("");
    if (failure === "") {
      setOutcome(redo ? t.redone : `${t.undone}.`);
      if (sheet()?.turnId === turnId) setSheet(undefined);
    } else if (sheet()?.turnId !== turnId) {
      notify({
        id: `undo ${turnId}`,
        text: redo ? t.redoFailed : t.undoFailed,
        detail: failure,
        failed: true,
      });
    }
  });
  return failure;
}

/** countOf returns the number of files that an undo would change, given the user's choices. */
export function countOf(preview: UndoPreview, choiceOf: (file: UndoFile) => UndoChoice): number {
  return preview.ready + preview.files.filter((file) => file.changed && choiceOf(file) !== "keep").length;
}
