// Shared helpers for the tests of the list of sessions.

import { vi } from "vitest";
import { filterSessions, noSessionFilters, searchSessions, setSelected } from "./cliSessions";
import type { CLISession, CLISessionPreview, CLISessions, OtherConversations } from "./types";

export const session = (id: string, more: Partial<CLISession> = {}): CLISession => ({
  id,
  title: `Session ${id}`,
  folder: "/home/anna/code/orbit-api",
  updatedAt: Date.now() - 60_000,
  size: 84_000,
  messages: 6,
  ...more,
});

export interface SessionAnswers {
  /** The response to a request of the list. */
  list(query: URLSearchParams): Partial<Omit<CLISessions, "sessions">> & { sessions: CLISession[] | null };
  /** The conversations of other programs; by default, there are none. */
  others?: OtherConversations;
  preview?(id: string): Partial<CLISessionPreview> | Response;
}

/** answerSessions serves the list and the previews of sessions. It returns the queries of the list. */
export function answerSessions(answers: SessionAnswers): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const { pathname, searchParams } = new URL(input, "http://app");
    if (pathname === "/data/cli-session") {
      const id = searchParams.get("id") ?? "";
      const given = answers.preview?.(id) ?? {};
      return given instanceof Response ? given : Response.json({ session: session(id), ...given });
    }
    if (pathname === "/data/other-conversations")
      return Response.json(answers.others ?? { conversations: [], programs: [] });
    if (pathname !== "/data/cli-sessions") return Response.json({ run: "r", seq: 1, events: [], before: 0 });
    asked.push(searchParams);
    try {
      return Response.json({ revision: 1, known: 0, ...answers.list(searchParams) });
    } catch (thrown) {
      return Response.json({ code: "storage", message: (thrown as Error).message }, { status: 500 });
    }
  });
  return asked;
}

/** resetSessions clears the query, the filters and the selection, which outlive the screen. */
export function resetSessions(): void {
  searchSessions("");
  filterSessions(noSessionFilters);
  setSelected("");
}
