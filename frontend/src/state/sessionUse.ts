// Remembers which banners about another program's use of a session the user has folded to one line.

import { createSignal } from "solid-js";
import type { SessionUse } from "./types";

const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set());

/**
 * keyOf returns the key of a use and its state. Each program has its own key, so the banner about another program isn't
 * folded.
 */
const keyOf = ({ chatId, holder, stayed }: SessionUse) =>
  `${chatId}/${holder?.pid ?? 0}/${holder?.startedAt ?? 0}/${stayed === true}`;

/** isFolded reports whether the banner about a use is folded. */
export function isFolded(use: SessionUse): boolean {
  return folded().has(keyOf(use));
}

/** fold folds the banner about a use, or unfolds it. */
export function fold(use: SessionUse, to: boolean): void {
  const next = new Set(folded());
  if (to) next.add(keyOf(use));
  else next.delete(keyOf(use));
  setFolded(next);
}
