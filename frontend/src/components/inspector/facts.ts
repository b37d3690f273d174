// What only the app knows of a chat's sessions: how often each was used and how
// long it worked, in the whole chat; and how much memory their process takes.
// It is asked for when the list opens and when a turn begins or ends.

import { createEffect, createMemo, createResource, on } from "solid-js";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { SessionWork } from "../../state/words";

export interface Facts {
  work: Record<string, SessionWork>;
  /** In bytes; 0 where no agent runs, or the system does not say. */
  memory: number;
}

async function ask(chatId: string): Promise<Facts> {
  const [work, processes] = await Promise.all([actions.sessionWork(chatId), actions.processes()]);
  return {
    work: Object.fromEntries(work.map((each) => [each.name, each])),
    memory: processes
      .filter((process) => process.chatId === chatId && process.isAgent)
      .reduce((sum, process) => sum + process.memory, 0),
  };
}

/** createFacts follows the facts of a chat; undefined until they are here. */
export function createFacts(chatId: () => string) {
  const state = useStore();
  const news = createMemo(() => {
    const turns = Object.values(state.turns).filter((turn) => turn.chatId === chatId());
    const pid = state.connections[chatId()]?.pid ?? 0;
    return `${pid} ${turns.length} ${turns.filter((turn) => turn.state === "running").length}`;
  });
  const [facts, { refetch }] = createResource(chatId, (id) =>
    ask(id).catch((thrown) => {
      actions.log("warn", `facts of the sessions: ${thrown.message}`);
      return undefined;
    }),
  );
  createEffect(on(news, () => void refetch(), { defer: true }));
  return () => facts.latest;
}
