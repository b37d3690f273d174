import { describe, expect, test } from "vitest";
import type { Command } from "../../state/commands";
import { noteUse, useRating } from "../../state/paletteUse";
import type { Chat } from "../../state/types";
import { entriesFor, filesFor, modeOf, type PaletteTarget, pieces } from "./entries";

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
const sources = {
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
  use: (_: string) => 0,
};
const ids = (mode: "all" | "commands", query: string, used: string[] = []) =>
  entriesFor({ ...sources, use: (id) => (used.includes(id) ? 0.5 : 0) }, mode, query).map(
    (entry) => entry.id,
  );

describe("the palette", () => {
  test("starts with the newest other chats and available commands", () => {
    expect(ids("all", "")).toEqual(["c", "a", "rename", "reconnect", "newChat"]);
  });

  test("ranks frequently used entries first", () => {
    expect(ids("all", "", ["reconnect", "a"])).toEqual(["a", "c", "reconnect", "rename", "newChat"]);
  });

  test("finds chats, commands and settings, each section once", () => {
    const found = entriesFor(sources, "all", "re");
    const sections = found.map((entry) => entry.section);
    expect(sections.filter((each, at) => each !== sections[at - 1])).toHaveLength(new Set(sections).size);
    expect(found.map((entry) => entry.id)).toEqual(
      expect.arrayContaining(["a", "b", "rename", "reconnect", "motion.reduced"]),
    );
    expect(found.map((entry) => entry.id)).not.toContain("c");
  });

  test("finds all matches, however many", () => {
    const chats = Array.from({ length: 300 }, (_, i) => chat(`n${i}`, `Note ${i}`, i));
    const found = entriesFor({ ...sources, chats }, "all", "note");
    expect(found.filter((entry) => entry.chat)).toHaveLength(300);
  });

  test("puts the section with the best match first, and ranks by use within it", () => {
    const leads: PaletteTarget[] = [
      { ...command("setting.wrap", "Wrap long lines", "settings"), section: "settings", hidden: true },
      { ...command("setting.wrapper", "Wrap long words", "settings"), section: "settings", hidden: true },
    ];
    const chats = [chat("x", "With rare apples", 1)];
    const of = (used: string[]) =>
      entriesFor(
        { ...sources, chats, targets: leads, use: (id) => (used.includes(id) ? 0.8 : 0) },
        "all",
        "wrap",
      ).map((entry) => entry.id);
    expect(of([]).slice(0, 2)).toEqual(["setting.wrap", "setting.wrapper"]);
    expect(of(["setting.wrapper"]).slice(0, 2)).toEqual(["setting.wrapper", "setting.wrap"]);
    // Without a query, these entries would clutter the list.
    expect(
      entriesFor({ ...sources, targets: leads }, "all", "").some((entry) => entry.id.startsWith("setting.")),
    ).toBe(false);
  });

  test("counts uses, and drops them over time and with many others", () => {
    localStorage.clear();
    const day = 24 * 60 * 60 * 1000;
    for (let i = 0; i < 3; i++) noteUse("often", 100 * day);
    noteUse("once", 100 * day);
    const use = useRating(100 * day);
    expect(use("often")).toBeGreaterThan(use("once"));
    expect(use("never")).toBe(0);
    expect(useRating(160 * day)("often")).toBeLessThan(use("once"));
    for (let i = 0; i < 200; i++) noteUse(`other${i}`, 101 * day);
    expect(useRating(101 * day)("often")).toBe(0);
  });

  test("lists files after entries with that name", () => {
    const files = filesFor([{ path: "src/rename.go" }]);
    expect(entriesFor({ ...sources, files }, "all", "rename").map((entry) => entry.id)).toEqual([
      "rename",
      "@src/rename.go",
    ]);
  });

  test("offers neither field keys nor request answers", () => {
    expect(ids("commands", "send")).toEqual([]);
    expect(ids("commands", "allow")).toEqual([]);
  });

  test("treats the first letter as a search", () => {
    expect(modeOf("> re ")).toEqual({ mode: "commands", query: "re" });
    expect(modeOf("@src/a")).toEqual({ mode: "files", query: "src/a" });
    expect(modeOf(" re")).toEqual({ mode: "all", query: "re" });
    expect(ids("commands", "release")).toEqual([]);
  });

  test("reports no matches", () => {
    expect(ids("all", "zzzz")).toEqual([]);
  });

  test("splits a label around the match", () => {
    expect(pieces("Rename", [0, 1, 4])).toEqual([
      { text: "Re", hit: true },
      { text: "na", hit: false },
      { text: "m", hit: true },
      { text: "e", hit: false },
    ]);
  });
});
