// The rows of comments in the diff of a file: each is below its last line or, if that isn't shown, above the changes.

import type { CommentForm } from "./reviewCommentTexts";
import type { FileView } from "./reviewFile";
import type { CommentPlaces } from "./reviewPlaces";
import { FileRows, type Insert } from "./reviewRows";
import { blocksOf, type LinePlace } from "./reviewTypes";
import type { ReviewComment } from "./types";

/** Estimated heights in pixels of a comment, a form and a resolved comment, used until they are measured. */
const heights = { comment: 84, form: 118, line: 44 };

/**
 * commentInserts returns the rows of a file's comments and of the fields for new ones. Comments whose lines in the
 * visible version aren't known have no row yet. `split` means that the diff is shown side by side.
 */
export function commentInserts(
  file: FileView,
  comments: readonly ReviewComment[],
  forms: readonly CommentForm[],
  places: CommentPlaces,
  split: boolean,
): Insert[] {
  if (comments.length === 0 && forms.length === 0) return [];
  const { input } = file.rows;
  const isRows = file.state === "rows" && file.diff !== undefined;
  const known = places.of(file.path);
  const own = comments.filter((comment) => !isRows || places.has(comment, file.version));
  const shown =
    isRows && file.diff
      ? new FileRows({
          ...input,
          blocks: blocksOf(file.diff),
          oldLines: file.diff.oldLines,
          newLines: file.diff.newLines,
          split,
          inserts: [],
        })
      : undefined;
  const insert = (id: string, height: number, line: LinePlace): Insert => {
    const isShown = line.at >= 0 && shown !== undefined && shown.rowOf(line.side, line.at) >= 0;
    return isShown ? { id, height, line } : { id, height, hunk: -1 };
  };
  return [
    ...own.map((comment) =>
      insert(`comment:${comment.id}`, comment.state === "resolved" ? heights.line : heights.comment, {
        side: comment.side,
        at: known?.byId.get(comment.id)?.end ?? -1,
      }),
    ),
    ...forms.map((form) =>
      insert(`form:${form.id}`, form.closed ? heights.line : heights.form, {
        side: form.side,
        at: form.version === file.version ? form.end : -1,
      }),
    ),
  ];
}
