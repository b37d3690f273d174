// The button that starts a comment on the line under the pointer.

import Plus from "lucide-solid/icons/plus";
import { messages } from "../../i18n";
import type { LineRange } from "../../state/reviewCanvas";
import type { CommentLines } from "../../state/reviewCommentTexts";
import type { FileView } from "../../state/reviewFile";
import type { LinePlace } from "../../state/reviewTypes";
import type { ReviewSide } from "../../state/types";
import { iconElement } from "../ui/Icon";
import { rowRange } from "./parts";

const t = messages.reviewComments;

/**
 * commentLines returns the lines for a comment that the user starts at a line. If that line is selected, these are the
 * selected lines of the new version or, if there are none, of the old version. Otherwise, it's only that line.
 */
export function commentLines(file: FileView, range: LineRange | undefined, place: LinePlace): CommentLines {
  const alone = { path: file.path, side: place.side, start: place.at, end: place.at };
  const rows = rowRange(file, range);
  const at = file.rows.rowOf(place.side, place.at);
  if (!rows || at < rows[0] || at > rows[1]) return alone;
  const lines = linesIn(file, rows, "new") ?? linesIn(file, rows, "old");
  return lines ? { path: file.path, ...lines } : alone;
}

function linesIn(file: FileView, [from, to]: readonly [number, number], side: ReviewSide) {
  const lines: number[] = [];
  for (let index = from; index <= to; index++) {
    const line = file.rows.row(index)[side];
    if (line >= 0) lines.push(line);
  }
  const [start, end] = [lines[0], lines.at(-1)];
  return start === undefined || end === undefined ? undefined : { side, start, end };
}

/**
 * defaultPlace returns the line for a comment that the user adds with the keyboard: the end of the selection or, if
 * nothing is selected in the file, the last line of the change. It returns undefined if there is no such change.
 */
export function defaultPlace(
  file: FileView,
  range: LineRange | undefined,
  hunk: number,
): LinePlace | undefined {
  if (range?.path === file.path) return range.to;
  const block = file.rows.blocksOf(hunk).at(-1);
  if (!block) return undefined;
  const [old, oldCount, start, newCount] = block;
  return newCount > 0 ? { side: "new", at: start + newCount - 1 } : { side: "old", at: old + oldCount - 1 };
}

/**
 * addButton shows a button on the line under the pointer. A click calls `start` with that line. `placeOf` returns the
 * line that an element in a row belongs to. The returned function removes the button and its listeners.
 */
export function addButton(
  area: HTMLElement,
  placeOf: (target: Element) => { file: FileView; place: LinePlace } | undefined,
  start: (file: FileView, place: LinePlace) => void,
): () => void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "add-c";
  // Keyboard users press C instead.
  button.tabIndex = -1;
  button.append(iconElement(Plus, ""));
  let now: { file: FileView; place: LinePlace } | undefined;
  const onOver = (event: PointerEvent) => {
    const target = event.target as Element;
    if (target === button || button.contains(target)) return;
    const row = target.closest<HTMLElement>(".rv-rows :is(.dl, .sl):not(.h)");
    now = row ? placeOf(target) : undefined;
    if (!row || !now || event.buttons !== 0) {
      button.remove();
      return;
    }
    const isRight = row.classList.contains("sl") && now.place.side === "new";
    button.classList.toggle("right", isRight);
    button.ariaLabel = t.add(now.place.at + 1);
    row.append(button);
  };
  const onLeave = () => button.remove();
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    // The row may have been reused for another line since the pointer entered it.
    const found = now && placeOf(button.parentElement?.querySelector(".n") ?? button) ? now : undefined;
    button.remove();
    if (found) start(found.file, found.place);
  };
  area.addEventListener("pointerover", onOver);
  area.addEventListener("pointerleave", onLeave);
  area.addEventListener("pointerdown", onLeaveUnless);
  button.addEventListener("click", onClick);
  function onLeaveUnless(event: PointerEvent): void {
    if (!button.contains(event.target as Node)) button.remove();
  }
  return () => {
    button.remove();
    area.removeEventListener("pointerover", onOver);
    area.removeEventListener("pointerleave", onLeave);
    area.removeEventListener("pointerdown", onLeaveUnless);
  };
}
