import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { App } from "./App";
import { go, screen } from "./state/screen";
import { defaultSettings } from "./state/state";
import type { Event, Navigation } from "./state/types";
import { aChat, cliFound, folders, know, learn, standIn, standInForBrowser } from "./testing";

const setUp: Event = { settings: { ...defaultSettings, setupDone: true } };
const asked = (id: string, more: Partial<Navigation>): Event => ({ asked: { id, for: "chat", ...more } });

beforeEach(() => {
  standInForBrowser();
  sessionStorage.clear();
  localStorage.clear();
  folders({ "/home/anna/code/harbor": { branch: "main" } });
  go({ name: "new" });
});

test("navigating to a chat opens it and focuses its request if asked to", () => {
  standIn();
  know(cliFound, setUp, aChat("fix"), aChat("tests"));
  render(() => <App />);
  learn(asked("1", { chatId: "fix", request: true }));
  expect(screen()).toEqual({ name: "chat", id: "fix", toRequest: true });
  learn(asked("2", { chatId: "gone" }));
  expect(screen()).toMatchObject({ id: "fix" });
  learn(asked("3", { for: "settings", page: "desktop" }));
  expect(screen()).toEqual({ name: "settings", page: "desktop" });
  learn(asked("4", { for: "settings", page: "nowhere" }));
  expect(screen()).toEqual({ name: "settings", page: "account" });
});

test("a failed action is reported, and the screen stays", () => {
  standIn();
  know(cliFound, setUp, aChat("fix"));
  go({ name: "chat", id: "fix" });
  render(() => <App />);
  learn(asked("1", { for: "failed", message: "VoxPilot can't open this link." }));
  expect(page.getByRole("status", { name: "Notifications" })).toHaveTextContent(
    "Couldn't do that.VoxPilot can't open this link.",
  );
  expect(screen()).toMatchObject({ name: "chat", id: "fix" });
});

test("navigation is followed once, even after a reload", () => {
  standIn();
  know(cliFound, setUp, aChat("fix"), asked("1", { chatId: "fix" }));
  const first = render(() => <App />);
  expect(screen()).toMatchObject({ name: "chat", id: "fix" });
  go({ name: "new" });
  learn(aChat("fix", { title: "Another name" }));
  expect(screen().name).toBe("new");
  first.unmount();
  know(cliFound, setUp, aChat("fix"), asked("1", { chatId: "fix" }));
  render(() => <App />);
  expect(screen().name).toBe("new");
});

test("provided text is added after the draft and not sent", async () => {
  const user = userEvent.setup();
  const app = standIn();
  know(cliFound, setUp, aChat("fix"));
  render(() => <App />);
  const text = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
  await user.type(text(), "Mine");
  learn(asked("1", { for: "new", folder: "/home/anna/code/harbor", text: "Theirs" }));
  expect(screen()).toEqual({ name: "new", folder: "/home/anna/code/harbor" });
  expect(text()).toHaveValue("Mine\n\nTheirs");
  go({ name: "settings", page: "about" });
  learn(asked("2", { for: "new", text: "More" }));
  await waitFor(() => expect(text()).toHaveValue("Mine\n\nTheirs\n\nMore"));
  expect(app.of("Send")).toHaveLength(0);
});

test("the app knows whether the window is in front and which chat is open", async () => {
  const app = standIn();
  const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(true);
  know(cliFound, setUp, aChat("fix"));
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
