// The order of the queue while a message is moved.

/** reorder returns `ids` with the entry `id` moved to the index `to`. */
export function reorder(ids: readonly string[], id: string, to: number): string[] {
  if (!ids.includes(id)) return [...ids];
  const rest = ids.filter((other) => other !== id);
  rest.splice(to, 0, id);
  return rest;
}

/**
 * beforeOf returns the entry that will follow `id` after it is moved to the index `to`, or "" if `id` will be
 * last.
 */
export function beforeOf(ids: readonly string[], id: string, to: number): string {
  return reorder(ids, id, to)[to + 1] ?? "";
}

/**
 * indexAt returns the index of the row at the vertical position `y`. `rows` holds the positions of the
 * rows at the start of the drag.
 */
export function indexAt(rows: readonly { top: number; bottom: number }[], y: number): number {
  const at = rows.findIndex((row) => y < row.bottom);
  return at < 0 ? rows.length - 1 : at;
}
