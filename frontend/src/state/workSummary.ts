// The effects of items: the files that they changed and the commands that they ran.

import { callActionOf, durationOf, isShortThought, type WorkSummary, type WorkTotals } from "./callActions";
import type { State } from "./state";
import type { Content } from "./types";

/** workSummaryOf returns the effects of an item. */
export function workSummaryOf(state: State, id: string): WorkSummary {
  const item = state.items[id];
  const { tool, pos = 0 } = item ?? {};
  const done: WorkSummary = {
    id,
    pos,
    added: 0,
    removed: 0,
    files: [],
    commands: 0,
    withoutPermission: 0,
    action: callActionOf(item),
    isShort: item !== undefined && isShortThought(item),
    what: tool?.path || tool?.command || id,
    time: durationOf(item),
  };
  if (!tool || tool.decision === "rejected" || tool.decision === "closed") return done;
  if (tool.unasked) done.withoutPermission = 1;
  if (tool.kind === "execute" && tool.status !== "pending") done.commands = 1;
  if (tool.status !== "completed") return done;
  const diffs = contentsOf(state, id).filter((content) => content.type === "diff");
  for (const diff of diffs) {
    done.added += diff.added ?? 0;
    done.removed += diff.removed ?? 0;
    done.files.push(diff.path || tool.path || id);
  }
  if (diffs.length === 0 && (tool.kind === "edit" || tool.kind === "delete" || tool.kind === "move")) {
    done.files.push(tool.path || id);
  }
  return done;
}

/** totalsOf adds up the effects of loaded items, whose IDs are in `ids`, and of the evicted items in `gone`. */
export function totalsOf(state: State, ids: string[], gone: WorkSummary[] = []): WorkTotals {
  const files = new Set<string>();
  const totals: WorkTotals = { added: 0, removed: 0, files: 0, commands: 0, withoutPermission: 0 };
  for (const done of [...gone, ...ids.map((id) => workSummaryOf(state, id))]) {
    totals.added += done.added;
    totals.removed += done.removed;
    totals.commands += done.commands;
    totals.withoutPermission += done.withoutPermission;
    for (const file of done.files) files.add(file);
  }
  totals.files = files.size;
  return totals;
}

/** contentsOf returns the contents of an item. */
export function contentsOf(state: State, itemId: string): Content[] {
  return (state.contentsOf[itemId] ?? []).flatMap((id) => state.contents[id] ?? []);
}

/** hasChanged reports whether an item has changed a file. It doesn't allocate. */
export function hasChanged(state: State, id: string): boolean {
  const tool = state.items[id]?.tool;
  if (tool?.status !== "completed" || tool.decision === "rejected" || tool.decision === "closed")
    return false;
  if (tool.kind === "edit" || tool.kind === "delete" || tool.kind === "move") return true;
  const contents = state.contentsOf[id];
  return contents?.some((each) => state.contents[each]?.type === "diff") === true;
}
