import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { dismiss, notices } from "../../state/notices";
import { screen } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { Update } from "../../state/types";
import { applyEvents, resetState, stubApp, stubBrowser } from "../../testing";
import { Notices } from "../shell/Notices";
import { Sidebar } from "../shell/Sidebar";
import { UpdateNotice } from "../shell/UpdateNotice";
import { Updates } from "./Updates";

const setUpdate = (update: Update) =>
  resetState({ settings: { ...defaultSettings, setupDone: true } }, { update: { ...update } });
const newer = { version: "1.2.0", size: 14_600_000, notes: "- **Faster**" };

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
});

describe("the updates", () => {
  test("that are disabled in this build can't be checked or turned on", () => {
    setUpdate({ state: "off" });
    render(() => <Updates />);
    expect(page.getByRole("status").textContent).toContain("This build doesn't check for updates");
    expect(page.queryByRole("button")).toBeNull();
    expect(page.queryByRole("switch")).toBeNull();
  });

  test("are checked, downloaded and installed with one button, step by step", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    setUpdate({ state: "idle" });
    render(() => <Updates />);
    await user.click(page.getByRole("button", { name: "Check now" }));
    expect(app.of("CheckUpdate")).toHaveLength(1);

    applyEvents({ update: { state: "checking" } });
    const check = page.getByRole("button", { name: "Check now" });
    expect(check.getAttribute("aria-disabled")).toBe("true");
    expect(document.activeElement).toBe(check);
    await user.click(check);
    expect(app.of("CheckUpdate")).toHaveLength(1);
    applyEvents({ update: { state: "available", ...newer, checkedAt: Date.now() - 5.5 * 60_000 } });
    expect(page.getByRole("status").textContent).toBe("VoxPilot 1.2.0 is available.");
    expect(page.getByText("Last checked 5 minutes ago.")).toBeTruthy();
    await user.click(page.getByRole("button", { name: "Download (15 MB)" }));
    expect(app.of("DownloadUpdate")).toHaveLength(1);

    applyEvents({ update: { state: "downloading", ...newer, got: 5_200_000 } });
    expect(page.getByText("5.2 MB of 15 MB")).toBeTruthy();
    expect(page.queryByRole("button")).toBeNull();
    applyEvents({ update: { state: "ready", ...newer } });
    expect(app.of("InstallUpdate")).toHaveLength(0);
    await user.click(page.getByRole("button", { name: "Restart to update" }));
    expect(app.of("InstallUpdate")).toHaveLength(1);
  });

  test("are not installed while a chat is running, with a notice", async () => {
    const message = "A chat is still running. Wait for it to finish, or stop it, then update.";
    stubApp({ InstallUpdate: () => Promise.reject({ code: "unavailable", message }) });
    setUpdate({ state: "ready", ...newer });
    render(() => <Updates />);
    await userEvent.setup().click(page.getByRole("button", { name: "Restart to update" }));
    await waitFor(() => expect(page.getByRole("alert").textContent).toBe(message));
  });

  test("show release notes as inert Markdown that loads nothing", () => {
    setUpdate({
      state: "available",
      ...newer,
      notes:
        '# New\n\n- **Faster**\n\n<script>alert(1)</script>\n\n![x](https://example.org/x.png)\n\n<img src=x onerror="alert(1)">',
    });
    render(() => <Updates />);
    const notes = page.getByRole("region", { name: "What's new in 1.2.0" });
    expect(notes.querySelector("strong")?.textContent).toBe("Faster");
    expect(notes.querySelector("script, img, iframe")).toBeNull();
  });

  test("ask before opening a link in the release notes", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    setUpdate({ state: "available", ...newer, notes: "[Read](https://example.org/notes)" });
    render(() => <Updates />);
    await user.click(page.getByRole("link", { name: "Read" }));
    expect(app.of("OpenURL")).toEqual([]);
    const question = await page.findByRole("dialog");
    expect(question.textContent).toContain("https://example.org/notes");
    await user.click(within(question).getAllByRole("button").at(-1) as HTMLElement);
    await waitFor(() => expect(app.of("OpenURL")).toEqual([["https://example.org/notes"]]));
  });

  test("of a package are downloaded here and installed by a command", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    setUpdate({ state: "elsewhere", ...newer });
    render(() => <Updates />);
    await user.click(page.getByRole("button", { name: "Download (15 MB)" }));
    expect(app.of("DownloadUpdate")).toHaveLength(1);
    applyEvents({ update: { state: "elsewhere", ...newer, command: "sudo apt install /tmp/voxpilot.deb" } });
    expect(page.queryByRole("button", { name: /Download/ })).toBeNull();
    await user.click(page.getByRole("button", { name: "Copy command" }));
    expect(app.of("Copy")).toEqual([["sudo apt install /tmp/voxpilot.deb"]]);
  });

  test("that failed show the reason and retry the failed step", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    setUpdate({
      state: "failed",
      message: "Couldn't check for updates. The connection failed.",
    });
    render(() => <Updates />);
    expect(page.getByText(/The connection failed/)).toBeTruthy();
    expect(page.getByRole("status").textContent).toBe("Couldn't check for updates.");
    await user.click(page.getByRole("button", { name: "Try again" }));
    expect(app.of("CheckUpdate")).toHaveLength(1);
    applyEvents({ update: { state: "failed", ...newer, message: "Couldn't download VoxPilot 1.2.0." } });
    await user.click(page.getByRole("button", { name: "Try again" }));
    expect(app.of("DownloadUpdate")).toHaveLength(1);
  });

  test("are checked automatically only if enabled", async () => {
    const app = stubApp();
    setUpdate({ state: "none" });
    render(() => <Updates />);
    await userEvent.setup().click(page.getByRole("switch", { name: "Check for updates daily" }));
    expect(app.of("SaveSettings")).toEqual([[{ ...defaultSettings, setupDone: true, checkUpdates: false }]]);
  });
});

describe("the notice in the sidebar", () => {
  test("appears when action is needed, and opens it", async () => {
    setUpdate({ state: "none" });
    render(() => <UpdateNotice />);
    for (const state of ["off", "idle", "checking", "none", "failed", "downloading"] as const) {
      applyEvents({ update: { state, ...newer } });
      expect(page.queryByRole("button")).toBeNull();
    }
    applyEvents({ update: { state: "ready", ...newer } });
    expect(page.getByRole("button", { name: "VoxPilot 1.2.0 is ready" })).toBeTruthy();
    applyEvents({ update: { state: "available", ...newer } });
    await userEvent.setup().click(page.getByRole("button", { name: "VoxPilot 1.2.0 is available" }));
    expect(screen()).toEqual({ name: "settings", page: "about" });
  });

  test("stays hidden for a version, even after a reload, and returns with the next", async () => {
    setUpdate({ state: "available", ...newer });
    const first = render(() => <Sidebar onHide={() => {}} />);
    await userEvent.setup().click(page.getByRole("button", { name: "Dismiss the VoxPilot 1.2.0 notice" }));
    expect(page.queryByRole("button", { name: /VoxPilot 1.2.0/ })).toBeNull();
    expect(document.activeElement).toBe(page.getByRole("button", { name: "Settings" }));
    first.unmount();
    render(() => <UpdateNotice />);
    expect(page.queryByRole("button")).toBeNull();
    applyEvents({ update: { state: "available", ...newer, version: "1.3.0" } });
    expect(page.getByRole("button", { name: "VoxPilot 1.3.0 is available" })).toBeTruthy();
  });
});

test("a data migration is announced once, with its backup", () => {
  const told = () => notices().filter((notice) => notice.id === "backup");
  const storage = { state: "ok", path: "/data/voxpilot.db", backup: "/data/voxpilot-before-v5.db" } as const;
  resetState({ storage });
  const first = render(() => <Notices />);
  expect(page.getByText("/data/voxpilot-before-v5.db")).toBeTruthy();
  dismiss("backup");
  first.unmount();
  render(() => <Notices />);
  expect(told()).toEqual([]);
  applyEvents({ storage: { ...storage, backup: "/data/voxpilot-before-v6.db" } });
  expect(told()).toHaveLength(1);
  dismiss("backup");
});
