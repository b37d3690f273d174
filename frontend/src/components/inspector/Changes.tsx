// The changes of a chat: its files, and the diff of one of them.

import ChevronDown from "lucide-solid/icons/chevron-down";
import ChevronUp from "lucide-solid/icons/chevron-up";
import Columns2 from "lucide-solid/icons/columns-2";
import Copy from "lucide-solid/icons/copy";
import ExternalLink from "lucide-solid/icons/external-link";
import TextWrap from "lucide-solid/icons/text-wrap";
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { words } from "../../i18n";
import { parseDiff } from "../../lib/diff";
import { bytes, seen, utf8Size } from "../../lib/format";
import { actions } from "../../state/actions";
import { openInEditor } from "../../state/editor";
import { changesOf, setChangesOf } from "../../state/inspector";
import { useStore } from "../../state/store";
import type { Changes as Changed, ChangedFile } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Picker } from "../ui/Picker";
import { ChangedFiles, FileName, PlusMinus } from "./ChangedFiles";
import { DiffRows } from "./DiffRows";
import { Answer } from "./LoadState";
import { createLoaded, type Loaded, onWork, tried } from "./loader";
import type { RowsControl } from "./Rows";
import { sessionsOf } from "./sessions";
import "./changes.css";

const w = words.inspector.changes;

/** Minimum width for a side-by-side diff. */
const splitAtLeast = 640;

/** createChanges tracks the changes of a chat. */
export function createChanges(chatId: string): Loaded<Changed> {
  const changes = createLoaded(changesOf, () => actions.changes(chatId, changesOf()));
  onWork(chatId, changes.again);
  // Other programs may have changed files.
  window.addEventListener("focus", changes.again);
  onCleanup(() => window.removeEventListener("focus", changes.again));
  return changes;
}

/** Changes is the Changes tab. */
export function Changes(props: { chatId: string; changes: Loaded<Changed> }) {
  const state = useStore();
  const [selected, setSelected] = createSignal("");
  const [folded, setFolded] = createSignal(false);
  let tree: { focus(): void } | undefined;
  let diff: RowsControl | undefined;

  const sessions = createMemo(() => sessionsOf(state, props.chatId).map((view) => view.name));
  const commands = createLoaded(
    () => props.chatId,
    () => actions.ranCommands(props.chatId),
  );
  const hasRun = () => (commands.value() ?? []).length > 0;
  onWork(props.chatId, () => hasRun() || commands.again());
  const scopes = () => [
    { value: "", label: w.allSessions },
    ...sessions().map((name) => ({ value: name, label: name })),
  ];
  const files = () => props.changes.value()?.files ?? [];
  const file = createMemo(() => files().find((each) => each.path === selected()) ?? files()[0]);
  return (
    <Answer of={props.changes}>
      {(changed) => (
        <>
          <Show when={changed().files.length > 0 || changesOf() !== ""}>
            <div class="row changes-total">
              <span class="muted trunc">{w.total(changed().files.length, changed().sessions)}</span>
              <PlusMinus added={changed().added} removed={changed().removed} />
              <span class="grow" />
              <Show when={sessions().length > 1 || changesOf() !== ""}>
                <Picker name={w.scope} value={changesOf()} choices={scopes()} onChange={setChangesOf} />
              </Show>
              <Show when={changed().files.length > 0}>
                <IconButton
                  small
                  icon={folded() ? ChevronDown : ChevronUp}
                  label={folded() ? w.expand : w.collapse}
                  onClick={() => setFolded((now) => !now)}
                />
              </Show>
            </div>
          </Show>
          <Show when={hasRun()}>
            <p class="inspector-note muted">{w.notCommands}</p>
          </Show>
          <Show
            when={file()}
            fallback={
              <p class="inspector-empty muted">{changesOf() === "" ? w.empty : w.emptyOf(changesOf())}</p>
            }
          >
            {(open) => (
              <>
                <Show when={!folded()}>
                  <ChangedFiles
                    files={files()}
                    selected={open().path}
                    onSelect={setSelected}
                    onEnter={() => diff?.focus()}
                    control={(control) => {
                      tree = control;
                    }}
                  />
                </Show>
                <OneFile
                  chatId={props.chatId}
                  file={open()}
                  changes={props.changes}
                  control={(control) => {
                    diff = control;
                  }}
                  onLeave={() => {
                    setFolded(false);
                    queueMicrotask(() => tree?.focus());
                  }}
                />
              </>
            )}
          </Show>
        </>
      )}
    </Answer>
  );
}

interface OneFileProps {
  chatId: string;
  file: ChangedFile;
  changes: Loaded<Changed>;
  control(control: RowsControl | undefined): void;
  /** Called to return to the list of files. */
  onLeave(): void;
}

/** OneFile shows a file's diff and its actions. */
function OneFile(props: OneFileProps) {
  const state = useStore();
  const path = createMemo(() => props.file.path);
  const loaded = createLoaded(
    () => `${changesOf()}\n${path()}`,
    () => actions.fileDiff(props.chatId, path(), changesOf()),
    (a, b) => a.path === b.path && a.diff === b.diff && a.net === b.net && a.message === b.message,
  );
  // Any change of the chat may concern the file; the scroll position stays.
  createEffect(on(props.changes.value, () => loaded.again(), { defer: true }));

  const [width, setWidth] = createSignal(0);
  // A side-by-side diff has half the width, so lines wrap unless the user disables that.
  const [chosenWrap, setChosenWrap] = createSignal<boolean>();
  const wrap = () => chosenWrap() ?? (isSplit() || state.settings.wrapDiff === true);
  const [failure, setFailure] = createSignal("");
  let rowsControl: RowsControl | undefined;
  createEffect(on(path, () => rowsControl?.toTop(), { defer: true }));

  const rows = createMemo(() => parseDiff(loaded.value()?.diff ?? ""));
  const isWide = () => width() >= splitAtLeast;
  const isSplit = () => isWide() && state.settings.splitDiff === true;
  const toggleSplit = () =>
    tried(
      actions.saveSettings({ ...unwrap(state.settings), splitDiff: !state.settings.splitDiff }),
      setFailure,
    );
  const firstLine = () => rows().find((row) => row.kind === "add" || row.kind === "del")?.number ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const isAtEdge = (event.currentTarget as HTMLElement).scrollLeft <= 0;
    if (event.key !== "Escape" && !(event.key === "ArrowLeft" && isAtEdge)) return;
    event.preventDefault();
    event.stopPropagation();
    props.onLeave();
  };
  return (
    <>
      <div class="fh">
        <FileName name={props.file.name} />
        <PlusMinus added={props.file.added} removed={props.file.removed} />
        <span class="grow" />
        <IconButton
          small
          icon={TextWrap}
          label={w.wrap}
          aria-pressed={wrap()}
          onClick={() => setChosenWrap(!wrap())}
        />
        <Show when={isWide()}>
          <IconButton small icon={Columns2} label={w.split} aria-pressed={isSplit()} onClick={toggleSplit} />
        </Show>
        <IconButton
          small
          icon={Copy}
          label={w.copyPath}
          onClick={() => tried(actions.copy(props.file.path), setFailure)}
        />
        <Show when={props.file.kind !== "removed"}>
          <IconButton
            small
            icon={ExternalLink}
            label={w.editor}
            onClick={() => openInEditor(props.chatId, props.file.path, firstLine(), setFailure)}
          />
        </Show>
      </div>
      <Failure text={failure()} class="inspector-note c-bad" />
      <Answer of={loaded}>
        {(diff) => (
          <>
            <Show
              when={rows().length > 0}
              fallback={<p class="inspector-empty muted">{diff().message || w.noDiff}</p>}
            >
              <Show when={diff().message}>
                <p class="inspector-note muted">{diff().message}</p>
              </Show>
              <DiffRows
                rows={rows()}
                path={props.file.path}
                label={w.diffOf(seen(props.file.name))}
                split={isSplit()}
                wrap={wrap()}
                onWidth={setWidth}
                onKeyDown={onKeyDown}
                control={(control) => {
                  rowsControl = control;
                  props.control(control);
                }}
              />
            </Show>
            <Show when={diff().cut}>
              <p class="inspector-note muted">{w.cut(bytes(utf8Size(diff().diff)), bytes(diff().size))}</p>
            </Show>
          </>
        )}
      </Answer>
    </>
  );
}
