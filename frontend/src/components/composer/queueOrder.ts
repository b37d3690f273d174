// The order of the queue while a message is moved.

/** order is a list with one of its entries at another place. */
export function order(ids: readonly string[], id: string, to: number): string[] {
  if (!ids.includes(id)) return [...ids];
  const rest = ids.filter((other) => other !== id);
  rest.splice(to, 0, id);
  return rest;
}

/** beforeOf is what an entry stands before once it is at a place; "" at the end. */
export function beforeOf(ids: readonly string[], id: string, to: number): string {
  return order(ids, id, to)[to + 1] ?? "";
}

/** placeAt is the row that a height is in, of rows as they stood when the drag began. */
export function placeAt(rows: readonly { top: number; bottom: number }[], y: number): number {
  const at = rows.findIndex((row) => y < row.bottom);
  return at < 0 ? rows.length - 1 : at;
}
