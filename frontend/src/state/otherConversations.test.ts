import { beforeEach, expect, test, vi } from "vitest";
import { stubApp } from "../testing";
import { actions } from "./actions";
import * as list from "./otherConversations";
import type { OtherConversations } from "./types";

const answer: OtherConversations = {
  conversations: [
    { program: "codex", id: "c", title: "Fix the build", folder: "/home/anna/shop", updatedAt: 3 },
    { program: "claude-code", id: "b", title: "Add a test", folder: "/home/anna/shop", updatedAt: 2 },
    { program: "codex", id: "a", title: "Rename it", folder: "/home/anna/orbit", updatedAt: 1 },
  ],
  programs: [
    { program: "claude-code", name: "Claude Code", conversations: 1 },
    { program: "codex", name: "Codex CLI", conversations: 2 },
  ],
};
const ids = () => list.conversations()?.map((one) => one.id);
const reply = (to: () => Response) => vi.stubGlobal("fetch", () => Promise.resolve(to()));

beforeEach(() => {
  list.searchConversations("");
  reply(() => Response.json(answer));
});

test("a program's conversations are listed, and searched by title and folder", async () => {
  await list.loadConversations();
  expect(list.programs().map((one) => one.name)).toEqual(["Claude Code", "Codex CLI"]);
  expect(ids()).toEqual([]);
  list.chooseProgram("codex");
  expect(ids()).toEqual(["c", "a"]);
  list.searchConversations("ORBIT  rename");
  expect(ids()).toEqual(["a"]);
});

test("a failed request keeps the list", async () => {
  await list.loadConversations();
  list.chooseProgram("codex");
  reply(() => new Response(JSON.stringify({ code: "unavailable", message: "Not now." }), { status: 500 }));
  await list.loadConversations();
  expect(list.failure()).toBe("Not now.");
  expect(ids()).toEqual(["c", "a"]);
});

test("a program without conversations is no longer chosen", async () => {
  list.chooseProgram("codex");
  reply(() => Response.json({ conversations: [], programs: [] }));
  await list.loadConversations();
  expect(list.program()).toBe("");
});

test("a conversation is opened by its program and ID", async () => {
  const app = stubApp();
  await actions.openOtherConversation("codex", "a");
  expect(app.of("OpenOtherConversation")).toEqual([["codex", "a"]]);
});
