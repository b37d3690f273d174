import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as list from "./cliSessions";
import { answerSessions, resetSessions, session } from "./sessionsTesting";

let leave: (() => void) | undefined;
const visibility = (state: DocumentVisibilityState) => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
};
const ids = () => list.sessions()?.map((each) => each.id);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  answerSessions({ list: () => ({ sessions: [] }) });
  resetSessions();
  await vi.advanceTimersByTimeAsync(500);
});
afterEach(() => {
  leave?.();
  leave = undefined;
  vi.useRealTimers();
});

/** open shows the list and waits for the first response. */
async function open(answers: Parameters<typeof answerSessions>[0]) {
  const asked = answerSessions(answers);
  leave = list.watchSessions();
  await vi.advanceTimersByTimeAsync(0);
  return asked;
}

test("the list is requested every two seconds, and sent only if it has changed", async () => {
  let revision = 7;
  let sessions = [session("a")];
  const asked = await open({
    list: (query) => ({
      revision,
      sessions: Number(query.get("since")) === revision && query.has("since") ? null : sessions,
    }),
  });
  const first = asked.length;
  expect(ids()).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toHaveLength(first + 1);
  expect(asked.at(-1)?.get("since")).toBe("7");
  expect(ids()).toEqual(["a"]);
  revision = 8;
  sessions = [session("b"), session("a")];
  await vi.advanceTimersByTimeAsync(2000);
  expect(ids()).toEqual(["b", "a"]);
  // A session that appears at the top doesn't become the selected one.
  expect(list.selected()).toBe("a");
});

test("nothing is requested while the window is hidden, or after the list was left", async () => {
  const asked = await open({ list: () => ({ sessions: [session("a")] }) });
  visibility("hidden");
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(before);
  visibility("visible");
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(before + 1);
  leave?.();
  leave = undefined;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(before + 1);
});

test("another query is sent after a pause in typing and without the known revision", async () => {
  const asked = await open({
    list: (query) => ({ sessions: query.get("q") === "red" ? [session("b")] : [session("a")] }),
  });
  const before = asked.length;
  for (const typed of ["r", "re", "red"]) list.searchSessions(typed);
  expect(list.isOfText()).toBe(false);
  await vi.advanceTimersByTimeAsync(150);
  expect(asked.slice(before).map((query) => [query.get("q"), query.get("since")])).toEqual([["red", null]]);
  expect(list.isOfText()).toBe(true);
  expect(ids()).toEqual(["b"]);
  list.filterSessions({ folder: "/home/anna/code/orbit-api", date: "week" });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.at(-1)?.get("folder")).toBe("/home/anna/code/orbit-api");
  expect(Number(asked.at(-1)?.get("from"))).toBeGreaterThan(0);
});

test("a response to an earlier query is dropped", async () => {
  let release = (_: Response) => {};
  await open({ list: () => ({ sessions: [session("a")] }) });
  const late = new Promise<Response>((answer) => {
    release = answer;
  });
  vi.stubGlobal("fetch", (input: string) => {
    const q = new URL(input, "http://app").searchParams.get("q");
    return q === "slow" ? late : Promise.resolve(Response.json({ revision: 2, sessions: [session("fast")] }));
  });
  list.searchSessions("slow");
  await vi.advanceTimersByTimeAsync(150);
  list.searchSessions("fast");
  await vi.advanceTimersByTimeAsync(150);
  release(Response.json({ revision: 3, sessions: [session("slow")] }));
  await vi.advanceTimersByTimeAsync(0);
  expect(ids()).toEqual(["fast"]);
});

test("a failure is reported, the known list stays, and the list recovers", async () => {
  let broken = false;
  await open({
    list: () => {
      if (broken) throw new Error("The disk is gone.");
      return { sessions: [session("a")], failure: "Can't read one folder." };
    },
  });
  expect(list.gap()).toBe("Can't read one folder.");
  broken = true;
  await vi.advanceTimersByTimeAsync(2000);
  expect(list.failure()).toBe("The disk is gone.");
  expect(ids()).toEqual(["a"]);
  broken = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(list.failure()).toBe("");
});

test("homes and folders stay available for the filters, and a home is filtered here", async () => {
  const other = session("b", { home: "/home/anna/.qwen", folder: "/srv/app" });
  await open({ list: (query) => ({ sessions: query.get("folder") ? [other] : [session("a"), other] }) });
  expect(list.homes()).toEqual(expect.arrayContaining(["", "/home/anna/.qwen"]));
  list.filterSessions({ folder: "/srv/app" });
  await vi.advanceTimersByTimeAsync(0);
  expect(list.folders()).toEqual(expect.arrayContaining(["/home/anna/code/orbit-api", "/srv/app"]));
  list.filterSessions({ folder: "", home: "=" });
  await vi.advanceTimersByTimeAsync(0);
  expect(ids()).toEqual(["a"]);
});
