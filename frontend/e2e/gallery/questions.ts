// Screens with confirmations of irreversible actions, and with the menus that lead to them.

import type { Page } from "playwright-core";
import type { Event } from "../../src/state/types";
import { facts, inspected } from "./blocks";
import { folders, home, ollama, openChat, openSettings, ready, rule } from "./shell";
import type { Shot } from "./shot";
import { prose, shot } from "./transcript";

const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();
const choose = (name: string) => (page: Page) => page.getByRole("menuitem", { name, exact: true }).click();

/** sessions shows the session list with one session's menu open. */
const sessions = (name: string, session: string, item = ""): Shot =>
  shot(
    name,
    { story: inspected(), running: true, connection: { can: { fork: true, list: true } } },
    {
      ...facts,
      reference: "04b-inspector-sessions",
      act: async (page) => {
        const row = page
          .getByRole("list", { name: "Copilot sessions" })
          .locator("> li", { hasText: session });
        await row.getByRole("button", { name: "Session actions" }).click();
        if (item === "") await page.getByRole("menu").waitFor();
        else await choose(item)(page);
      },
    },
  );

/** inSettings shows a confirmation on a settings page. */
const inSettings = (name: string, page: string, button: string, more: Event[]): Shot => ({
  name,
  reference: "01f-delete",
  app: [...home, ...more],
  act: async (each) => {
    await openSettings(page)(each);
    await press(button)(each);
    await each.getByRole("dialog").waitFor();
  },
});

export const shots: Shot[] = [
  {
    name: "01r-chat-actions",
    reference: "01-chat-streaming",
    app: [...home, ready("refresh")],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: press("Chat actions"),
  },
  shot(
    "13k-link",
    { story: prose() },
    { reference: "01f-delete", act: (page) => page.getByRole("link", { name: "the paper" }).click() },
  ),
  sessions("04b7-inspector-session-menu", "auth-bug-fix"),
  sessions("04b8-inspector-fork", "auth-bug-fix", "Fork…"),
  sessions("04b9-inspector-restart", "refactor-logger", "Restart"),
  sessions("04b10-inspector-close", "auth-bug-fix", "Close…"),
  shot(
    "04b11-inspector-restart-copilot",
    { story: inspected(), running: true },
    { ...facts, reference: "04b-inspector-sessions", act: press("Restart Copilot") },
  ),
  inSettings("06c5-settings-remove-rules", "Permissions", "Remove all rules", [
    rule("r1", "/home/anna/code/orbit-api", "2025-11-20"),
  ]),
  inSettings("06a6-settings-remove-model", "Your own model", "Remove…", [{ provider: ollama }]),
  inSettings("06b4-settings-remove-agent", "Agent", "Remove…", [
    { profile: { id: "q", name: "Qwen Code", command: "qwen", args: ["--acp"], createdAt: 1 } },
  ]),
];
