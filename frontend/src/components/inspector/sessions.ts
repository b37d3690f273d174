// Derived data for the list of sessions, computed from the state by pure functions.

import type { State } from "../../state/state";
import { type Permission, type Session, SessionMain, type Tool, type Turn } from "../../state/types";

/** State of a session, which determines the text of its row. */
export type SessionRowState = "running" | "waiting" | "lost" | "idle";

/** A session in the list. */
export interface SessionView {
  name: string;
  state: SessionRowState;
  /** The agent's session ID, or "" before it exists. */
  acpId: string;
  usedAt: number;
  /** The session's running turn, if any. */
  turn?: Turn;
  /** The session's pending permission request, if any. */
  request?: Permission;
  /** The tool call that the session is currently running, if any. */
  tool?: Tool;
}

/** isMain reports whether `view` is the main session, which answers the user and can't be renamed. */
export function isMain(view: SessionView): boolean {
  return view.name === SessionMain;
}

function stateOf(session: Session | undefined, turn?: Turn, request?: Permission): SessionRowState {
  if (request) return "waiting";
  if (turn) return "running";
  return session?.state === "lost" ? "lost" : "idle";
}

/** openToolOf returns the tool call that a turn is currently running, if any. */
function openToolOf(state: State, turn: Turn): Tool | undefined {
  const page = state.pages[turn.chatId];
  const ids = (turn.blockId ? page?.inside[turn.blockId] : page?.order) ?? [];
  for (let i = ids.length - 1; i >= 0; i--) {
    const item = state.items[ids[i] as string];
    if (item?.turnId === turn.id && item.tool && item.open) return item.tool;
    if (item?.kind === "user") return undefined;
  }
  return undefined;
}

/** sessionsOf returns the sessions that a chat has used, in order of creation. */
export function sessionsOf(state: State, chatId: string): SessionView[] {
  const rows = Object.values(state.sessions[chatId] ?? {}).filter(
    (session) => session.name !== SessionMain || session.hadPrompt,
  );
  rows.sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));
  const running = new Map<string, Turn>();
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId === chatId && turn.state === "running" && !turn.mainId) running.set(turn.session, turn);
  }
  const requests = new Map<string, Permission>();
  for (const request of Object.values(state.permissions)) {
    if (request.chatId !== chatId || request.state !== "open") continue;
    const other = requests.get(request.session);
    if (!other || request.createdAt < other.createdAt) requests.set(request.session, request);
  }
  // A newly named session has no row in the state until the agent has created it.
  const names = new Set(rows.map((session) => session.name));
  const begun = [...running.values()].filter((turn) => turn.blockId && !names.has(turn.session));
  return [
    ...rows.map((session) => {
      const turn = running.get(session.name);
      const request = requests.get(session.name);
      return {
        name: session.name,
        state: stateOf(session, turn, request),
        acpId: session.acpId,
        usedAt: session.usedAt,
        turn,
        request,
        tool: turn && openToolOf(state, turn),
      };
    }),
    ...begun.map((turn) => ({
      name: turn.session,
      state: stateOf(undefined, turn, requests.get(turn.session)),
      acpId: "",
      usedAt: turn.startedAt,
      turn,
      request: requests.get(turn.session),
      tool: openToolOf(state, turn),
    })),
  ];
}

/**
 * replacedAt returns the time at which a lost session was replaced, or 0 if the notice about it isn't
 * loaded.
 */
export function replacedAt(state: State, chatId: string, name: string): number {
  const order = state.pages[chatId]?.order ?? [];
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (item?.banner?.kind === "session_lost" && item.banner.session === name) return item.createdAt;
  }
  return 0;
}

/** lastBlockOf returns the newest loaded block of a session, or "" if there is none. */
export function lastBlockOf(state: State, chatId: string, name: string): string {
  const order = state.pages[chatId]?.order ?? [];
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (item?.block?.sessionName === name) return item.id;
  }
  return "";
}
