// Data that the session list loads from the app: each session's number of turns and working time, counted
// over the whole chat, the memory that the agent uses, and the agent's processes. It is loaded when the session
// list opens, when a turn starts or ends, when another agent process starts, and on demand.

import { createEffect, createMemo, createResource, on } from "solid-js";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Process, SessionStats } from "../../state/types";

export interface Facts {
  work: Record<string, SessionStats>;
  /** Memory used by the chat's agent, in bytes; 0 if no agent is running or the system doesn't report it. */
  memory: number;
  /** The chat's agent and its descendants, such as the commands that it runs. */
  processes: Process[];
}

async function loadFacts(chatId: string): Promise<Facts> {
  const [work, processes] = await Promise.all([actions.sessionStats(chatId), actions.processes()]);
  const mine = processes.filter((process) => process.chatId === chatId);
  return {
    work: Object.fromEntries(work.map((each) => [each.name, each])),
    memory: mine.filter((process) => process.isAgent).reduce((sum, process) => sum + process.memory, 0),
    processes: mine,
  };
}

/**
 * createFacts loads the session data of a chat and keeps it up to date. The result is undefined until the
 * data is loaded.
 */
export function createFacts(chatId: () => string) {
  const state = useStore();
  const news = createMemo(() => {
    const turns = Object.values(state.turns).filter((turn) => turn.chatId === chatId());
    const pid = state.connections[chatId()]?.pid ?? 0;
    const began = turns.reduce((last, turn) => Math.max(last, turn.startedAt), 0);
    return `${pid} ${began} ${turns.filter((turn) => turn.state === "running").length}`;
  });
  const [facts, { refetch }] = createResource(chatId, (id) =>
    loadFacts(id).catch((thrown) => {
      actions.log("warn", `facts of the sessions: ${thrown.message}`);
      return undefined;
    }),
  );
  createEffect(on(news, () => void refetch(), { defer: true }));
  return { facts: () => facts.latest, again: () => void refetch() };
}
