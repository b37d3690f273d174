// The list of files that a chat has changed.

import FileMinus from "lucide-solid/icons/file-minus";
import FilePen from "lucide-solid/icons/file-pen";
import FilePlus from "lucide-solid/icons/file-plus";
import { createEffect, createMemo, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { count, minus, visibleText } from "../../lib/format";
import type { ChangedFile } from "../../state/types";
import { Icon } from "../ui/Icon";
import { Rows, type RowsControl } from "./Rows";
import "./changes.css";

const t = messages.inspector.changes;
const icons = { edited: FilePen, added: FilePlus, removed: FileMinus } as const;
/** Height of a file row minus the height of a line, in pixels. */
const fileExtra = 8;

/** PlusMinus shows the numbers of added and removed lines and omits zeros. */
export function PlusMinus(props: { added: number; removed: number }) {
  return (
    <span class="pm num">
      <Show when={props.added > 0}>
        <span class="add">+{count(props.added)}</span>
      </Show>
      <Show when={props.removed > 0}>
        <span class="del">
          {minus}
          {count(props.removed)}
        </span>
      </Show>
    </span>
  );
}

/** splitName splits a path into its folder and file name. */
function splitName(name: string): { folder: string; own: string } {
  const at = Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1;
  return { folder: name.slice(0, at), own: name.slice(at) };
}

/** FileName shows the complete name of a file, and as much of the path of its folder as fits. */
export function FileName(props: { name: string }) {
  const name = () => visibleText(props.name);
  const parts = () => splitName(name());
  return (
    <span class="file-name mono" title={name()}>
      <span class="subtle trunc">{parts().folder}</span>
      <span class="trunc">{parts().own}</span>
    </span>
  );
}

export interface ChangedFilesProps {
  files: ChangedFile[];
  selected: string;
  onSelect(path: string): void;
  /** Called to move the focus into the file's diff. */
  onEnter(): void;
  control(control: { focus(): void }): void;
}

export function ChangedFiles(props: ChangedFilesProps) {
  let rows!: RowsControl;
  const at = createMemo(() =>
    Math.max(
      0,
      props.files.findIndex((file) => file.path === props.selected),
    ),
  );
  const focusRow = (index: number) => {
    rows.show(index);
    queueMicrotask(() => rows.row(index)?.querySelector<HTMLElement>("[role=treeitem]")?.focus());
  };
  createEffect(on(at, (now) => queueMicrotask(() => rows.show(now))));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight" || event.key === "Enter") {
      event.preventDefault();
      props.onEnter();
      return;
    }
    const to = { ArrowDown: at() + 1, ArrowUp: at() - 1, Home: 0, End: props.files.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const file = props.files[to];
    if (!file) return;
    props.onSelect(file.path);
    focusRow(to);
  };
  return (
    <Rows
      class="tree"
      role="tree"
      inner="presentation"
      label={t.tree}
      count={props.files.length}
      height={(_, line) => line + fileExtra}
      onKeyDown={onKeyDown}
      control={(control) => {
        rows = control;
        props.control({ focus: () => focusRow(at()) });
      }}
    >
      {(index) => (
        <Show when={props.files[index]}>
          {(file) => (
            <div
              role="treeitem"
              aria-level="1"
              aria-posinset={index + 1}
              aria-setsize={props.files.length}
              aria-selected={index === at()}
              aria-label={t.file(visibleText(file().name), file().added, file().removed)}
              tabIndex={index === at() ? 0 : -1}
              onClick={(event) => {
                props.onSelect(file().path);
                event.currentTarget.focus();
              }}
              onKeyDown={() => {}}
            >
              <Icon of={icons[file().kind] ?? FilePen} size="sm" />
              <FileName name={file().name} />
              <PlusMinus added={file().added} removed={file().removed} />
            </div>
          )}
        </Show>
      )}
    </Rows>
  );
}
