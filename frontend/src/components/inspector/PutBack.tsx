// Undoes parts of a file's changes, and redoes them.

import Undo2 from "lucide-solid/icons/undo-2";
import { batch, createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { ChangedFile, PutBack, UndoPart } from "../../state/types";
import { Icon } from "../ui/Icon";
import { PlusMinus } from "./ChangedFiles";
import type { DiffDialogContent } from "./DiffDialog";
import { createLoader, type Loader } from "./loader";

const t = messages.inspector.changes;

/** The undone parts of a chat's changes, with the state of the action that undoes or redoes a part. */
export interface PutBacks {
  parts: Loader<PutBack[]>;
  isBusy(): boolean;
  failure(): string;
  /** A sentence about the last part that was undone or redone, or "" if there is none. */
  outcome(): string;
  /**
   * If the app wrote nothing because later changes overlap the part, returns a comparison of the file with the
   * requested result. Otherwise, returns undefined.
   */
  sides(): DiffDialogContent | undefined;
  closeSides(): void;
  run(file: ChangedFile, part: UndoPart): Promise<void>;
  /** Clears the failure and the outcome. */
  clear(): void;
}

/**
 * createPutBacks returns functions to undo and redo parts of a chat's changes. It calls `changed` after files
 * may have changed.
 */
export function createPutBacks(chatId: string, changed: () => void): PutBacks {
  const parts = createLoader(
    () => chatId,
    () => actions.putBacks(chatId),
  );
  const [isBusy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const [outcome, setOutcome] = createSignal("");
  const [sides, setSides] = createSignal<DiffDialogContent>();
  const clear = () => batch(() => [setFailure(""), setOutcome("")]);
  const run = async (file: ChangedFile, part: UndoPart) => {
    if (isBusy()) return;
    clear();
    setBusy(true);
    try {
      const result = await actions.putBack(chatId, part);
      if (result.diff) {
        const name = visibleText(file.name);
        setSides({ title: t.sidesTitle(name), lead: t.sidesLead, path: file.path, diff: result.diff });
      } else {
        setOutcome(
          messages.common.sentences(part.redo ? t.redone : t.wasPutBack, result.merged ? t.merged : ""),
        );
      }
    } catch (thrown) {
      setFailure((thrown as Error).message);
    }
    setBusy(false);
    parts.reload();
    changed();
  };
  return { parts, isBusy, failure, outcome, sides, closeSides: () => setSides(undefined), run, clear };
}

/**
 * canPutBack reports whether a file's changes can be undone: only if it is in the chat's folder. The name of
 * any other file is its full path.
 */
export const canPutBack = (file: ChangedFile) => file.name !== file.path;

/** LastPutBack offers to redo the part of a file's changes that was undone last. */
export function LastPutBack(props: { of: PutBacks; file: ChangedFile }) {
  const last = () => {
    const path = props.file.name.replaceAll("\\", "/");
    return props.of.parts.value()?.find((part) => part.path === path);
  };
  return (
    <>
      <p class="sr" aria-live="polite">
        {props.of.outcome()}
      </p>
      <Show when={last()}>
        {(part) => (
          <div class="put-back">
            <Icon of={Undo2} size="sm" />
            <span class="trunc">{t.putBackAt(timeOf(part().at))}</span>
            <PlusMinus added={part().added ?? 0} removed={part().removed ?? 0} />
            <span class="grow" />
            <button
              type="button"
              class="hb"
              aria-label={t.redoPart(visibleText(props.file.name))}
              aria-busy={props.of.isBusy()}
              onClick={() => void props.of.run(props.file, { redo: part().id })}
            >
              {messages.undo.redo}
            </button>
          </div>
        )}
      </Show>
    </>
  );
}
