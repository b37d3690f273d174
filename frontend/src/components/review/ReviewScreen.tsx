// The Review screen: all changes of a source, file by file. The user can keep or revert each change.

import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { provide } from "../../state/commands";
import { areKeys } from "../../state/keys";
import { DraftModel } from "../../state/messageDraft";
import { createPreference } from "../../state/preference";
import { ReviewModel } from "../../state/review";
import { AgentReviewModel } from "../../state/reviewAgent";
import { CommentsModel } from "../../state/reviewComments";
import { CommitModel } from "../../state/reviewCommit";
import { endAmend } from "../../state/reviewCommitInput";
import { watchDisk } from "../../state/reviewDisk";
import type { FileView } from "../../state/reviewFile";
import { PullModel } from "../../state/reviewPull";
import { leaveReview } from "../../state/reviewScreen";
import type { LinePlace } from "../../state/reviewTypes";
import { useStore } from "../../state/store";
import { DiffDialog } from "../inspector/DiffDialog";
import { onToolActivity } from "../inspector/loader";
import { titleOf } from "../shell/ChatRow";
import { StorageBanner } from "../shell/StorageBanner";
import { AgentReviewNotes } from "./AgentReviewNotes";
import { AgentReviewSheet } from "./AgentReviewSheet";
import { commentLines } from "./addComment";
import { CommentsBar } from "./CommentsBar";
import { CommitBox, type CommitControl } from "./CommitBox";
import type { Canvas, FilesInView } from "./canvas";
import { CommentRows } from "./commentRows";
import { DiffArea } from "./DiffArea";
import { FilesDrawer } from "./FilesDrawer";
import { FileTree, type FileTreeControl } from "./FileTree";
import { FindState } from "./find";
import { isForReview, ReviewKeys } from "./keys";
import { PullSheet } from "./PullSheet";
import { followPull } from "./pullFlow";
import { ReviewFind } from "./ReviewFind";
import { ReviewFoot } from "./ReviewFoot";
import { ReviewHeader } from "./ReviewHeader";
import { Empty, Incomplete, Strip } from "./ReviewStates";
import { Suggestions } from "./suggestions";
import "./comments.css";
import "./review.css";
import "./review-rows.css";

const t = messages.review;

/**
 * Width of the window, in pixels, below which the list of files is a drawer and the diffs have one column.
 */
const drawerBelow = 900;

/**
 * Delay in milliseconds between opening the drawer and focusing the commit box in it. The drawer itself takes
 * the focus when it opens.
 */
const drawerMillis = 100;

/** Times in milliseconds before a loading indicator is shown, and before it gives the reason. */
const slowAfter = 300;
const longAfter = 3000;

export interface ReviewScreenProps {
  chatId: string;
  source: string;
}

export function ReviewScreen(props: ReviewScreenProps) {
  const { chatId } = props;
  onCleanup(() => endAmend(chatId));
  return (
    <Show keyed when={props.source}>
      {(source) => <Review chatId={props.chatId} source={source} />}
    </Show>
  );
}

/** createNarrow tracks whether the window is narrow. */
function createNarrow() {
  const query = window.matchMedia(`(max-width: ${drawerBelow - 1}px)`);
  const [narrow, setNarrow] = createSignal(query.matches);
  const onChange = () => setNarrow(query.matches);
  query.addEventListener("change", onChange);
  onCleanup(() => query.removeEventListener("change", onChange));
  return narrow;
}

function Review(props: ReviewScreenProps) {
  const state = useStore();
  const narrow = createNarrow();
  const [layout, setLayout] = createPreference("voxpilot.review-layout", "unified");
  const [wraps, setWraps] = createPreference("voxpilot.review-wrap", "off");
  const split = () => !narrow() && layout() === "split";
  const model = new ReviewModel(props.chatId, props.source);
  const find = new FindState(model);
  const commit = new CommitModel(model, () => state.reviewJobs);
  const draft = new DraftModel(commit, () => state.messageDrafts);
  const pull = new PullModel(commit, () => state.reviewJobs);
  const comments = new CommentsModel(model);
  const suggestions = new Suggestions({ comments, canvas: () => canvas, focusDiffs: () => focusDiffs() });
  const agentReview = new AgentReviewModel(comments, state);
  const commentRows = new CommentRows(comments, suggestions, () => focusDiffs());
  // The app determines the list of files while the page renders the screen.
  const opening = model.open();
  onCleanup(() => commentRows.dispose());
  const [findOpens, setFindOpens] = createSignal(0);
  const [view, setView] = createSignal<FilesInView>({ top: "", bottom: "", read: "" });
  /** The file of the current change or, if it isn't in view, the one that the user is probably reading. */
  const selected = createMemo(() => {
    const path = model.current()?.path;
    const { read } = view();
    return path !== undefined && canvas?.isVisible(path) ? path : read;
  });
  const [drawer, setDrawer] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const [isSlow, setSlow] = createSignal(false);
  const [isLong, setLong] = createSignal(false);
  const timers = [setTimeout(() => setSlow(true), slowAfter), setTimeout(() => setLong(true), longAfter)];
  onCleanup(() => timers.forEach(clearTimeout));
  /** The element that had the focus when the user asked for the commit box before it was rendered. */
  let focusedBefore: Element | null = null;
  let canvas: Canvas | undefined;
  let tree: FileTreeControl | undefined;
  let commitBox: CommitControl | undefined;
  let main!: HTMLElement;

  const keys = new ReviewKeys({
    model,
    canvas: () => canvas,
    selected,
    toggleLayout: () => !narrow() && setLayout(split() ? "unified" : "split"),
    focusFilter: () => {
      setDrawer(narrow());
      queueMicrotask(() => tree?.focusFilter());
    },
    commit: () => toCommit(),
    comment: (file, place) => {
      const closed = model.range() ? undefined : comments.texts.closedIn(file, model.current()?.hunk ?? -1);
      if (closed === undefined) startComment(file, place);
      else {
        comments.texts.open(closed);
        showForm(file, closed);
      }
    },
    send: () => void send(),
    stage: (file, part) => void commit.stage(file, part),
    stageFile: (file) => void commit.stage(file),
    suggestions,
    focusDiffs: () => focusDiffs(),
    find: () => openFind(),
    leave: () => {
      if (!commit.draft().amend) leaveReview();
      else commit.amend(false);
    },
  });
  const toCommit = () => {
    focusedBefore = commit.isUnknown() ? document.activeElement : null;
    if (!commit.isRepository()) return;
    setDrawer(narrow());
    // Opening the drawer moves the focus into it, so the commit box is focused after that.
    if (narrow()) setTimeout(() => commitBox?.focus(), drawerMillis);
    else commitBox?.focus();
  };
  createEffect(
    on(commit.isRepository, (is) => {
      // In the meantime, the user may have moved the focus.
      if (is && focusedBefore !== null && document.activeElement === focusedBefore) toCommit();
    }),
  );
  const startComment = (file: FileView, place: LinePlace) => {
    const id = comments.start(commentLines(file, model.range(), place));
    model.setRange(undefined);
    showForm(file, id);
  };
  /** Scrolls to the field of a comment and focuses it. */
  const showForm = (file: FileView, id: string) => {
    const row = file.rows.insertRow(`form:${id}`);
    canvas?.reveal(file.path, row);
    requestAnimationFrame(() => {
      canvas?.rowElement(file.path, row)?.querySelector("textarea")?.focus({ preventScroll: true });
      // The height of the form is known only in the next frame.
      requestAnimationFrame(() => canvas?.reveal(file.path, file.rows.insertRow(`form:${id}`)));
    });
  };
  const send = async () => {
    const count = comments.drafts().length;
    if (await comments.send()) model.announce(messages.reviewComments.sentAnnounced(count));
  };
  const openFind = () => {
    find.open();
    setFindOpens((n) => n + 1);
  };
  const closeFind = () => {
    find.close();
    focusDiffs();
  };
  const focusDiffs = () => main.querySelector<HTMLElement>(".rv-scroll")?.focus({ preventScroll: true });
  provide("find", openFind);
  provide(
    "askReview",
    () => agentReview.openSheet(),
    () => model.files.length > 0 && !agentReview.isRunning(),
  );

  let isReloading = false;
  let isDue = false;
  /**
   * Reloads the files, the commit form and the comments. Calls during a reload cause a single further reload, because
   * loading a large list takes a second.
   */
  const reload = async () => {
    isDue = true;
    if (isReloading) return;
    isReloading = true;
    while (isDue) {
      isDue = false;
      await Promise.all([model.reload(), commit.load(), comments.load()]);
    }
    isReloading = false;
  };
  onToolActivity(props.chatId, () => void reload());
  watchDisk(props.chatId, model.isOpened, reload);
  const onFocus = () => void reload();
  window.addEventListener("focus", onFocus);
  onCleanup(() => window.removeEventListener("focus", onFocus));
  onMount(async () => {
    // The window often gets the focus while the review opens. The review is then reloaded only once it is open.
    isReloading = true;
    await opening;
    toFirstUnseen();
    // Slow requests, such as those for the commit form and the pull request, are sent after the first files are shown.
    await model.read();
    await model.complete();
    model.markOpened();
    await commit.load();
    isReloading = false;
    if (isDue) void reload();
  });
  followPull(pull, model.isOpened, () => state.reviewJobs);
  createEffect(
    on(
      () => state.commentChanges[props.chatId],
      () => void comments.load(),
    ),
  );
  /** Scrolls to the first file that hasn't been viewed, where the review starts. */
  const toFirstUnseen = () => {
    const first = model.files.findIndex((file) => !file.file.viewed);
    const path = model.files[first]?.path;
    if (first > 0 && path !== undefined) canvas?.show(path);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isForReview(event)) return;
    // The drawer covers the diffs, so their shortcuts must have no effect. The commit box is in the drawer.
    if (drawer()) {
      if (!areKeys(["Mod", "Shift", "K"], event) || !commit.isRepository()) return;
      commitBox?.focus();
      event.preventDefault();
      return;
    }
    if (keys.handle(event)) event.preventDefault();
  };
  window.addEventListener("keydown", onKeyDown, { capture: true });
  onCleanup(() => window.removeEventListener("keydown", onKeyDown, { capture: true }));
  createEffect(on(narrow, () => setDrawer(false)));
  // Opening a sheet closes the drawer.
  createEffect(
    on(
      () => pull.isOpen() || agentReview.isOpen(),
      (open) => open && setDrawer(false),
    ),
  );

  /**
   * Paths of the files in the next commit. Undefined if the commit form isn't loaded, if the list has checkboxes, or if
   * the commit contains all files of the list.
   */
  const marked = createMemo(() => {
    model.rev();
    const { files } = commit.draft();
    if (!commit.form() || files === "chosen") return undefined;
    const paths = new Set(commit.files.filesOf(files).map((file) => file.path));
    return model.files.every((file) => file.isGone || paths.has(file.path)) ? undefined : paths;
  });
  const select = (path: string) => {
    const file = model.file(path);
    if (file) keys.goToFile(file);
  };
  const Files = (own: { beside?: JSX.Element }) => (
    <>
      <FileTree
        model={model}
        selected={selected()}
        onSelect={select}
        onPick={() => setDrawer(false)}
        onEnter={(path) => {
          select(path);
          setDrawer(false);
          focusDiffs();
        }}
        control={(control) => {
          tree = control;
        }}
        beside={own.beside}
        badge={(file) => (
          <Show when={comments.count(file.path) > 0}>
            <span class="cb num">{comments.count(file.path)}</span>
          </Show>
        )}
        describe={(file) =>
          comments.count(file.path) > 0 ? messages.reviewComments.inTree(comments.count(file.path)) : ""
        }
        isInCommit={(path) => marked()?.has(path) === true}
        chooser={commit.draft().files === "chosen" ? commit.files : undefined}
      />
      <CommitBox
        model={commit}
        draft={draft}
        pull={pull}
        primary={comments.drafts().length === 0}
        control={(control) => {
          commitBox = control;
        }}
      />
    </>
  );
  const chat = () => state.chats[props.chatId];
  const isEmpty = () => {
    model.rev();
    return model.list() !== undefined && model.files.length === 0;
  };
  return (
    <div class="rv" classList={{ narrow: narrow() }}>
      <Show when={chat()}>
        {(known) => (
          <ReviewHeader
            model={model}
            pull={pull}
            agentReview={agentReview}
            chat={known()}
            narrow={narrow()}
            split={split()}
            wrap={wraps() === "on"}
            onSplit={(on) => setLayout(on ? "split" : "unified")}
            onWrap={(on) => setWraps(on ? "on" : "off")}
            onFind={openFind}
            onOpenFiles={() => setDrawer(true)}
          />
        )}
      </Show>
      <Show when={!narrow()}>
        <aside class="rv-files" aria-label={t.filesAndCommit}>
          <Files />
        </aside>
      </Show>
      <main
        ref={main}
        class="rv-main"
        aria-label={t.of(chat() ? titleOf(chat() as NonNullable<ReturnType<typeof chat>>) : "")}
      >
        <StorageBanner />
        <Show when={find.isOpen()}>
          <ReviewFind find={find} opens={findOpens()} topPath={() => view().top} onClose={closeFind} />
        </Show>
        <Strip
          text={failure() || model.problem() || (model.list() ? (model.failure()?.message ?? "") : "")}
          onDismiss={() => {
            setFailure("");
            model.clearProblem();
          }}
        />
        <Incomplete model={model} isLong={isLong()} />
        <Show when={!model.isStarted() && !model.list() && !model.failure() && isSlow()}>
          <p class="rv-none muted" role="status">
            {isLong() ? t.loadingLong : t.loading}
          </p>
        </Show>
        <Show
          when={!isEmpty() && (model.list() || !model.failure())}
          fallback={<Empty model={model} source={props.source} />}
        >
          <DiffArea
            model={model}
            wrap={wraps() === "on"}
            split={split()}
            find={find}
            keys={keys}
            label={t.diffs}
            onView={setView}
            canvas={(made) => {
              canvas = made;
              find.canvas = made;
            }}
            onFailure={setFailure}
            onComment={startComment}
            drawInsert={commentRows.draw}
            onStage={(file) => void commit.stage(file)}
          />
        </Show>
        <ReviewFoot
          model={model}
          chatId={props.chatId}
          narrow={narrow()}
          drafts={comments.drafts().length}
          suggestions={comments.suggestions().length}
          onCommit={commit.isRepository() ? () => keys.commit() : undefined}
        />
        <AgentReviewNotes model={agentReview} suggestions={suggestions} />
        <CommentsBar model={comments} narrow={narrow()} onSend={() => void send()} />
        <p class="sr" aria-live="polite">
          {model.announcement()}
        </p>
      </main>
      <FilesDrawer open={drawer()} onClose={() => setDrawer(false)}>
        {(close) => <Files beside={close} />}
      </FilesDrawer>
      <PullSheet model={pull} focusOtherwise={() => (narrow() ? focusDiffs() : commitBox?.focus())} />
      <AgentReviewSheet model={agentReview} focusOtherwise={focusDiffs} />
      <DiffDialog of={conflictOf(model)} onClose={() => model.reverts.closeConflict()} />
    </div>
  );
}

function conflictOf(model: ReviewModel) {
  const conflict = model.reverts.conflict();
  if (!conflict) return undefined;
  const { sidesTitle, sidesLead } = messages.inspector.changes;
  return {
    title: sidesTitle(visibleText(conflict.path)),
    lead: sidesLead,
    path: conflict.path,
    diff: conflict.diff,
  };
}
