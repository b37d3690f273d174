import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { AppError } from "../../bridge";
import { commands } from "../../state/commands";
import { go } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { Event, Desktop as Facts, Settings } from "../../state/types";
import { applyEvents, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { SettingsScreen } from "./SettingsScreen";

const settings: Settings = { ...defaultSettings, setupDone: true };
const desktop = (more: Partial<Facts> = {}): Event => ({
  desktop: {
    tray: true,
    startAtLogin: false,
    actions: true,
    shortcut: { keys: settings.shortcut, state: "active", command: "voxpilot quick" },
    ...more,
  },
});

/** open shows a settings page, with a stubbed app that stores changes. */
function open(at: "desktop" | "shortcuts" = "desktop") {
  const app = stubApp({
    SaveSettings: (changed: Settings) => {
      if (changed.shortcut === "Ctrl+Shift+F1")
        return Promise.reject(new AppError({ code: "invalid", message: "Not this one." }));
      applyEvents({ settings: changed });
      return Promise.resolve();
    },
  });
  go({ name: "settings", page: at });
  render(() => <SettingsScreen />);
  return { app, user: userEvent.setup(), last: () => app.of("SaveSettings").at(-1)?.[0] as Settings };
}

beforeEach(() => {
  stubBrowser();
  resetState(cliFound, { settings }, desktop());
});

test("launch at login and close to tray can be turned on", async () => {
  const { app, user, last } = open();
  await user.click(page.getByRole("switch", { name: "Start at login" }));
  expect(app.of("SetStartAtLogin")).toEqual([[true]]);
  await user.click(page.getByRole("switch", { name: "Keep running in the tray when you close the window" }));
  expect(last().closeToTray).toBe(true);
});

test("without a tray, closing the window is explained", () => {
  resetState(cliFound, { settings: { ...settings, closeToTray: true } }, desktop({ tray: false }));
  open();
  const tray = page.getByRole("switch", { name: "Keep running in the tray when you close the window" });
  expect(tray).toBeDisabled();
  expect(tray).not.toBeChecked();
  expect(page.getByText(/closing the window quits VoxPilot/)).toBeVisible();
});

test("a global shortcut is recorded by pressing it", async () => {
  const { app, user, last } = open();
  const recorder = page.getByRole("button", {
    name: "Change the global shortcut (currently Ctrl+Shift+Space)",
  });
  await user.pointer({ keys: "[MouseLeft>]", target: recorder });
  recorder.blur(); // on a Mac, clicking a button doesn't focus it
  await user.pointer("[/MouseLeft]");
  expect(recorder).toHaveFocus();
  expect(recorder).toHaveTextContent("Press keys…");
  await user.keyboard("{Control>}{Alt>}v{/Alt}{/Control}");
  expect(last().shortcut).toBe("Ctrl+Alt+V");
  expect(recorder).toHaveTextContent("CtrlAltV");
  await user.click(page.getByRole("button", { name: "Reset" }));
  expect(last().shortcut).toBe("Ctrl+Shift+Space");
  await user.click(page.getByRole("button", { name: "Remove" }));
  expect(last().shortcut).toBe("");
  expect(
    page.getByText("None. Open the quick prompt from the tray or with the command below."),
  ).toBeVisible();
  await user.click(page.getByRole("button", { name: "Set a global shortcut" }));
  await user.keyboard("{Escape}");
  expect(page.getByRole("button", { name: "Set a global shortcut" })).toHaveTextContent("Set…");
  expect(page.getByRole("heading", { name: "Desktop" })).toBeVisible();
  expect(app.of("SaveSettings")).toHaveLength(3);
});

test("keys that are taken, invalid or refused by the app are not accepted", async () => {
  const { app, user } = open();
  await user.click(page.getByRole("button", { name: /^Change the global shortcut/ }));
  await user.keyboard("{Control>}{Shift>}f{/Shift}{/Control}");
  expect(page.getByRole("alert")).toHaveTextContent(
    "VoxPilot already uses these keys for “Search all chats”.",
  );
  await user.keyboard("{Control>}{Shift>}{Delete}{/Shift}{/Control}");
  expect(page.getByRole("alert")).toHaveTextContent("A shortcut must end with");
  expect(app.of("SaveSettings")).toHaveLength(0);
  await user.keyboard("{Control>}{Shift>}{F1}{/Shift}{/Control}");
  await waitFor(() => expect(page.getByRole("alert")).toHaveTextContent("Not this one."));
});

test("a broken shortcut shows the reason and alternatives", async () => {
  resetState(
    cliFound,
    { settings },
    desktop({
      shortcut: {
        keys: settings.shortcut,
        state: "taken",
        message: "Another program has it.",
        command: "voxpilot quick",
      },
    }),
  );
  const { user, last } = open();
  expect(page.getByText("Another program has it.")).toBeVisible();
  expect(page.getByText("voxpilot quick")).toBeVisible();
  await user.click(page.getByRole("button", { name: "Try again" }));
  expect(last()).toEqual(settings);
  applyEvents(desktop());
  expect(page.queryByText("Another program has it.")).toBeNull();
  expect(page.queryByRole("button", { name: "Try again" })).toBeNull();
  applyEvents(desktop({ shortcut: { keys: "Press <Control><Shift>space", state: "active" } }));
  expect(page.getByText("Your desktop shows this shortcut as Press <Control><Shift>space.")).toBeVisible();
});

test("each kind of notification is toggled, and all are muted", async () => {
  const { user, last } = open();
  for (const [name, kind] of [
    ["A chat needs you", "needsYou"],
    ["A chat finishes", "finished"],
    ["A chat fails", "failed"],
    ["You need to sign in", "signIn"],
  ] as const) {
    await user.click(page.getByRole("switch", { name }));
    expect(last().notify[kind]).toBe(false);
  }
  await user.click(page.getByRole("switch", { name: "Mute all" }));
  expect(last().notify).toEqual({
    muted: true,
    needsYou: false,
    finished: false,
    failed: false,
    signIn: false,
  });
  expect(page.getByRole("switch", { name: "A chat fails" })).toBeDisabled();
  commands.find(({ id }) => id === "notifications.mute")?.run?.();
  expect(last().notify.muted).toBe(false);
});

test("quiet hours default to a night", async () => {
  const { user, last } = open();
  const quiet = page.getByRole("switch", { name: "Quiet hours" });
  await user.click(quiet);
  expect(last().notify).toMatchObject({ quietFrom: "22:00", quietTo: "07:00" });
  const from = page.getByLabelText("Quiet from");
  expect(from).toHaveValue("22:00");
  await user.clear(from);
  await user.type(from, "21:30");
  await user.tab();
  expect(last().notify).toMatchObject({ quietFrom: "21:30", quietTo: "07:00" });
  await user.click(quiet);
  expect(last().notify).toMatchObject({ quietFrom: "", quietTo: "" });
});

test("unsupported notification features are listed", () => {
  resetState(cliFound, { settings }, desktop({ actions: false }));
  open();
  expect(page.getByText(/This desktop doesn't support buttons in notifications/)).toBeVisible();
  applyEvents(desktop({ notifications: "Nothing shows them here." }));
  expect(page.getByText("Nothing shows them here.")).toBeVisible();
});

test("the shortcuts page lists the global shortcut while it works", () => {
  open("shortcuts");
  expect(page.getByRole("table", { name: "Shortcuts, system-wide" })).toHaveTextContent("Quick prompt");
  applyEvents(desktop({ shortcut: { keys: settings.shortcut, state: "taken" } }));
  expect(page.queryByRole("table", { name: "Shortcuts, system-wide" })).toBeNull();
  applyEvents(desktop({ shortcut: { keys: "Press <Alt>space", state: "active" } }));
  expect(page.getByRole("table", { name: "Shortcuts, system-wide" })).toHaveTextContent("Press <Alt>space");
});
