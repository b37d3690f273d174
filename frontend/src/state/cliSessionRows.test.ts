import { expect, test } from "vitest";
import { captionOf, keyOf, marksOf, openingOf, sessionRows, titleOf } from "./cliSessionRows";
import type { CLISession } from "./types";

const session = (id: string, at: string, more: Partial<CLISession> = {}): CLISession => ({
  id,
  title: id,
  updatedAt: new Date(at).getTime(),
  size: 1,
  messages: 1,
  ...more,
});
const now = new Date("2025-11-20T14:03").getTime();

test("sessions are grouped by day, then by month", () => {
  const times = [
    "2025-11-20T00:00",
    "2025-11-19T23:59",
    "2025-11-18T12:00",
    "2025-11-01T00:00",
    "2025-10-31T23:59",
    "2024-11-20T12:00",
  ];
  const captions = times.map((at) => captionOf(new Date(at).getTime(), now));
  expect(captions).toEqual([
    "Today",
    "Yesterday",
    "Earlier this month",
    "Earlier this month",
    "October",
    "November 2024",
  ]);
  const rows = sessionRows([session("a", "2025-11-20T13:00"), session("b", "2025-11-20T12:00")], now);
  expect(rows.map((row) => row.kind)).toEqual(["day", "session", "session"]);
});

test("yesterday is the day before, also when the clocks changed", () => {
  const monday = new Date("2025-10-27T09:00").getTime();
  expect(captionOf(new Date("2025-10-26T00:00").getTime(), monday)).toBe("Yesterday");
  expect(captionOf(new Date("2025-10-25T23:59").getTime(), monday)).toBe("Earlier this month");
});

test("every row has its own key, even if times aren't in order or two homes have the same ID", () => {
  const rows = sessionRows(
    [
      session("a", "2025-11-20T13:00"),
      session("a", "2025-11-19T13:00", { home: "/home/anna/.qwen" }),
      session("b", "2025-11-20T12:00"),
    ],
    now,
  );
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  expect(keyOf({ id: "a", home: "" })).toBe(keyOf({ id: "a" }));
});

test("a session's marks and the effect of opening it", () => {
  const plain = session("a", "2025-11-20T13:00");
  expect(openingOf(plain)).toBe("continue");
  expect(openingOf({ ...plain, damage: "mixed" })).toBe("rescue");
  expect(openingOf({ ...plain, damage: "empty" })).toBe("none");
  expect(openingOf({ ...plain, damage: "mixed", chatId: "c" })).toBe("chat");
  expect(marksOf({ ...plain, holder: { pid: 1, terminal: "pts/3" }, folderGone: true })).toEqual([
    "terminal",
    "gone",
  ]);
  expect(marksOf({ ...plain, holder: { pid: 1 }, damage: "invalid", chatId: "c" })).toEqual([
    "program",
    "damaged",
    "known",
  ]);
  expect(titleOf({ ...plain, title: "  " })).toBe("Untitled session");
});
