// The diffs of all files in one scroll area, with the actions on files, changes and lines.

import { createEffect, createMemo, on, onCleanup, onMount } from "solid-js";
import { render } from "solid-js/web";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { openInEditor } from "../../state/editor";
import type { ReviewModel } from "../../state/review";
import type { FileView } from "../../state/reviewFile";
import type { Insert, Row } from "../../state/reviewRows";
import { stagedIn } from "../../state/reviewStaged";
import type { LinePlace } from "../../state/reviewTypes";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { addButton } from "./addComment";
import { ConflictRow, conflictOf } from "./ConflictRow";
import { Canvas, type FilesInView } from "./canvas";
import { CodeSelection } from "./copy";
import { FileState, PutBackRow } from "./FileState";
import type { FindState } from "./find";
import type { Act } from "./heads";
import type { ReviewKeys } from "./keys";
import { rowRange, selectedBlocks } from "./parts";
import { keepPresses } from "./press";
import type { DrawInsert } from "./section";

export interface DiffAreaProps {
  model: ReviewModel;
  wrap: boolean;
  split: boolean;
  find: FindState;
  keys: ReviewKeys;
  label: string;
  onView(view: FilesInView): void;
  canvas(canvas: Canvas): void;
  /** Renders rows that belong to other parts of the screen, such as comments. */
  drawInsert?: DrawInsert;
  onFailure(message: string): void;
  /** Starts a comment on a line. */
  onComment(file: FileView, place: LinePlace): void;
  /** Stages or unstages all changes to a file. */
  onStage(file: FileView): void;
}

/**
 * Heights of a file's header, a change's header and the row after the last change, minus the height of a line, in
 * pixels.
 */
const extra = { file: 22, hunk: 10, tail: 8 };

/** lineHeight returns the height of a line in pixels, which depends on the text size. */
function lineHeight(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).getPropertyValue("--lh-mono")) || 18;
}

export function DiffArea(props: DiffAreaProps) {
  const state = useStore();
  let scroller!: HTMLElement;
  let area!: HTMLDivElement;
  let canvas: Canvas | undefined;
  const { model } = props;
  const folder = createMemo(() => state.chats[model.chatId]?.folder ?? "");

  const layout = () => {
    const line = lineHeight(scroller);
    scroller.style.setProperty("--head", `${line + extra.file}px`);
    model.setLayout(props.split, { line, head: line + extra.hunk, tail: line + extra.tail });
  };

  const edit = (file: FileView, line: number) =>
    openInEditor(model.chatId, `${folder()}/${file.path}`, line, props.onFailure);

  const drawInsert = (file: FileView, insert: Insert, into: HTMLElement): (() => void) => {
    if (insert.id === "state") return render(() => <FileState model={model} file={file} />, into);
    const note = file.notes.find((each) => insert.id === `note:${each.id}`);
    if (note) return render(() => <PutBackRow model={model} note={note} />, into);
    const conflict = conflictOf(file, insert.id);
    if (conflict)
      return render(
        () => (
          <ConflictRow
            model={model}
            file={file}
            {...conflict}
            onEdit={(line) => edit(file, line)}
            onAsk={(text) => {
              composer.fill(model.chatId, text);
              go({ name: "chat", id: model.chatId });
            }}
          />
        ),
        into,
      );
    return props.drawInsert?.(file, insert, into) ?? (() => {});
  };

  onMount(() => {
    canvas = new Canvas(scroller, area, {
      model,
      context: (file) => {
        const rows = rowRange(file, model.range());
        return {
          file,
          lines: model.lines,
          finds: (side, line) => props.find.inLine(file.path, side, line),
          isSelected: (row) => rows !== undefined && isBetween(file, row, rows),
        };
      },
      look: (file, hunk) => {
        const place = model.current();
        const rows = rowRange(file, model.range());
        const blocks = rows ? selectedBlocks(file, hunk, rows) : [];
        return {
          isCurrent: place?.path === file.path && place.hunk === hunk,
          selected: blocks.reduce((sum, [, olds, , news]) => sum + olds + news, 0),
          staged: stagedIn(file.diff, blocks.length > 0 ? blocks : file.rows.blocksOf(hunk)),
        };
      },
      isCurrent: (file) => model.current()?.path === file.path,
      drawInsert,
      wraps: () => props.wrap,
      headHeight: () => model.heights.line + extra.file,
      isFixed: () => props.split && !props.wrap,
      onView: props.onView,
      onWidth: (columns) => area.style.setProperty("--columns", String(columns)),
    });
    model.canvas = canvas;
    props.canvas(canvas);
    layout();
    canvas.keep(() => {});
    scroller.focus({ preventScroll: true });
    onCleanup(() => {
      canvas?.dispose();
      model.detach();
    });
  });
  createEffect(on([() => props.split, () => state.settings.textSize], layout, { defer: true }));
  createEffect(
    on(
      () => props.wrap,
      () => {
        // The measured heights are valid only for the previous setting of line wrapping.
        canvas?.keep(() => {
          for (const file of model.files) {
            file.forget();
            model.build(file);
          }
        });
      },
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => props.find.rev(),
      () => {
        for (const file of model.files) if (canvas?.section(file.path)) canvas.refill(file.path, true);
      },
      { defer: true },
    ),
  );

  const fileOf = (target: Element) => model.file(target.closest<HTMLElement>(".rv-sec")?.dataset.path ?? "");
  const placeOf = (target: Element): { file: FileView; row: Row; place: LinePlace } | undefined => {
    const file = fileOf(target);
    const element = target.closest<HTMLElement>("[data-row]");
    if (!file || !element || element.dataset.insert !== undefined) return undefined;
    const row = file.rows.row(Number(element.dataset.row));
    const isSecond =
      element.classList.contains("sl") && target.matches(".n:nth-of-type(4), .c:nth-of-type(5)");
    const side = row.old >= 0 && (row.new < 0 || (row.kind === "pair" && !isSecond)) ? "old" : "new";
    const at = side === "old" ? row.old : row.new;
    return at < 0 ? undefined : { file, row, place: { side, at } };
  };
  const run = (act: Act, file: FileView, hunk: number) => {
    switch (act) {
      case "fold":
        model.change(file, () => {
          file.isFolded = !file.isFolded;
        });
        break;
      case "viewed":
        props.keys.viewed(file);
        break;
      case "revertFile":
        void model.reverts.putBack(file);
        break;
      case "stageFile":
        props.onStage(file);
        break;
      case "stage":
        props.keys.stage({ path: file.path, hunk });
        break;
      case "editor":
        edit(file, file.linesOf(0)[0]);
        break;
      case "newer":
        model.showNewer(file);
        break;
      case "keep":
        model.setCurrent({ path: file.path, hunk });
        props.keys.keep();
        break;
      case "revert":
        props.keys.revert({ path: file.path, hunk });
        break;
      default:
        model.change(file, () => file.open(hunk, act));
    }
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const file = fileOf(target);
    const button = target.closest<HTMLElement>("[data-act]");
    if (!file) return;
    if (button) {
      run(button.dataset.act as Act, file, Number(button.dataset.hunk ?? -1));
      return;
    }
    if (target.closest(".rv-insert, .rv-head")) return;
    const row = target.closest<HTMLElement>("[data-row]");
    if (!row || target.matches(".n")) return;
    const { hunk } = file.rows.row(Number(row.dataset.row));
    const isSelecting = !(getSelection()?.isCollapsed ?? true);
    if (hunk >= 0 && !isSelecting) model.setCurrent({ path: file.path, hunk });
  };
  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as Element;
    if (event.button !== 0 || !target.matches(".n")) return;
    const found = placeOf(target);
    if (!found) return;
    event.preventDefault();
    scroller.focus({ preventScroll: true });
    const { file, row, place } = found;
    const before = model.range();
    const from = event.shiftKey && before?.path === file.path ? before.from : place;
    if (row.hunk >= 0 && before?.path !== file.path) model.setCurrent({ path: file.path, hunk: row.hunk });
    model.setRange({ path: file.path, from, to: place });
    const onMove = (move: PointerEvent) => {
      const next = placeOf(move.target as Element);
      if (next?.file === file) model.setRange({ path: file.path, from, to: next.place });
    };
    const onUp = () => {
      area.removeEventListener("pointerover", onMove);
      window.removeEventListener("pointerup", onUp);
    };
    area.addEventListener("pointerover", onMove);
    window.addEventListener("pointerup", onUp);
  };
  onMount(() => {
    const selection = new CodeSelection(
      area,
      model,
      (text) => void actions.copy(text).catch(({ message }) => props.onFailure(message)),
    );
    onCleanup(() => selection.dispose());
    area.addEventListener("click", onClick);
    area.addEventListener("pointerdown", onPointerDown);
    onCleanup(addButton(area, placeOf, props.onComment));
    onCleanup(keepPresses(area, model, run));
  });

  return (
    <>
      <section
        ref={scroller}
        class="rv-scroll"
        classList={{ busy: model.isBusy() }}
        tabindex="0"
        aria-label={props.label}
      >
        <div
          ref={area}
          class="rv-area"
          classList={{ wraps: props.wrap, halves: props.split && !props.wrap }}
        />
      </section>
      <div class="rv-focus" aria-hidden="true" />
    </>
  );
}

function isBetween(file: FileView, row: Row, [from, to]: readonly [number, number]): boolean {
  const index = row.new >= 0 ? file.rows.rowOf("new", row.new) : file.rows.rowOf("old", row.old);
  return index >= from && index <= to;
}
