// Button presses in the diffs. A button may be replaced while it is pressed, for example when the list of files arrives.
// The browser then sends no click.

import type { ReviewModel } from "../../state/review";
import type { FileView } from "../../state/reviewFile";
import { ChosenPart } from "../../state/reviewPart";
import type { Act } from "./heads";

/** Runs the action of a button on a file, or on a change of the file if `hunk` isn't negative. */
export type RunAct = (act: Act, file: FileView, hunk: number) => void;

/**
 * keepPresses calls `run` if a button in `area` is replaced while it is pressed and the pointer is released where the
 * button was. The file must still be in the list and, for the button of a change, the change must still consist of the
 * same lines. keepPresses returns a function that removes its listeners.
 */
export function keepPresses(area: HTMLElement, model: ReviewModel, run: RunAct): () => void {
  let stop = () => {};
  const onDown = (event: PointerEvent) => {
    stop();
    const button = (event.target as Element).closest<HTMLElement>("[data-act]");
    const file = model.file(button?.closest<HTMLElement>(".rv-sec")?.dataset.path ?? "");
    if (event.button !== 0 || !button || !file) return;
    const act = button.dataset.act as Act;
    const hunk = Number(button.dataset.hunk ?? -1);
    const box = button.getBoundingClientRect();
    const part = new ChosenPart(file, hunk < 0 ? undefined : file.rows.blocksOf(hunk));
    const onUp = ({ clientX: x, clientY: y }: PointerEvent) => {
      stop();
      const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      const now = model.file(file.path);
      if (button.isConnected || !isInside || !now) return;
      const at = hunkOf(now, part);
      if (at !== undefined) run(act, now, at);
    };
    stop = () => {
      window.removeEventListener("pointerup", onUp);
      window.removeEventListener("pointercancel", stop);
    };
    window.addEventListener("pointerup", onUp);
    window.addEventListener("pointercancel", stop);
  };
  area.addEventListener("pointerdown", onDown);
  return () => {
    stop();
    area.removeEventListener("pointerdown", onDown);
  };
}

/**
 * hunkOf returns the index of the change that consists of a part's lines, -1 if the part is a whole file, or undefined if
 * the lines are no longer the same.
 */
function hunkOf(file: FileView, part: ChosenPart): number | undefined {
  const { version, blocks } = part.in(file);
  if (version !== file.version) return undefined;
  const first = blocks?.[0];
  if (!first) return blocks ? undefined : -1;
  const hunk = file.state === "rows" ? file.hunkAt(first[2]) : -1;
  return hunk >= 0 && JSON.stringify(file.rows.blocksOf(hunk)) === JSON.stringify(blocks) ? hunk : undefined;
}
