// The changes in a chat: the list of files, and the diff of one of them.

import ChevronDown from "lucide-solid/icons/chevron-down";
import ChevronUp from "lucide-solid/icons/chevron-up";
import Columns2 from "lucide-solid/icons/columns-2";
import Copy from "lucide-solid/icons/copy";
import ExternalLink from "lucide-solid/icons/external-link";
import GitCommit from "lucide-solid/icons/git-commit-horizontal";
import TextWrap from "lucide-solid/icons/text-wrap";
import Undo2 from "lucide-solid/icons/undo-2";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, on, onCleanup, Show, untrack } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { hunksOf, parseDiff } from "../../lib/diff";
import { bytes, relativePath, utf8Size, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { openInEditor } from "../../state/editor";
import {
  type BlameTarget,
  blameTarget,
  changesOf,
  setBlameTarget,
  setChangesOf,
} from "../../state/inspector";
import { openReview } from "../../state/reviewScreen";
import { useStore } from "../../state/store";
import type { Changes as Changed, ChangedFile } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Picker } from "../ui/Picker";
import { Blame } from "./Blame";
import { ChangedFiles, FileName, PlusMinus } from "./ChangedFiles";
import { DiffDialog } from "./DiffDialog";
import { DiffRows } from "./DiffRows";
import { LoadState } from "./LoadState";
import { createLoader, type Loader, onToolActivity, runLogged } from "./loader";
import { canPutBack, createPutBacks, LastPutBack } from "./PutBack";
import type { RowsControl } from "./Rows";
import { sessionsOf } from "./sessions";
import "./changes.css";

const t = messages.inspector.changes;

/** Minimum width in pixels for a side-by-side diff. */
const minSplitWidth = 640;

/** createChanges loads the changes in a chat and keeps them up to date. */
export function createChanges(chatId: string): Loader<Changed> {
  const changes = createLoader(changesOf, () => actions.changes(chatId, changesOf()));
  onToolActivity(chatId, changes.reload);
  // Other programs may have changed files.
  window.addEventListener("focus", changes.reload);
  onCleanup(() => window.removeEventListener("focus", changes.reload));
  return changes;
}

/**
 * Changes is the Changes tab: the list of changed files or, after a click on a file mentioned in a message, that file
 * with the messages that its lines come from.
 */
export function Changes(props: { chatId: string; changes: Loader<Changed> }) {
  onCleanup(() => setBlameTarget(undefined));
  return (
    <Show when={blameTarget()} fallback={<Files {...props} />}>
      {(target) => <MentionedFile chatId={props.chatId} target={target()} version={props.changes.value()} />}
    </Show>
  );
}

/** MentionedFile shows a file mentioned in a message, with the messages that its lines come from. */
function MentionedFile(props: { chatId: string; target: BlameTarget; version: unknown }) {
  const state = useStore();
  const name = () => relativePath(props.target.path, state.chats[props.chatId]?.folder ?? "");
  const [failure, setFailure] = createSignal("");
  const close = () => {
    setBlameTarget(undefined);
    queueMicrotask(() =>
      document.querySelector<HTMLElement>(".inspector [role=tab][aria-selected=true]")?.focus(),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <>
      <div class="fh">
        <FileName name={name()} />
        <span class="grow" />
        <IconButton
          small
          icon={ExternalLink}
          label={t.editor}
          onClick={() => openInEditor(props.chatId, props.target.path, props.target.line, setFailure)}
        />
        <IconButton small icon={X} label={t.blame.close} onClick={close} />
      </div>
      <Failure text={failure()} class="inspector-note c-bad" />
      <Blame
        path={props.target.path}
        name={name()}
        line={props.target.line}
        version={props.version}
        onKeyDown={onKeyDown}
        control={() => {}}
      />
    </>
  );
}

/** Files lists the changed files and shows the diff of one of them. */
function Files(props: { chatId: string; changes: Loader<Changed> }) {
  const state = useStore();
  const [selected, setSelected] = createSignal("");
  const [folded, setFolded] = createSignal(false);
  let tree: { focus(): void } | undefined;
  let diff: RowsControl | undefined;

  const sessions = createMemo(() => sessionsOf(state, props.chatId).map((view) => view.name));
  const commands = createLoader(
    () => props.chatId,
    () => actions.commandRuns(props.chatId),
  );
  const hasRun = () => (commands.value() ?? []).length > 0;
  onToolActivity(props.chatId, () => hasRun() || commands.reload());
  const scopes = () => [
    { value: "", label: t.allSessions },
    ...sessions().map((name) => ({ value: name, label: name })),
  ];
  const files = () => props.changes.value()?.files ?? [];
  const file = createMemo(() => files().find((each) => each.path === selected()) ?? files()[0]);
  return (
    <LoadState of={props.changes}>
      {(changed) => (
        <>
          <Show when={changed().files.length > 0 || changesOf() !== ""}>
            <div class="row changes-total">
              <span class="muted trunc">{t.total(changed().files.length, changed().sessions)}</span>
              <PlusMinus added={changed().added} removed={changed().removed} />
              <span class="grow" />
              <Show when={sessions().length > 1 || changesOf() !== ""}>
                <Picker name={t.scope} value={changesOf()} choices={scopes()} onChange={setChangesOf} />
              </Show>
              <Show when={changed().files.length > 0}>
                <button
                  type="button"
                  class="hb"
                  aria-label={messages.commands.reviewChanges}
                  onClick={() => openReview(props.chatId)}
                >
                  {messages.lines.receipt.review}
                </button>
                <IconButton
                  small
                  icon={folded() ? ChevronDown : ChevronUp}
                  label={folded() ? t.expand : t.collapse}
                  onClick={() => setFolded((now) => !now)}
                />
              </Show>
            </div>
          </Show>
          <Show when={hasRun()}>
            <p class="inspector-note muted">{t.notCommands}</p>
          </Show>
          <Show
            when={file()}
            fallback={
              <p class="inspector-empty muted">{changesOf() === "" ? t.empty : t.emptyOf(changesOf())}</p>
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
    </LoadState>
  );
}

interface OneFileProps {
  chatId: string;
  file: ChangedFile;
  changes: Loader<Changed>;
  control(control: RowsControl | undefined): void;
  /** Called to return to the list of files. */
  onLeave(): void;
}

/** OneFile shows a file's diff and its actions. */
function OneFile(props: OneFileProps) {
  const state = useStore();
  const path = createMemo(() => props.file.path);
  const loaded = createLoader(
    () => `${changesOf()}\n${path()}`,
    () => actions.fileDiff(props.chatId, path(), changesOf()),
    (a, b) => a.path === b.path && a.diff === b.diff && a.net === b.net && a.message === b.message,
  );
  // Any change in the chat may affect the file. Reloading its diff keeps the scroll position.
  createEffect(on(props.changes.value, () => loaded.reload(), { defer: true }));

  const [width, setWidth] = createSignal(0);
  // Each side of a side-by-side diff has half the width, so lines wrap unless the user disables wrapping.
  const [chosenWrap, setChosenWrap] = createSignal<boolean>();
  const wrap = () => chosenWrap() ?? (isSplit() || state.settings.wrapDiff === true);
  const [failure, setFailure] = createSignal("");
  const [wantsBlame, setWantsBlame] = createSignal(false);
  const isBlame = () => wantsBlame() && props.file.kind !== "removed";
  let rowsControl: RowsControl | undefined;
  const putBacks = createPutBacks(
    untrack(() => props.chatId),
    () => props.changes.reload(),
  );
  createEffect(
    on(
      path,
      () => {
        rowsControl?.toTop();
        putBacks.clear();
      },
      { defer: true },
    ),
  );

  const isInFolder = createMemo(() => canPutBack(props.file));
  const rows = createMemo(() => parseDiff(loaded.value()?.diff ?? "", isInFolder()));
  /**
   * The hunks, each as a separate diff. If the diff is truncated, its last hunk may be incomplete and is left
   * out.
   */
  const hunks = createMemo(() => {
    const all = hunksOf(loaded.value()?.diff ?? "");
    return loaded.value()?.cut ? all.slice(0, -1) : all;
  });
  const putBack = async (diff: string, whole: boolean) => {
    await putBacks.run(props.file, { path: props.file.path, diff, whole });
    // The hunk's button, which has the focus, is about to be removed.
    if (putBacks.outcome() !== "" && document.activeElement?.closest(".diff")) rowsControl?.focus();
  };
  const isWide = () => width() >= minSplitWidth;
  const isSplit = () => isWide() && state.settings.splitDiff === true;
  const toggleSplit = () =>
    runLogged(
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
        <Show when={!isBlame() && isInFolder() && rows().length > 0 && !loaded.value()?.cut}>
          <IconButton
            small
            icon={Undo2}
            label={t.putBackFile(visibleText(props.file.name))}
            aria-busy={putBacks.isBusy()}
            onClick={() => putBack(loaded.value()?.diff ?? "", changesOf() === "")}
          />
        </Show>
        <Show when={props.file.kind !== "removed"}>
          <IconButton
            small
            icon={GitCommit}
            label={t.blame.toggle}
            aria-pressed={isBlame()}
            onClick={() => setWantsBlame(!isBlame())}
          />
        </Show>
        <Show when={!isBlame()}>
          <IconButton
            small
            icon={TextWrap}
            label={t.wrap}
            aria-pressed={wrap()}
            onClick={() => setChosenWrap(!wrap())}
          />
          <Show when={isWide()}>
            <IconButton
              small
              icon={Columns2}
              label={t.split}
              aria-pressed={isSplit()}
              onClick={toggleSplit}
            />
          </Show>
        </Show>
        <IconButton
          small
          icon={Copy}
          label={t.copyPath}
          onClick={() => runLogged(actions.copy(props.file.path), setFailure)}
        />
        <Show when={props.file.kind !== "removed"}>
          <IconButton
            small
            icon={ExternalLink}
            label={t.editor}
            onClick={() => openInEditor(props.chatId, props.file.path, firstLine(), setFailure)}
          />
        </Show>
      </div>
      <Failure text={failure() || putBacks.failure()} class="inspector-note c-bad" />
      <LastPutBack of={putBacks} file={props.file} />
      <DiffDialog of={putBacks.sides()} onClose={putBacks.closeSides} />
      <Show
        when={!isBlame()}
        fallback={
          <Blame
            path={props.file.path}
            name={props.file.name}
            version={props.changes.value()}
            onKeyDown={onKeyDown}
            control={(control) => {
              rowsControl = control;
              props.control(control);
            }}
          />
        }
      >
        <LoadState of={loaded}>
          {(diff) => (
            <>
              <Show
                when={rows().length > 0}
                fallback={<p class="inspector-empty muted">{diff().message || t.noDiff}</p>}
              >
                <Show when={diff().message}>
                  <p class="inspector-note muted">{diff().message}</p>
                </Show>
                <DiffRows
                  rows={rows()}
                  path={props.file.path}
                  label={t.diffOf(visibleText(props.file.name))}
                  split={isSplit()}
                  wrap={wrap()}
                  onWidth={setWidth}
                  ofHunk={(hunk) => (
                    <Show when={hunks()[hunk.index]}>
                      {(diff) => (
                        <button
                          type="button"
                          class="hb"
                          aria-label={t.putBackLines(hunk.from, hunk.to)}
                          aria-busy={putBacks.isBusy()}
                          onClick={() => putBack(diff(), false)}
                        >
                          {t.putBack}
                        </button>
                      )}
                    </Show>
                  )}
                  onKeyDown={onKeyDown}
                  control={(control) => {
                    rowsControl = control;
                    props.control(control);
                  }}
                />
              </Show>
              <Show when={diff().cut}>
                <p class="inspector-note muted">{t.cut(bytes(utf8Size(diff().diff)), bytes(diff().size))}</p>
              </Show>
            </>
          )}
        </LoadState>
      </Show>
    </>
  );
}
