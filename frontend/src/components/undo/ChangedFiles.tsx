// The files of an undo or redo that have later changes, each with a choice. Up and Down move between the
// files, Left and Right between the choices, and Enter confirms the sheet.

import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { createUniqueId, For, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import type { UndoChoice, UndoFile } from "../../state/types";
import { Rows, type RowsControl } from "../inspector/Rows";
import { Radios } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { iconOf, minVirtual, UndoPath } from "./ReadyFiles";

const t = messages.undo;
/** Height in pixels of a row whose choices are next to the name, not below it. */
const rowHeight = 51;

export interface ChangedFilesProps {
  files: UndoFile[];
  /** Number of changed files, including those that aren't listed. */
  total: number;
  redo: boolean;
  choiceOf(file: UndoFile): UndoChoice;
  onChoice(path: string, choice: UndoChoice): void;
  onEnter(): void;
  onCompare(path: string): void;
}

const hints: Record<UndoChoice, string> = { keep: t.keepHint, take: t.takeHint, merge: t.mergeHint };

export function ChangedFiles(props: ChangedFilesProps) {
  const id = createUniqueId();
  let box!: HTMLElement;
  let rows: RowsControl | undefined;
  const focusFile = (index: number) => {
    rows?.show(index);
    queueMicrotask(() => box.querySelector<HTMLElement>(`[data-at="${index}"] [tabindex="0"]`)?.focus());
  };
  // The radio groups use these keys too, so they are handled first.
  onMount(() =>
    box.addEventListener(
      "keydown",
      (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const row = (event.target as HTMLElement).closest<HTMLElement>("[data-at]");
        if (!row || (event.target as HTMLElement).role !== "radio") return;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        if (step === undefined) props.onEnter();
        else focusFile(Math.max(0, Math.min(props.files.length - 1, Number(row.dataset.at) + step)));
      },
      true,
    ),
  );
  return (
    <section ref={box} class="fl-box attn" aria-labelledby={id}>
      <div class="fl-cap">
        <Icon of={TriangleAlert} size="sm" />
        <h3 class="grow" id={id}>
          {t.changed(props.total)}
        </h3>
      </div>
      <Show
        when={props.files.length >= minVirtual}
        fallback={
          <ul>
            <For each={props.files}>
              {(file, at) => (
                <li>
                  <ChangedRow {...props} file={file} at={at()} />
                </li>
              )}
            </For>
          </ul>
        }
      >
        <Rows
          class="undo-rows"
          role="list"
          inner="presentation"
          label={t.changed(props.total)}
          count={props.files.length}
          height={() => rowHeight}
          measure={props.files}
          control={(control) => {
            rows = control;
          }}
        >
          {(index) => (
            <Show when={props.files[index]}>
              {(file) => (
                // biome-ignore lint/a11y/useSemanticElements: a positioned row separates it from its list, so it can't be an li.
                <div role="listitem" aria-posinset={index + 1} aria-setsize={props.files.length}>
                  <ChangedRow {...props} file={file()} at={index} />
                </div>
              )}
            </Show>
          )}
        </Rows>
      </Show>
      <Show when={props.total > props.files.length}>
        <p class="fl-more">{t.unlistedKept(props.total - props.files.length)}</p>
      </Show>
    </section>
  );
}

function ChangedRow(props: ChangedFilesProps & { file: UndoFile; at: number }) {
  const reason = () => {
    const { reason = "", changedLines = 0, changedAt = 0, binary } = props.file;
    return [
      changedAt > 0 ? timeOf(changedAt) : "",
      binary ? t.binary : changedLines > 0 ? t.changedLines(changedLines) : "",
      visibleText(reason),
    ].filter((part) => part !== "");
  };
  const choices = () => [
    { value: "keep" as const, label: t.keep },
    ...(props.file.merge ? [{ value: "merge" as const, label: t.merge }] : []),
    { value: "take" as const, label: t.take(props.redo) },
  ];
  const path = () => props.file.from ?? props.file.path;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form.
    <div class="fl-row undo-row undo-choice" role="group" aria-label={visibleText(path())} data-at={props.at}>
      <Icon of={iconOf(props.file.effect, props.redo)} size="sm" />
      <UndoPath path={path()} />
      <span class="ds" title={`${reason().join(" · ")}\n${hints[props.choiceOf(props.file)]}`}>
        {reason().join(" · ")}
      </span>
      <div class="undo-acts">
        <button
          type="button"
          class="hb"
          aria-label={t.compareFile(visibleText(path()))}
          onClick={() => props.onCompare(props.file.path)}
        >
          {t.compare}
        </button>
        <Radios
          label={visibleText(path())}
          class="seg sm"
          value={props.choiceOf(props.file)}
          choices={choices()}
          onChange={(choice) => props.onChoice(props.file.path, choice)}
        />
      </div>
    </div>
  );
}
