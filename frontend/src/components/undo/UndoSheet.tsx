// The sheet that lists the effect of undoing, redoing or going back on each file, with a choice for the files that
// have later changes.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import CircleAlert from "lucide-solid/icons/circle-alert";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, Match, on, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { checkGoBackAgain, runGoBack } from "../../state/goBack";
import type { UndoChoice, UndoFile, UndoPreview } from "../../state/types";
import {
  checkAgain,
  closeUndo,
  countOf,
  isUndoing,
  runUndo,
  type UndoSheetState,
  undoOutcome,
  undoSheet,
} from "../../state/undo";
import { DiffDialog, type DiffDialogContent } from "../inspector/DiffDialog";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { createOpener } from "../ui/opener";
import { ChangedFiles } from "./ChangedFiles";
import { NotUndone, ReadyFiles } from "./ReadyFiles";
import { focusUndo } from "./UndoButton";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./undo.css";

const t = messages.undo;
const b = messages.goBack;

/** UndoSheet is the window's only undo sheet, and announces the results of undo and redo. */
export function UndoSheet() {
  const opener = createOpener();
  // The last state remains visible while the sheet closes.
  const last = createMemo((before: UndoSheetState | undefined) => undoSheet() ?? before);
  let content: HTMLDivElement | undefined;
  return (
    <>
      <p class="sr" aria-live="polite">
        {undoOutcome()}
      </p>
      <Kobalte open={undoSheet() !== undefined} onOpenChange={(open) => !open && closeUndo()}>
        <Kobalte.Portal>
          <Kobalte.Overlay class="dialog-scrim" />
          <div class="dialog-place">
            <Kobalte.Content
              ref={content}
              class="dialog sheet undo-sheet"
              onOpenAutoFocus={(event) => {
                event.preventDefault();
                opener.opened();
                focusFirst(content);
              }}
              onCloseAutoFocus={(event) => {
                event.preventDefault();
                opener.closed(() => {
                  if (focusUndo(last()?.turnId ?? "")) return;
                  document.querySelector<HTMLElement>(".main .composer textarea")?.focus();
                });
              }}
            >
              <Show when={last()}>{(shown) => <Sheet of={shown()} />}</Show>
            </Kobalte.Content>
          </div>
        </Kobalte.Portal>
      </Kobalte>
    </>
  );
}

/** focusFirst moves the focus to the first choice of the sheet or, if there is none, to the button that confirms it. */
function focusFirst(content: HTMLElement | undefined): void {
  for (const each of ["[data-at] [role=radio][tabindex='0']", "footer .primary", "footer .btn"]) {
    const element = content?.querySelector<HTMLElement>(each);
    if (element) {
      element.focus();
      return;
    }
  }
}

function Sheet(props: { of: UndoSheetState }) {
  const redo = () => props.of.redo;
  const back = () => props.of.back;
  const again = () => props.of.again !== undefined;
  const withConversation = () => back() === "both";
  const preview = () => props.of.preview;
  const [choices, setChoices] = createSignal<Readonly<Record<string, UndoChoice>>>({});
  const [failure, setFailure] = createSignal("");
  createEffect(
    on(
      () => props.of.turnId,
      () => {
        setChoices({});
        setFailure("");
      },
    ),
  );
  const choiceOf = (file: UndoFile): UndoChoice => choices()[file.path] ?? file.choice;
  const decision = createMemo(() => {
    const now = preview();
    return now && !now.blocked && (now.total > 0 || withConversation()) ? now : undefined;
  });
  const count = () => {
    const now = decision();
    return now ? countOf(now, choiceOf) : 0;
  };
  let body!: HTMLDivElement;
  // The result of a slow check replaces the button that had the focus, or offers choices.
  createEffect(
    on(
      decision,
      (now, before) => {
        const content = body.closest<HTMLElement>(".undo-sheet");
        if (now && !before && content?.contains(document.activeElement)) focusFirst(content);
      },
      { defer: true },
    ),
  );
  /** Whether confirming the sheet would change nothing. */
  const isIdle = () => count() === 0 && !withConversation();
  /** Whether the sheet lists commands whose changes to files will be undone. */
  const hasCommand = (now: UndoPreview) => !redo() && now.notUndone.some((rest) => rest.isCommand);
  const title = () => {
    if (again()) return b.againTitle;
    return back() ? b.sheetTitle : t.title(redo());
  };
  const blocked = () => {
    if (back()) return b.blocked;
    return props.of.unavailable ? t.unavailable : t.blocked(redo());
  };
  const confirm = () => {
    if (!back()) return t.confirm(redo(), count());
    if (again()) return b.confirmAgain(count());
    return count() === 0 && withConversation() ? b.confirmConversation : b.confirm(count());
  };
  const [compared, setCompared] = createSignal<DiffDialogContent>();
  const compare = (path: string) => {
    const shown = {
      title: t.comparison(visibleText(path)),
      lead: back() ? b.comparisonLead : t.comparisonLead(redo()),
      path,
    };
    setCompared(shown);
    const show = (result: Partial<DiffDialogContent>) =>
      setCompared((now) => (now && now.path === path ? { ...shown, ...result } : now));
    actions.undoFile(props.of.turnId, path, back() !== undefined).then(
      ({ diff, reason, toEarlier }) =>
        show({
          diff,
          reason,
          ...(toEarlier && { title: b.sides(visibleText(path)), lead: b.sidesLead }),
        }),
      (thrown) => show({ reason: thrown.message }),
    );
  };
  const run = async () => {
    if (isUndoing() || isIdle()) return;
    setFailure("");
    const { turnId, back, again } = props.of;
    setFailure(
      await (back
        ? runGoBack(turnId, back, { ...choices() }, again)
        : runUndo(turnId, redo(), { ...choices() })),
    );
  };
  return (
    <>
      <header>
        <div class="grow">
          <Kobalte.Title>{title()}</Kobalte.Title>
          <Show when={decision()}>
            {(now) => (
              <Kobalte.Description>
                {back()
                  ? b.sheetLead(
                      now().total > 0 ? timeOf(now().since) : "",
                      withConversation() ? (now().messages ?? 0) : 0,
                      again(),
                    )
                  : t.lead(redo(), timeOf(now().since))}
                <Show when={withConversation() && now().memory === "recap"}> {b.recap}</Show>
              </Kobalte.Description>
            )}
          </Show>
        </div>
        <IconButton icon={X} label={t.close} onClick={closeUndo} />
      </header>
      <div ref={body} class="sheet-body">
        <Switch
          fallback={
            <p class="undo-state" role="status">
              {t.checking}
            </p>
          }
        >
          <Match when={props.of.failure}>
            <State strong={t.failed} text={props.of.failure} />
          </Match>
          <Match when={preview()?.blocked}>
            <State strong={blocked()} text={preview()?.blocked} />
          </Match>
          <Match when={preview()?.total === 0 && !withConversation()}>
            <p class="undo-state" role="status">
              {t.nothing}
            </p>
            <NotUndone rest={preview()?.notUndone ?? []} redo={redo()} />
          </Match>
          <Match when={decision()}>
            {(now) => (
              <Files
                preview={now()}
                redo={redo()}
                choiceOf={choiceOf}
                onChoice={(path, choice) => setChoices((all) => ({ ...all, [path]: choice }))}
                onEnter={run}
                onCompare={compare}
              />
            )}
          </Match>
        </Switch>
      </div>
      <DiffDialog of={compared()} onClose={() => setCompared(undefined)} />
      <footer>
        <Failure text={failure()} />
        <div class="acts">
          <Show when={decision()}>
            {(now) => (
              <p class="sheet-note grow">
                {messages.common.sentences(
                  count() === 0 ? t.allKept : hasCommand(now()) ? t.restNote : "",
                  count() > 0 && now().meanwhile ? t.meanwhile(now().meanwhile ?? 0) : "",
                  now().edgesOnly ? t.edgesOnly : "",
                )}
              </p>
            )}
          </Show>
          <Button large look="ghost" onClick={closeUndo}>
            {decision() ? messages.common.cancel : t.close}
          </Button>
          <Show when={decision()}>
            <Button
              large
              look="primary"
              aria-disabled={isIdle() || isUndoing()}
              aria-busy={isUndoing()}
              onClick={run}
            >
              {confirm()}
            </Button>
          </Show>
          <Show when={props.of.failure || (preview()?.blocked && !props.of.unavailable)}>
            <Button large onClick={back() ? checkGoBackAgain : checkAgain}>
              {t.tryAgain}
            </Button>
          </Show>
        </div>
      </footer>
    </>
  );
}

/** State replaces the list of files and explains why there is none. */
function State(props: { strong: string; text?: string }) {
  return (
    <p class="undo-state" role="alert">
      <Icon of={CircleAlert} />
      <span>
        <strong>{props.strong}</strong> {props.text === props.strong ? "" : props.text}
      </span>
    </p>
  );
}

interface FilesProps {
  preview: UndoPreview;
  redo: boolean;
  choiceOf(file: UndoFile): UndoChoice;
  onChoice(path: string, choice: UndoChoice): void;
  /** Called when the user presses Enter on a choice. */
  onEnter(): void;
  onCompare(path: string): void;
}

function Files(props: FilesProps) {
  const changed = createMemo(() => props.preview.files.filter((file) => file.changed));
  const ready = createMemo(() => props.preview.files.filter((file) => !file.changed));
  return (
    <>
      <Show when={props.preview.changed > 0}>
        <ChangedFiles
          files={changed()}
          total={props.preview.changed}
          redo={props.redo}
          choiceOf={props.choiceOf}
          onChoice={props.onChoice}
          onEnter={props.onEnter}
          onCompare={props.onCompare}
        />
      </Show>
      <Show when={props.preview.ready > 0}>
        <ReadyFiles files={ready()} total={props.preview.ready} redo={props.redo} />
      </Show>
      <NotUndone rest={props.preview.notUndone} redo={props.redo} />
    </>
  );
}
