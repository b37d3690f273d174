import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { App } from "./App";
import { request } from "./components/trust/testing";
import { go, screen } from "./state/screen";
import { defaultSettings } from "./state/state";
import { closeTrust, reviewed } from "./state/trustSheet";
import type { Event, Navigation } from "./state/types";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser, stubFolders } from "./testing";

const setUp: Event = { settings: { ...defaultSettings, setupDone: true } };
const navigationTo = (id: string, more: Partial<Navigation>): Event => ({
  asked: { id, for: "chat", ...more },
});

beforeEach(() => {
  stubBrowser();
  sessionStorage.clear();
  localStorage.clear();
  stubFolders({ "/home/anna/code/harbor": { branch: "main" } });
  go({ name: "new" });
});

test("navigating to a chat opens it and focuses its request if asked to", () => {
  stubApp();
  resetState(cliFound, setUp, chatEvent("fix"), chatEvent("tests"));
  render(() => <App />);
  applyEvents(navigationTo("1", { chatId: "fix", request: true }));
  expect(screen()).toEqual({ name: "chat", id: "fix", toRequest: true });
  applyEvents(navigationTo("2", { chatId: "gone" }));
  expect(screen()).toMatchObject({ id: "fix" });
  applyEvents(navigationTo("3", { for: "settings", page: "desktop" }));
  expect(screen()).toEqual({ name: "settings", page: "desktop" });
  applyEvents(navigationTo("4", { for: "settings", page: "nowhere" }));
  expect(screen()).toEqual({ name: "settings", page: "account" });
});

test("a review opens, and the sheet of an untrusted folder comes first", async () => {
  stubApp();
  resetState(cliFound, setUp, chatEvent("fix"), chatEvent("tests"));
  render(() => <App />);
  applyEvents(navigationTo("1", { for: "review", chatId: "fix", source: "working" }));
  expect(screen()).toEqual({ name: "review", chat: "fix", source: "working" });
  expect(reviewed()).toBeUndefined();
  applyEvents(navigationTo("2", { for: "review", chatId: "gone", source: "working" }));
  expect(screen()).toMatchObject({ chat: "fix" });
  applyEvents(
    request({ chatIds: ["tests"] }),
    navigationTo("3", { for: "review", chatId: "tests", source: "working" }),
  );
  expect(screen()).toMatchObject({ name: "review", chat: "tests" });
  expect(reviewed()).toBe("tests");
  expect(await page.findByRole("dialog", { name: "Trust this folder?" })).toBeInTheDocument();
  closeTrust();
  await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
  expect(screen()).toMatchObject({ name: "review", chat: "tests" });
});

test("a failed action is reported, and the screen stays", () => {
  stubApp();
  resetState(cliFound, setUp, chatEvent("fix"));
  go({ name: "chat", id: "fix" });
  render(() => <App />);
  applyEvents(navigationTo("1", { for: "failed", message: "VoxPilot can't open this link." }));
  expect(page.getByRole("status", { name: "Notifications" })).toHaveTextContent(
    "Couldn't complete that action.VoxPilot can't open this link.",
  );
  expect(screen()).toMatchObject({ name: "chat", id: "fix" });
});

test("navigation is followed once, even after a reload", () => {
  stubApp();
  resetState(cliFound, setUp, chatEvent("fix"), navigationTo("1", { chatId: "fix" }));
  const first = render(() => <App />);
  expect(screen()).toMatchObject({ name: "chat", id: "fix" });
  go({ name: "new" });
  applyEvents(chatEvent("fix", { title: "Another name" }));
  expect(screen().name).toBe("new");
  first.unmount();
  resetState(cliFound, setUp, chatEvent("fix"), navigationTo("1", { chatId: "fix" }));
  render(() => <App />);
  expect(screen().name).toBe("new");
});

test("provided text is added after the draft and not sent", async () => {
  const user = userEvent.setup();
  const app = stubApp();
  resetState(cliFound, setUp, chatEvent("fix"));
  render(() => <App />);
  const text = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
  await user.type(text(), "Mine");
  applyEvents(navigationTo("1", { for: "new", folder: "/home/anna/code/harbor", text: "Theirs" }));
  expect(screen()).toEqual({ name: "new", folder: "/home/anna/code/harbor" });
  expect(text()).toHaveValue("Mine\n\nTheirs");
  go({ name: "settings", page: "about" });
  applyEvents(navigationTo("2", { for: "new", text: "More" }));
  await waitFor(() => expect(text()).toHaveValue("Mine\n\nTheirs\n\nMore"));
  expect(app.of("Send")).toHaveLength(0);
});

test("the app knows whether the window is in front and which chat is open", async () => {
  const app = stubApp();
  const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(true);
  resetState(cliFound, setUp, chatEvent("fix"));
  render(() => <App />);
  expect(app.of("Looking").at(-1)).toEqual([true, "", "en"]);
  go({ name: "chat", id: "fix" });
  expect(app.of("Looking").at(-1)).toEqual([true, "fix", "en"]);
  window.dispatchEvent(new Event("blur"));
  expect(app.of("Looking").at(-1)).toEqual([false, "fix", "en"]);
  window.dispatchEvent(new Event("focus"));
  expect(app.of("Looking").at(-1)).toEqual([true, "fix", "en"]);
  hasFocus.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(app.of("Looking").at(-1)).toEqual([false, "fix", "en"]);
});
