import { beforeEach, expect, test, vi } from "vitest";

/** reload returns the screen module as after a reload of the window. */
async function reload() {
  vi.resetModules();
  return import("./screen");
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test("the list of sessions and the review survive a reload, and a restart shows the last chat", async () => {
  const first = await reload();
  first.go({ name: "chat", id: "c" });
  first.go({ name: "sessions" });
  const second = await reload();
  expect(second.screen()).toEqual({ name: "sessions" });
  second.leaveSessions();
  expect(second.screen()).toEqual({ name: "chat", id: "c" });
  second.go({ name: "review", chat: "c", source: "working" });
  expect((await reload()).screen()).toEqual({ name: "review", chat: "c", source: "working" });
  sessionStorage.clear();
  expect((await reload()).screen()).toEqual({ name: "chat", id: "c" });
});

test("storage with anything else is ignored", async () => {
  sessionStorage.setItem("voxpilot.review", '{"name":"settings","page":"account"}');
  expect((await reload()).screen()).toEqual({ name: "new" });
});

test("the way back from the list of sessions and from the search ends at the chat", async () => {
  const { go, screen, leaveSearch, leaveSessions } = await reload();
  go({ name: "chat", id: "c" });
  go({ name: "search" });
  go({ name: "sessions" });
  leaveSessions();
  expect(screen()).toEqual({ name: "search" });
  leaveSearch();
  expect(screen()).toEqual({ name: "chat", id: "c" });
  go({ name: "sessions" });
  go({ name: "search" });
  leaveSearch();
  expect(screen()).toEqual({ name: "chat", id: "c" });
});
