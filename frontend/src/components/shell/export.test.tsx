import { fireEvent, screen as page, render, waitFor, within } from "@solidjs/testing-library";
import { createRoot } from "solid-js";
import { beforeEach, expect, test } from "vitest";
import { dismiss, notify } from "../../state/notices";
import { go } from "../../state/screen";
import { raw } from "../../state/store";
import type { Chat } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { chatEntries } from "./chatMenu";
import { Notices } from "./Notices";

const exportResult = (more: { path?: string; message?: string; writing?: boolean; written?: number }) => ({
  picked: { request: "export fix", path: "", ...more },
});
const notices = () => page.getByRole("status", { name: "Notifications" });

beforeEach(() => {
  stubBrowser();
  dismiss("export fix");
  resetState(chatEvent("fix"));
});

test("a long export shows its progress, can be canceled and shows its file", () => {
  const { calls } = stubApp();
  render(() => <Notices />);
  applyEvents(exportResult({ path: "/home/anna/fix.html", writing: true, written: 2_000_000 }));
  expect(notices()).toHaveTextContent("Exporting…2.0 MB");
  const cancel = page.getByRole("button", { name: "Cancel" });
  applyEvents(exportResult({ path: "/home/anna/fix.html", writing: true, written: 9_000_000 }));
  // A progress update doesn't replace the button about to be clicked.
  expect(page.getByRole("button", { name: "Cancel" })).toBe(cancel);
  fireEvent.click(cancel);
  expect(calls).toContainEqual({ method: "CancelExport", args: ["fix"] });
  applyEvents(exportResult({ path: "/home/anna/fix.html" }));
  expect(notices()).toHaveTextContent("Chat exported.");
  expect(notices()).toHaveTextContent("fix.html");
  expect(page.queryByRole("button", { name: "Cancel" })).toBeNull();
});

test("the focus stays in an export's notice, even among others", async () => {
  stubApp();
  render(() => <Notices />);
  applyEvents(exportResult({ path: "/home/anna/fix.html", writing: true }));
  notify({ id: "other", text: "Something else" });
  const notice = page.getByRole("button", { name: "Cancel" }).closest(".notice") as HTMLElement;
  page.getByRole("button", { name: "Cancel" }).focus();
  applyEvents(exportResult({ path: "/home/anna/fix.html" }));
  await waitFor(() => expect(within(notice).getByRole("button", { name: "Dismiss" })).toHaveFocus());
  expect(notice).toHaveTextContent("Chat exported.");
  dismiss("other");
  expect(within(notice).getByRole("button", { name: "Dismiss" })).toHaveFocus();
});

test("a canceled export leaves no notice, and a failed one shows the reason", () => {
  stubApp();
  render(() => <Notices />);
  applyEvents(exportResult({ path: "/home/anna/fix.html", writing: true }));
  applyEvents(exportResult({}));
  expect(notices().textContent).toBe("");
  applyEvents(exportResult({ path: "/home/anna/fix.html", message: "The disk is full." }));
  expect(notices()).toHaveTextContent("Couldn't export the chat.The disk is full.");
});

test("a finished export is announced until another screen opens; a failure stays", () => {
  stubApp();
  render(() => <Notices />);
  applyEvents(exportResult({ path: "/home/anna/fix.html" }));
  expect(notices()).toHaveTextContent("Chat exported.");
  go({ name: "settings", page: "account" });
  expect(notices().textContent).toBe("");
  applyEvents(exportResult({ path: "/home/anna/fix.html", message: "The disk is full." }));
  go({ name: "new" });
  expect(notices()).toHaveTextContent("The disk is full.");
});

test("the command that continues a chat's session in a terminal is copied", async () => {
  const command = "COPILOT_HOME='/other home' copilot --resume=0cd2575d";
  const { calls } = stubApp({ ResumeCommand: () => Promise.resolve(command) });
  resetState(chatEvent("fix", { turnState: "done" }), chatEvent("empty"));
  const entries = (id: string) =>
    createRoot((dispose) => {
      const groups = chatEntries(raw().chats[id] as Chat, () => {});
      dispose();
      return groups.flatMap((group) => group.entries);
    });
  const label = "Copy resume command";
  expect(entries("empty").some((entry) => entry.label === label)).toBe(false);
  render(() => <Notices />);
  entries("fix")
    .find((entry) => entry.label === label)
    ?.onSelect?.();
  await waitFor(() => expect(notices()).toHaveTextContent("Resume command copied."));
  expect(calls.filter(({ method }) => /Resume|Copy/.test(method))).toEqual([
    { method: "ResumeCommand", args: ["fix"] },
    { method: "Copy", args: [command] },
  ]);
});
