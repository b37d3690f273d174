import { describe, expect, test } from "vitest";
import type { Command } from "../../state/commands";
import type { Chat } from "../../state/words";
import { entriesFor, modeOf, pieces } from "./entries";

const chat = (id: string, title: string, updatedAt: number): Chat => ({
  id,
  title,
  folder: "/x",
  providerId: "copilot",
  permissionMode: "ask",
  createdAt: 0,
  updatedAt,
});
const command = (
  id: string,
  label: string,
  group: Command["group"],
  more: Partial<Command> = {},
): Command => ({
  id,
  label: () => label,
  group,
  run: () => {},
  ...more,
});
const offer = {
  chats: [chat("a", "Explain the retry budget", 1), chat("b", "Release notes", 3), chat("c", "Dark mode", 2)],
  titleOf: (each: Chat) => each.title,
  openId: "b",
  commands: [
    command("rename", "Rename chat", "chat"),
    command("reconnect", "Reconnect Copilot", "chat"),
    command("newChat", "New chat", "anywhere"),
    command("motion.reduced", "Motion: Reduced", "settings"),
    command("send", "Send", "composer", { run: undefined }),
    command("allow", "Allow once", "request", { keysOnly: true }),
  ],
  recent: [] as string[],
};
const ids = (mode: "all" | "commands", query: string, recent: string[] = []) =>
  entriesFor({ ...offer, recent }, mode, query).map((entry) => entry.id);

describe("the palette", () => {
  test("begins with the newest other chats and what can be done now", () => {
    expect(ids("all", "")).toEqual(["c", "a", "rename", "reconnect", "newChat"]);
  });

  test("puts what was chosen lately first", () => {
    expect(ids("all", "", ["reconnect", "a"])).toEqual(["a", "c", "reconnect", "rename", "newChat"]);
  });

  test("finds chats, commands and settings, in sections", () => {
    const found = entriesFor(offer, "all", "re");
    expect(found.map((entry) => entry.section)).toEqual(
      [...found.map((entry) => entry.section)].sort(
        (a, b) =>
          ["chats", "chat", "anywhere", "settings"].indexOf(a) -
          ["chats", "chat", "anywhere", "settings"].indexOf(b),
      ),
    );
    expect(found.map((entry) => entry.id)).toEqual(
      expect.arrayContaining(["a", "b", "rename", "reconnect", "motion.reduced"]),
    );
    expect(found.map((entry) => entry.id)).not.toContain("c");
  });

  test("offers neither keys of a field nor answers to requests", () => {
    expect(ids("commands", "send")).toEqual([]);
    expect(ids("commands", "allow")).toEqual([]);
  });

  test("takes the first letter as what is looked for", () => {
    expect(modeOf("> re ")).toEqual({ mode: "commands", query: "re" });
    expect(modeOf("@src/a")).toEqual({ mode: "files", query: "src/a" });
    expect(modeOf(" re")).toEqual({ mode: "all", query: "re" });
    expect(ids("commands", "release")).toEqual([]);
  });

  test("says nothing where nothing matches", () => {
    expect(ids("all", "zzzz")).toEqual([]);
  });

  test("cuts a label where what was typed begins and ends", () => {
    expect(pieces("Rename", [0, 1, 4])).toEqual([
      { text: "Re", hit: true },
      { text: "na", hit: false },
      { text: "m", hit: true },
      { text: "e", hit: false },
    ]);
  });
});
