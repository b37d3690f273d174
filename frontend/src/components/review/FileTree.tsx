// The list of changed files, by folder, with a filter.

import Check from "lucide-solid/icons/check";
import Circle from "lucide-solid/icons/circle";
import CircleCheck from "lucide-solid/icons/circle-check";
import FileCog from "lucide-solid/icons/file-cog";
import FileMinus from "lucide-solid/icons/file-minus";
import FilePen from "lucide-solid/icons/file-pen";
import FilePlus from "lucide-solid/icons/file-plus";
import FileSymlink from "lucide-solid/icons/file-symlink";
import FolderGit from "lucide-solid/icons/folder-git-2";
import GitCommit from "lucide-solid/icons/git-commit-horizontal";
import ListFilter from "lucide-solid/icons/list-filter";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, type JSX, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { ReviewModel } from "../../state/review";
import type { FileView } from "../../state/reviewFile";
import type { ReviewFile, ReviewKind } from "../../state/types";
import { PlusMinus } from "../inspector/ChangedFiles";
import { Rows, type RowsControl } from "../inspector/Rows";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd } from "../ui/Kbd";
import { splitPath } from "./heads";

const t = messages.review;
const icons: Record<ReviewKind, typeof FilePen> = {
  edited: FilePen,
  added: FilePlus,
  removed: FileMinus,
  moved: FileSymlink,
  mode: FileCog,
  submodule: FolderGit,
};

/** A row of the list: a folder, or a file. */
export type TreeRow = { folder: string } | { file: FileView };

/** Cached rows of files and folders. The list reuses the element of a row as long as the row is the same object. */
const fileRows = new WeakMap<FileView, TreeRow>();
const folderRows = new Map<string, TreeRow>();

function rowOfFile(file: FileView): TreeRow {
  const row = fileRows.get(file) ?? { file };
  fileRows.set(file, row);
  return row;
}

function rowOfFolder(folder: string): TreeRow {
  const row = folderRows.get(folder) ?? { folder };
  folderRows.set(folder, row);
  return row;
}

/** treeRows returns the rows for the files that match a filter, grouped by folder. */
export function treeRows(files: readonly FileView[], filter: string): TreeRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rows: TreeRow[] = [];
  let last: string | undefined;
  for (const file of files) {
    const name = file.path.toLowerCase();
    if (!words.every((word) => name.includes(word))) continue;
    const [folder] = splitPath(file.path);
    // Files of the top folder need a caption only if files of another folder precede them.
    if (folder !== last && (folder !== "" || last !== undefined))
      rows.push(rowOfFolder(folder === "" ? "./" : folder.slice(0, -1)));
    last = folder;
    rows.push(rowOfFile(file));
  }
  return rows;
}

export interface FileTreeProps {
  model: ReviewModel;
  /** Path of the file at the top of the diffs. */
  selected: string;
  onSelect(path: string): void;
  /** Called after a file was selected with the pointer. */
  onPick?(): void;
  /** Called to move the focus to the diff of the file. */
  onEnter(path: string): void;
  control(control: FileTreeControl): void;
  /** Content at the end of the row with the filter field. */
  beside?: JSX.Element;
  /** Rendered after a file's name, such as its number of comments. */
  badge?(file: FileView): JSX.Element;
  /** Added to a file's accessible name. */
  describe?(file: FileView): string;
  /** Reports whether a file is marked as part of the next commit. */
  isInCommit?(path: string): boolean;
  /** If set, each file has a checkbox that selects the file for a commit. */
  chooser?: FileChooser | undefined;
}

/** FileChooser reads and changes the selection of files for a commit. */
export interface FileChooser {
  canChoose(path: string): boolean;
  isChosen(path: string): boolean;
  toggle(path: string): void;
}

export interface FileTreeControl {
  focusFilter(): void;
  focusFile(): void;
}

/** Heights of rows minus the height of a line, in pixels. */
const extra = { folder: 6, file: 8 };

export function FileTree(props: FileTreeProps) {
  const [filter, setFilter] = createSignal("");
  const [focused, setFocused] = createSignal("");
  let field!: HTMLInputElement;
  let rows: RowsControl | undefined;
  const all = createMemo(() => {
    props.model.rev();
    props.model.list();
    return treeRows(props.model.files, filter());
  });
  const files = createMemo(() => all().flatMap((row, at) => ("file" in row ? [at] : [])));
  const pathAt = (at: number) => {
    const row = all()[at];
    return row && "file" in row ? row.file.path : "";
  };
  const indexOf = (path: string) => files().find((at) => pathAt(at) === path) ?? -1;
  /**
   * The index of the only row in the tab order: that of the focused file, else of the selected file, else of
   * the first file. It is -1 if there is no file.
   */
  const stop = createMemo(() => {
    const at = indexOf(focused());
    if (at >= 0) return at;
    const selected = indexOf(props.selected);
    return selected >= 0 ? selected : (files()[0] ?? -1);
  });
  const focusRow = (at: number) => {
    if (at < 0) return;
    setFocused(pathAt(at));
    rows?.show(at);
    queueMicrotask(() => rows?.row(at)?.querySelector<HTMLElement>("[role=treeitem]")?.focus());
  };
  createEffect(
    on(
      () => props.selected,
      (path) => {
        setFocused("");
        const at = indexOf(path);
        if (at >= 0) queueMicrotask(() => rows?.show(at));
      },
    ),
  );
  props.control({
    focusFilter: () => {
      field.focus();
      field.select();
    },
    focusFile: () => focusRow(stop()),
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const own = files();
    const at = own.indexOf(stop());
    const path = pathAt(stop());
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: own.length - 1 }[event.key];
    if (to !== undefined) {
      const row = own[Math.min(Math.max(to, 0), own.length - 1)];
      if (event.key === "ArrowUp" && at <= 0) field.focus();
      else if (row !== undefined) {
        props.onSelect(pathAt(row));
        focusRow(row);
      }
    } else if (event.key === "Enter" || event.key === "ArrowRight") props.onEnter(path);
    else if (event.key === " " && props.chooser) props.chooser.toggle(path);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onFilterKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "Enter") focusRow(files()[0] ?? -1);
    else if (event.key === "Escape" && filter() !== "") setFilter("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <div class="rv-filter">
        <div class="input grow">
          <Icon of={ListFilter} size="sm" class="subtle" />
          <input
            ref={field}
            class="grow sel"
            type="search"
            aria-label={t.filter}
            aria-keyshortcuts="/"
            placeholder={t.filter}
            spellcheck={false}
            autocomplete="off"
            value={filter()}
            onInput={(event) => setFilter(event.currentTarget.value)}
            onKeyDown={onFilterKey}
          />
          <Show when={filter() !== ""} fallback={<Kbd keys={["/"]} />}>
            <IconButton
              small
              icon={X}
              label={t.clearFilter}
              onClick={() => {
                setFilter("");
                field.focus();
              }}
            />
          </Show>
        </div>
        {props.beside}
      </div>
      <Show
        when={files().length > 0}
        fallback={<p class="rv-none muted">{filter() !== "" && t.noFilterMatch}</p>}
      >
        <Rows
          class="rv-tree"
          role="tree"
          inner="presentation"
          label={t.tree}
          count={all().length}
          height={(at, line) => line + ("file" in (all()[at] ?? {}) ? extra.file : extra.folder)}
          onKeyDown={onKeyDown}
          control={(control) => {
            rows = control;
          }}
        >
          {(at) => (
            <Show when={all()[at]} keyed>
              {(row) =>
                "file" in row ? (
                  <TreeFile
                    file={row.file}
                    version={props.model.rev()}
                    position={files().indexOf(at) + 1}
                    count={files().length}
                    isSelected={row.file.path === props.selected}
                    isStop={at === stop()}
                    badge={props.badge?.(row.file)}
                    described={props.describe?.(row.file) ?? ""}
                    isInCommit={props.isInCommit?.(row.file.path) === true}
                    chooser={props.chooser}
                    onSelect={() => {
                      setFocused(row.file.path);
                      props.onSelect(row.file.path);
                      props.onPick?.();
                    }}
                  />
                ) : (
                  <div class="rv-dir trunc" aria-hidden="true">
                    {visibleText(row.folder)}
                  </div>
                )
              }
            </Show>
          )}
        </Rows>
        <Show when={(props.model.list()?.total ?? 0) > (props.model.list()?.files.length ?? 0)}>
          <p class="rv-none muted">
            {t.more((props.model.list()?.total ?? 0) - (props.model.list()?.files.length ?? 0))}
          </p>
        </Show>
      </Show>
    </>
  );
}

/** nameOf returns a file's accessible name. */
function nameOf({ path, kind, added, removed, viewed, pending }: ReviewFile): string {
  const shown = visibleText(path);
  if (pending) return t.treePending(shown, t.kinds[kind], viewed === true);
  return t.treeFile(shown, t.kinds[kind], added, removed, viewed === true);
}

interface TreeFileProps {
  file: FileView;
  /** Changes whenever the file's data may have changed. */
  version: number;
  position: number;
  count: number;
  isSelected: boolean;
  isStop: boolean;
  badge?: JSX.Element;
  described: string;
  isInCommit: boolean;
  chooser?: FileChooser | undefined;
  onSelect(): void;
}

function TreeFile(props: TreeFileProps) {
  const file = () => {
    void props.version;
    return props.file.file;
  };
  const path = () => visibleText(file().path);
  return (
    <div
      role="treeitem"
      class="rv-file"
      classList={{ seen: file().viewed }}
      aria-level="1"
      aria-posinset={props.position}
      aria-setsize={props.count}
      aria-selected={props.isSelected}
      aria-checked={props.chooser?.canChoose(file().path) ? props.chooser.isChosen(file().path) : undefined}
      aria-label={nameOf(file()) + (props.isInCommit ? t.inCommit : "") + props.described}
      title={path()}
      tabIndex={props.isStop ? 0 : -1}
      onClick={(event) => {
        props.onSelect();
        event.currentTarget.focus();
      }}
      onKeyDown={() => {}}
    >
      <Show when={props.chooser}>
        {(chooser) => (
          <span
            class="rv-tick"
            classList={{
              on: chooser().isChosen(file().path) && chooser().canChoose(file().path),
              none: !chooser().canChoose(file().path),
            }}
            aria-hidden="true"
            onClick={(event) => {
              event.stopPropagation();
              chooser().toggle(file().path);
            }}
          >
            <Show when={chooser().isChosen(file().path)}>
              <Icon of={Check} size="sm" />
            </Show>
          </span>
        )}
      </Show>
      <Icon of={icons[file().kind] ?? FilePen} size="sm" />
      <span class="mono trunc">{splitPath(path())[1]}</span>
      <Show when={props.isInCommit}>
        <span class="rv-in-commit" title={t.inCommitTitle}>
          <Icon of={GitCommit} size="sm" />
        </span>
      </Show>
      {props.badge}
      <span class="rv-counts">
        <PlusMinus added={file().added} removed={file().removed} />
      </span>
      <span class="vw">
        <Icon of={file().viewed ? CircleCheck : Circle} size="sm" />
      </span>
    </div>
  );
}
