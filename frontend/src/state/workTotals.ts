// The effects of a block, including calls that aren't loaded.

import type { WorkTotals } from "./callActions";
import type { Lines, Work } from "./entry";
import type { Gap, Page, State } from "./state";
import { gapsIn } from "./toolRuns";
import { totalsOf } from "./workSummary";

/**
 * totalsOfWork returns the effects of a block: those that the block reports or, if it reports none, those of its calls.
 * Changes made without permission are always counted from its calls.
 */
export function totalsOfWork(state: State, work: Work): WorkTotals {
  const page = state.pages[state.items[work.blockId]?.chatId ?? ""];
  const gone = page && work.evicted > 0 ? gapsOf(state, page, work).flatMap((gap) => gap.evicted) : [];
  const counted = totalsOf(state, work.ids, gone);
  const block = state.items[work.blockId]?.block;
  if (!block?.files && !block?.commands && !block?.stopReason) return counted;
  const files = block.files ?? [];
  return {
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    files: files.length,
    commands: block.commands?.length ?? 0,
    withoutPermission: counted.withoutPermission,
  };
}

/** gapsOf returns the gaps in a block, or in the rows between two messages of the main session. */
export function gapsOf(state: State, page: Page, of: Lines | Work): Gap[] {
  if (of.kind === "work") return gapsIn(page, of.blockId);
  const posOf = (id: string | undefined) => state.items[id ?? ""]?.pos ?? 0;
  return gapsIn(page, "", posOf(of.ids[0]), posOf(of.ids.at(-1)));
}
