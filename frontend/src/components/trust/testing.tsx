// Shared helpers for the tests of the trust sheet.

import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";
import type { App } from "../../calls";
import { closeDialog } from "../../state/dialogs";
import { go } from "../../state/screen";
import { closeTrust } from "../../state/trustSheet";
import type { Event, TrustEntry, TrustRequest } from "../../state/types";
import { chatEvent, cliFound, resetState, signedIn, stubApp, stubBrowser } from "../../testing";
import { guardMillis } from "../permission/clickGuard";
import { TrustSheet } from "./TrustSheet";

export const runs: TrustEntry[] = [
  { file: ".mcp.json", key: "mcpServers.icons", value: "./icons --watch" },
  { file: ".github/hooks/pre.json", key: "hooks.preToolUse", value: "./check.sh" },
];

/** request returns an event with a request to trust the folder of chat c. */
export const request = (more: Partial<TrustRequest> = {}): Event => ({
  trust: {
    id: "t1",
    key: "/home/anna/code/orbit-api/.git",
    folder: "/home/anna/code/orbit-api",
    root: "/home/anna/code/orbit-api",
    chatIds: ["c"],
    agent: "Copilot",
    runs,
    steers: [{ file: "AGENTS.md", size: 2100 }],
    ...more,
  },
});

/**
 * needsTrust returns an event with the connection of a chat whose agent is waiting for the user to trust
 * the folder.
 */
export const needsTrust = (chatId = "c"): Event => ({
  connection: { chatId, state: "needs_trust", cause: "untrusted", since: 1 },
});

export const sheet = () => page.findByRole("dialog", { name: "Trust this folder?" });
export const expectNoSheet = () => waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
export const press = async (name: string) => userEvent.click(await page.findByRole("button", { name }));

let clock = 0;

/** passGuard advances the clock until the sheet accepts input. */
export function passGuard(): void {
  clock += guardMillis;
}

/** show renders the sheet in a window that has the chats c and d, with c open. */
export function show(answers: Partial<App> = {}, ...events: Event[]) {
  const app = stubApp(answers);
  resetState(cliFound, signedIn(), chatEvent("c"), chatEvent("d"), ...events);
  render(() => <TrustSheet />);
  return app;
}

/** reset resets all state before a test. */
export function reset(): void {
  stubBrowser();
  closeDialog();
  closeTrust();
  clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ text: "", size: 0 })));
  go({ name: "chat", id: "c" });
}
