// What the list of sessions says of each. Plain functions of the state.

import type { State } from "../../state/state";
import { type Permission, type Session, SessionMain, type Tool, type Turn } from "../../state/types";

/** How a session stands: the words of its row follow. */
export type SessionRowState = "running" | "waiting" | "lost" | "idle";

/** A session as the list shows it. */
export interface SessionView {
  name: string;
  state: SessionRowState;
  /** What the agent calls it; "" while there is none yet. */
  acpId: string;
  usedAt: number;
  /** Its turn that runs. */
  turn?: Turn;
  /** The request that waits for the user. */
  ask?: Permission;
  /** What it does right now. */
  tool?: Tool;
}

/** isMain says whether it is the session that answers the user, which has no name of its own to change. */
export function isMain(view: SessionView): boolean {
  return view.name === SessionMain;
}

function stateOf(session: Session | undefined, turn?: Turn, ask?: Permission): SessionRowState {
  if (ask) return "waiting";
  if (turn) return "running";
  return session?.state === "lost" ? "lost" : "idle";
}

/** doing is the tool call that is open in a turn. */
function doing(state: State, turn: Turn): Tool | undefined {
  const page = state.pages[turn.chatId];
  const ids = (turn.blockId ? page?.inside[turn.blockId] : page?.order) ?? [];
  for (let i = ids.length - 1; i >= 0; i--) {
    const item = state.items[ids[i] as string];
    if (item?.turnId === turn.id && item.tool && item.open) return item.tool;
    if (item?.kind === "user") return undefined;
  }
  return undefined;
}

/** sessionsOf are the sessions of a chat that were put to use, in the order in which they began. */
export function sessionsOf(state: State, chatId: string): SessionView[] {
  const rows = Object.values(state.sessions[chatId] ?? {}).filter(
    (session) => session.name !== SessionMain || session.hadPrompt,
  );
  rows.sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));
  const running = new Map<string, Turn>();
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId === chatId && turn.state === "running" && !turn.mainId) running.set(turn.session, turn);
  }
  const asks = new Map<string, Permission>();
  for (const ask of Object.values(state.permissions)) {
    if (ask.chatId !== chatId || ask.state !== "open") continue;
    const other = asks.get(ask.session);
    if (!other || ask.createdAt < other.createdAt) asks.set(ask.session, ask);
  }
  // One that was just named has no row before the agent has made it.
  const names = new Set(rows.map((session) => session.name));
  const begun = [...running.values()].filter((turn) => turn.blockId && !names.has(turn.session));
  return [
    ...rows.map((session) => {
      const turn = running.get(session.name);
      const ask = asks.get(session.name);
      return {
        name: session.name,
        state: stateOf(session, turn, ask),
        acpId: session.acpId,
        usedAt: session.usedAt,
        turn,
        ask,
        tool: turn && doing(state, turn),
      };
    }),
    ...begun.map((turn) => ({
      name: turn.session,
      state: stateOf(undefined, turn, asks.get(turn.session)),
      acpId: "",
      usedAt: turn.startedAt,
      turn,
      ask: asks.get(turn.session),
      tool: doing(state, turn),
    })),
  ];
}

/** replacedAt is when a lost session was replaced, as far as the transcript is loaded; 0 where it is not known. */
export function replacedAt(state: State, chatId: string, name: string): number {
  const order = state.pages[chatId]?.order ?? [];
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (item?.banner?.kind === "session_lost" && item.banner.session === name) return item.createdAt;
  }
  return 0;
}

/** lastBlockOf is the newest block of a session that is loaded; "" for none. */
export function lastBlockOf(state: State, chatId: string, name: string): string {
  const order = state.pages[chatId]?.order ?? [];
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (item?.block?.sessionName === name) return item.id;
  }
  return "";
}
