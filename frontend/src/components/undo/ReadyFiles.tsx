// The files of an undo or redo that need no choice, and the list of effects that aren't undone.

import FileMinus from "lucide-solid/icons/file-minus";
import FilePen from "lucide-solid/icons/file-pen";
import FilePlus from "lucide-solid/icons/file-plus";
import { createMemo, createSignal, createUniqueId, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { UndoEffect, UndoFile, UndoRest } from "../../state/types";
import { Rows, type RowsControl } from "../inspector/Rows";
import { Counts } from "../transcript/Counts";
import { Icon } from "../ui/Icon";

const t = messages.undo;

const undone = { restores: FilePen, removes: FilePlus, returns: FileMinus, moves: FilePen } as const;
const redone = { ...undone, removes: FileMinus, returns: FilePlus } as const;

/** iconOf returns the icon for a turn's change to a file, given the effect of undoing or redoing the change. */
export const iconOf = (effect: UndoEffect, redo: boolean) => (redo ? redone : undone)[effect];

/** Number of files shown before the user asks for all. */
const maxShort = 4;
/** If there are at least this many files, only the visible rows are rendered. */
export const minVirtual = 40;
const rowHeight = 32;

/** effectOf describes the effect of the undo or redo on a file. */
export function effectOf({ effect, path }: UndoFile, redo: boolean): string {
  switch (effect) {
    case "removes":
      return t.removes(redo);
    case "returns":
      return t.returns;
    case "moves":
      return t.moves(redo, visibleText(path));
    default:
      return t.restores(redo);
  }
}

/** UndoPath shows the complete file name, and as much of its folder as fits. */
export function UndoPath(props: { path: string }) {
  const path = () => visibleText(props.path);
  const at = () => path().lastIndexOf("/") + 1;
  return (
    <span class="mono undo-path" title={path()}>
      <span class="subtle trunc">{path().slice(0, at())}</span>
      <span class="own">{path().slice(at())}</span>
    </span>
  );
}

function ReadyRow(props: { file: UndoFile; redo: boolean }) {
  return (
    <div class="fl-row undo-row">
      <Icon of={iconOf(props.file.effect, props.redo)} size="sm" />
      <UndoPath path={props.file.from ?? props.file.path} />
      <span class="r trunc">{effectOf(props.file, props.redo)}</span>
    </div>
  );
}

/** ReadyFiles lists the files that need no choice. */
export function ReadyFiles(props: { files: UndoFile[]; total: number; redo: boolean }) {
  const id = createUniqueId();
  const [isWhole, setWhole] = createSignal(false);
  let rows: RowsControl | undefined;
  let list: HTMLUListElement | undefined;
  const isShort = () => !isWhole() && props.files.length > maxShort + 1;
  const shown = () => (isShort() ? props.files.slice(0, maxShort) : props.files);
  const unlisted = () => props.total - props.files.length;
  const counts = createMemo(() =>
    props.files.reduce(
      (sum, file) => ({
        added: sum.added + (file.added ?? 0),
        removed: sum.removed + (file.removed ?? 0),
      }),
      { added: 0, removed: 0 },
    ),
  );
  const heading = () => {
    const removed = props.files.filter((file) => file.effect === "removes").length;
    return t.ready(props.redo, props.total, removed);
  };
  const showAll = () => {
    setWhole(true);
    // The button was removed, so the focus moves to the list.
    queueMicrotask(() => (rows ? rows.focus() : list?.focus()));
  };
  return (
    <section class="fl-box" aria-labelledby={id}>
      <div class="fl-cap">
        <h3 class="grow" id={id}>
          {heading()}
        </h3>
        <Show when={unlisted() <= 0}>
          <span class="pmx num">
            <Counts {...counts()} />
          </span>
        </Show>
      </div>
      <Show
        when={isWhole() && props.files.length >= minVirtual}
        fallback={
          <ul ref={list} tabIndex={-1} aria-labelledby={id}>
            <For each={shown()}>
              {(file) => (
                <li>
                  <ReadyRow file={file} redo={props.redo} />
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
          label={heading()}
          focusable
          count={props.files.length}
          height={() => rowHeight}
          control={(control) => {
            rows = control;
          }}
        >
          {(index) => (
            <Show when={props.files[index]}>
              {(file) => (
                // biome-ignore lint/a11y/useSemanticElements: a positioned row separates it from its list, so it can't be an li.
                <div role="listitem" aria-posinset={index + 1} aria-setsize={props.files.length}>
                  <ReadyRow file={file()} redo={props.redo} />
                </div>
              )}
            </Show>
          )}
        </Rows>
      </Show>
      <Show when={isShort()}>
        <p class="fl-more">
          <button type="button" class="link" onClick={showAll}>
            {t.showMore(props.files.length - maxShort)}
          </button>
        </p>
      </Show>
      <Show when={!isShort() && unlisted() > 0}>
        <p class="fl-more">{t.unlisted(unlisted())}</p>
      </Show>
    </section>
  );
}

/** NotUndone lists a turn's effects that an undo or redo doesn't change. */
export function NotUndone(props: { rest: UndoRest[]; redo: boolean }) {
  const id = createUniqueId();
  return (
    <Show when={props.rest.length > 0}>
      <section class="fl-box" aria-labelledby={id}>
        <div class="fl-cap">
          <h3 class="grow" id={id}>
            {t.rest(props.redo)}
          </h3>
        </div>
        <ul>
          <For each={props.rest}>
            {(rest) => (
              <li class="fl-row undo-rest">
                <Show when={rest.what}>{(what) => <span class="mono">{visibleText(what())}</span>}</Show>
                <span class="ds">{rest.reason}</span>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
