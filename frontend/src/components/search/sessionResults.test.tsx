// Results of the search in the Copilot CLI's sessions, among those in chats.

import { fireEvent, render, screen as ui, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { selected as selectedSession } from "../../state/cliSessions";
import { type Group, mergedGroups } from "../../state/hits";
import { go, screen } from "../../state/screen";
import { filter, found, noFilters, search } from "../../state/search";
import { settingRows } from "../../state/settingRows";
import { defaultSettings } from "../../state/state";
import type { Hit, Hits, SessionText } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubBrowser } from "../../testing";
import { SearchScreen } from "./SearchScreen";
import { currentHit, field, hit, page, results, type } from "./testing";

const inSession = (id: string, text: string, at: number, more: Partial<Hit> = {}): Hit => ({
  ...hit("", text, "said ", { at, title: `Session ${id}`, kind: "message", ...more }),
  cliSession: id,
});

/** sessionPage returns the response of a search in sessions. */
const sessionPage = (hits: Hit[], more: Partial<Hits> = {}, group: Partial<Group> = {}): Hits => ({
  ...page([]),
  hits,
  groups: [...new Set(hits.map((each) => each.cliSession))].map((cliSession) => ({
    chatId: "",
    cliSession,
    total: hits.filter((each) => each.cliSession === cliSession).length,
    ...group,
  })),
  total: hits.length,
  chats: new Set(hits.map((each) => each.cliSession)).size,
  ...more,
});

/** answer serves the searches and the texts around a hit. It returns the queries as path and parameters. */
function answer(of: {
  chats?: (query: URLSearchParams) => Hits;
  sessions: (query: URLSearchParams) => Hits | Response;
  texts?: SessionText[];
}): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const { pathname, searchParams } = new URL(input, "http://app");
    asked.push(`${pathname}?${searchParams}`);
    if (pathname === "/data/search") return Response.json(of.chats?.(searchParams) ?? page([]));
    if (pathname === "/data/search-sessions") {
      const given = of.sessions(searchParams);
      return given instanceof Response ? given : Response.json(given);
    }
    if (pathname === "/data/session-texts") return Response.json(of.texts ?? []);
    return Response.json({ run: "r", seq: 1, events: [], before: 0 });
  });
  return asked;
}

const setSwitch = (searchSessions: boolean) =>
  applyEvents({ settings: { ...defaultSettings, searchSessions } });

beforeEach(async () => {
  filter(noFilters);
  search("");
  await waitFor(() => expect(found()).toBeUndefined());
  stubBrowser();
  resetState(chatEvent("a"));
  setSwitch(true);
  go({ name: "search", query: "" });
});

describe("the search in sessions", () => {
  test("shows sessions among the chats, marked, and counts both", async () => {
    answer({
      chats: () => page([hit("a", "1", "old", { at: 100 })], { chats: 1 }),
      sessions: () => sessionPage([inSession("new", "7", 200), inSession("older", "8", 50)]),
    });
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(within(results()).getAllByRole("heading")).toHaveLength(3));
    const heads = within(results())
      .getAllByRole("heading")
      .map((head) => head.textContent);
    expect(heads[0]).toMatch(/^Session newCopilot CLI session/);
    expect(heads[1]).toMatch(/^Chat a/);
    expect(heads[2]).toMatch(/^Session olderCopilot CLI session/);
    expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent(
      "3 results in 1 chat and 2 sessions",
    );
    expect(within(results()).getAllByRole("button", { name: /token/ })[0]).toHaveTextContent(/^Copilot/);
  });

  test("Enter shows the session in the list of sessions", async () => {
    answer({ sessions: () => sessionPage([inSession("s1", "7", 1, { home: "/h" })], {}, { home: "/h" }) });
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("s1@/h/7"));
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(screen()).toEqual({ name: "sessions" });
    expect(selectedSession()).toBe("s1@/h");
  });

  test("loads more results of a session, and previews the texts around one", async () => {
    const asked = answer({
      sessions: (query) =>
        query.get("session")
          ? sessionPage([inSession("s1", "4", 1)])
          : sessionPage(
              ["1", "2", "3"].map((id) => inSession("s1", id, 5)),
              { total: 4 },
              { total: 4, more: "3" },
            ),
      texts: [
        { id: 1, kind: "user", at: 1, text: "The question" },
        { id: 2, kind: "tool", tool: "execute", at: 1, text: "bash\nmake" },
      ],
    });
    vi.stubGlobal("matchMedia", (media: string) => ({
      media,
      matches: true,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    render(() => <SearchScreen />);
    type("token");
    expect(await ui.findByText("The question")).toBeVisible();
    const preview = ui.getByRole("region", { name: "Preview" });
    expect(within(preview).getByRole("button", { name: "Show session" })).toBeVisible();
    fireEvent.click(within(results()).getByRole("button", { name: "Show 1 more in this session" }));
    await waitFor(() => expect(within(results()).getAllByRole("button", { name: /token/ })).toHaveLength(4));
    const last = asked.findLast((query) => query.startsWith("/data/search-sessions"));
    expect(last).toContain("session=s1");
    expect(last).toContain("before=3");
  });

  test("can be restricted to chats or sessions", async () => {
    const asked = answer({
      chats: () => page([hit("a", "1")], { chats: 1 }),
      sessions: () => sessionPage([inSession("s1", "7", 1)]),
    });
    render(() => <SearchScreen />);
    filter({ where: "sessions" });
    type("token");
    await waitFor(() => expect(currentHit()).toBe("s1@/7"));
    expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent("1 result in 1 session");
    expect(asked.some((query) => query.startsWith("/data/search?"))).toBe(false);
    filter({ where: "chats" });
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    expect(within(results()).getAllByRole("heading")).toHaveLength(1);
  });

  test("says that sessions are still being read, and reports a failure", async () => {
    let fails = false;
    answer({
      sessions: () =>
        fails
          ? Response.json({ code: "storage", message: "No disk" }, { status: 500 })
          : sessionPage([inSession("s1", "7", 1)], { reading: true }),
    });
    render(() => <SearchScreen />);
    type("token");
    expect(await ui.findByText(/Still reading Copilot CLI sessions/)).toBeVisible();
    fails = true;
    type("token two");
    expect(await within(await ui.findByRole("alert")).findByText("No disk")).toBeVisible();
  });

  test("is off by default: nothing is asked, and a button leads to the setting", async () => {
    setSwitch(false);
    const asked = answer({ sessions: () => sessionPage([inSession("s1", "7", 1)]) });
    render(() => <SearchScreen />);
    type("token");
    await ui.findByText(/Nothing matches/);
    expect(asked.some((query) => query.startsWith("/data/search-sessions"))).toBe(false);
    expect(ui.queryByRole("button", { name: /Search in/ })).toBeNull();
    fireEvent.click(ui.getByRole("button", { name: "Search Copilot CLI sessions too…" }));
    expect(screen()).toEqual({ name: "settings", page: "agent" });
    expect(settingRows.some((row) => row.id === "agent.searchSessions")).toBe(true);
  });
});

describe("mergedGroups", () => {
  const group = (key: string, at: number, kind: Hit["kind"] = "user"): Group => {
    const isChat = key.startsWith("c");
    const one = isChat ? hit(key, "1", "", { at, kind }) : inSession(key, "1", at, { kind });
    return { ...one, key, total: 1, hits: [one] };
  };
  const keys = (groups: Group[]) => groups.map((each) => each.key).join(" ");
  const chats = [group("c1", 10, "title"), group("c2", 300), group("c3", 100)];
  const sessions = [group("s1", 400, "title"), group("s2", 200), group("s3", 50)];

  test("orders by the newest result, with titles of chats first", () => {
    expect(keys(mergedGroups({ groups: chats, isCut: false }, { groups: sessions, isCut: false }))).toBe(
      "c1 s1 c2 s2 c3 s3",
    );
  });

  test("ends where the order isn't known yet", () => {
    expect(keys(mergedGroups({ groups: chats, isCut: true }, { groups: sessions, isCut: false }))).toBe(
      "c1 s1 c2 s2 c3",
    );
    expect(
      keys(mergedGroups({ groups: chats, isCut: false }, { groups: sessions.slice(0, 2), isCut: true })),
    ).toBe("c1 s1 c2 s2");
  });
});
