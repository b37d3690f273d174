import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openSignOut } from "../../state/dialogs";
import { go } from "../../state/screen";
import type { Event, TrustRequest } from "../../state/types";
import { applyEvents, chatEvent } from "../../testing";
import { AccountDialogs } from "../account/AccountDialogs";
import { expectNoSheet, needsTrust, passGuard, press, request, reset, runs, sheet, show } from "./testing";

beforeEach(reset);

describe("the sheet", () => {
  test("shows the folder's source and what would run, with the focus on Not now", async () => {
    show({}, needsTrust(), request({ from: "github.com/orbit/api", clonedAt: Date.now() - 3 * 86_400_000 }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent(
      "~/code/orbit-api, cloned 3 days ago from github.com/orbit/api. Files in this folder can run code or tell Copilot what to do.",
    );
    expect(within(dialog).getByRole("region", { name: "Runs code" })).toHaveTextContent(
      "Starts the server icons: ./icons --watch",
    );
    expect(within(dialog).getByRole("region", { name: "Tells Copilot what to do" })).toHaveTextContent(
      "2 KB",
    );
    await waitFor(() => expect(page.getByRole("button", { name: "Not now" })).toHaveFocus());
  });

  test("opens without running it, which has the focus where the sandbox is ready", async () => {
    const app = show({}, { sandbox: { state: "ready" } }, needsTrust(), request());
    await sheet();
    const without = page.getByRole("button", { name: "Open without running code" });
    await waitFor(() => expect(without).toHaveFocus());
    expect(without).toHaveAccessibleDescription(/keeps Copilot in the sandbox/);
    await userEvent.click(without);
    expect(app.of("OpenWithoutRunning")).toEqual([]);
    passGuard();
    await userEvent.click(without);
    expect(app.of("OpenWithoutRunning")).toEqual([["t1"]]);
    await expectNoSheet();
  });

  const remote: Event = { profile: { id: "q", name: "Qwen", address: "localhost:1", createdAt: 1 } };
  test.each([
    [
      "the sandbox isn't there",
      [{ sandbox: { state: "unavailable", problem: "Too old." } }],
      {},
      /needs the sandbox. Too old\./,
    ],
    [
      "the sandbox is being tested",
      [{ sandbox: { state: "checking" } }],
      {},
      /is still checking whether it works/,
    ],
    ["the folder is incomplete", [{ sandbox: { state: "ready" } }], { incomplete: true }, /couldn't read/],
    [
      "the agent is elsewhere",
      [{ sandbox: { state: "ready" } }, remote, chatEvent("c", { providerId: "q" })],
      { agent: "Qwen" },
      /Qwen is started outside VoxPilot/,
    ],
  ] as [string, Event[], Partial<TrustRequest>, RegExp][])(
    "explains, if %s, why nothing opens without running it",
    async (_, events, more, reason) => {
      const app = show({}, ...events, needsTrust(), request(more));
      await sheet();
      await waitFor(() => expect(page.getByRole("button", { name: "Not now" })).toHaveFocus());
      const without = page.getByRole("button", { name: "Open without running code" });
      expect(without).toHaveAttribute("aria-disabled", "true");
      expect(without).toHaveAccessibleDescription(reason);
      passGuard();
      await userEvent.click(without);
      expect(app.calls.filter(({ method }) => method !== "Log")).toEqual([]);
      expect(page.getByRole("dialog")).toBeVisible();
    },
  );

  test("trusts its content after a moment, and closes", async () => {
    const app = show({}, needsTrust(), request());
    await sheet();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([]);
    passGuard();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([["t1"]]);
    await expectNoSheet();
  });

  test("shows why the folder couldn't be trusted", async () => {
    show(
      { TrustFolder: () => Promise.reject({ code: "storage", message: "The disk is full." }) },
      needsTrust(),
      request(),
    );
    await sheet();
    passGuard();
    await press("Trust this folder");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
  });

  test("reports that the folder changed, and then trusts only the new list", async () => {
    const app = show({}, needsTrust(), request());
    await sheet();
    passGuard();
    applyEvents(request({ id: "t2", runs: [...runs, { file: ".envrc", value: "make" }] }));
    expect(page.getByRole("status")).toHaveTextContent("The folder just changed, so this list was updated.");
    expect(page.getByText(".envrc")).toBeVisible();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([]);
    passGuard();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([["t2"]]);
  });

  test("keeps the request on Not now and Escape, and doesn't reopen on its own", async () => {
    const app = show({}, needsTrust(), request());
    await sheet();
    await userEvent.keyboard("{Escape}");
    await expectNoSheet();
    applyEvents(request({ chatIds: ["c", "d"] }), needsTrust("d"));
    go({ name: "chat", id: "d" });
    await expectNoSheet();
    expect(app.of("TrustFolder")).toEqual([]);
    applyEvents(request({ id: "t2", chatIds: ["c", "d"] }));
    await sheet();
    await press("Not now");
    await expectNoSheet();
  });

  test("stays open while the agent retries", async () => {
    show({}, needsTrust(), request());
    const dialog = await sheet();
    applyEvents({ connection: { chatId: "c", state: "checking", since: 2 } });
    applyEvents(needsTrust());
    await waitFor(() => expect(page.getByRole("button", { name: "Not now" })).toHaveFocus());
    expect(page.getByRole("dialog")).toBe(dialog);
  });

  test("reopens if a folder is requested again", async () => {
    const gone: Event = { trustGone: { id: "/home/anna/code/orbit-api/.git" } };
    show({}, needsTrust(), request());
    await sheet();
    passGuard();
    await press("Trust this folder");
    await expectNoSheet();
    // After trust has been revoked, a request for the same files has the same ID.
    applyEvents(gone, { connection: { chatId: "c", state: "ready", since: 2 } });
    applyEvents(needsTrust(), request());
    await sheet();
  });

  test("closes when nothing is waiting", async () => {
    show({}, needsTrust(), request());
    await sheet();
    applyEvents({ trustGone: { id: "/home/anna/code/orbit-api/.git" } });
    await expectNoSheet();
  });

  test("of another chat opens with that chat", async () => {
    show({}, needsTrust("d"), request({ chatIds: ["d"] }));
    await expectNoSheet();
    go({ name: "chat", id: "d" });
    await sheet();
  });

  test("waits for another dialog to close", async () => {
    show();
    render(() => <AccountDialogs />);
    openSignOut();
    await page.findByRole("dialog", { name: /Sign out/ });
    applyEvents(needsTrust(), request());
    await press("Cancel");
    await sheet();
    expect(page.getAllByRole("dialog")).toHaveLength(1);
  });

  test("shows changes since the folder was trusted", async () => {
    const changed = { changed: true, steers: [] };
    const hook = { file: "h.json", key: "hooks.preToolUse" };
    show(
      {},
      needsTrust(),
      request({
        ...changed,
        runs: [
          { ...hook, value: "./new.sh", before: "./old.sh" },
          { ...hook, key: "hooks.sessionStart", value: "./same.sh", before: "./same.sh" },
          { ...hook, key: "hooks.sessionEnd", value: "./end.sh" },
        ],
      }),
    );
    const dialog = await sheet();
    expect(dialog).toHaveTextContent(
      "Some files that can run code have changed since you trusted this folder.",
    );
    expect(dialog).toHaveTextContent("ChangedRuns ./new.sh before every tool callBefore: ./old.sh");
    expect(dialog).toHaveTextContent(
      "The text shown here is unchanged, but a hidden part or a file that the text refers to has changed.",
    );
    expect(dialog).toHaveTextContent("NewRuns ./end.sh when a session ends");
  });

  test("mentions unlisted entries and an incompletely read folder", async () => {
    show(
      {},
      needsTrust(),
      request({ moreRuns: 1200, moreSteers: 1, incomplete: true, agent: "Claude Code" }),
    );
    const dialog = await sheet();
    expect(dialog).toHaveTextContent("1,200 more aren't listed.");
    expect(dialog).toHaveTextContent("1 more isn't listed.");
    expect(dialog).toHaveTextContent(
      "VoxPilot couldn't read the whole folder, so it will ask every time an agent starts here.",
    );
    expect(dialog).toHaveTextContent("Tells Claude Code what to do");
    expect(dialog).not.toHaveTextContent("VoxPilot asks again");
  });

  test("says that an incompletely read folder without changes may run more", async () => {
    show({}, needsTrust(), request({ changed: true, runs: [], incomplete: true }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent("so code that isn't listed may run.");
    expect(dialog).not.toHaveTextContent("have changed");
    expect(page.queryByRole("region", { name: "Runs code" })).toBeNull();
  });

  test("keeps the rows of unchanged files and their focus", async () => {
    show({}, needsTrust(), request());
    await sheet();
    const view = page.getByRole("button", { name: "View AGENTS.md" });
    view.focus();
    applyEvents(request({ chatIds: ["c", "d"] }));
    expect(page.getByRole("status")).toBeEmptyDOMElement();
    applyEvents(request({ id: "t2", runs: runs.slice(0, 1) }));
    expect(view).toHaveFocus();
    expect(page.queryByRole("button", { name: "View .github/hooks/pre.json" })).toBeNull();
  });

  test("names invisible characters in the folder's text", async () => {
    const bidi = "\u202E";
    show(
      {},
      needsTrust(),
      request({
        root: `/home/anna/a${bidi}b`,
        from: `x${bidi}y`,
        agent: `A${bidi}`,
        runs: [{ file: `f${bidi}.json`, key: `mcpServers.s${bidi}`, value: `v${bidi}\n\u001B[8m\u3164` }],
        steers: [{ file: `AGENTS${bidi}.md` }],
      }),
    );
    const dialog = await sheet();
    await press("View f[U+202E].json");
    expect(dialog.textContent).not.toContain(bidi);
    expect(dialog.innerHTML).not.toContain(bidi);
    expect(dialog).toHaveTextContent("Starts the server sU+202E: vU+202EU+001B[8mU+3164");
  });
});

test("the sheet can be used with keys alone", async () => {
  const user = userEvent.setup();
  const app = show({}, needsTrust(), request());
  const dialog = await sheet();
  const button = (name: string) => page.getByRole("button", { name });
  await waitFor(() => expect(button("Not now")).toHaveFocus());
  const body = dialog.querySelector(".sheet-body") as HTMLElement;
  const scrolled = vi.fn();
  body.scrollBy = scrolled;
  vi.spyOn(body, "clientHeight", "get").mockReturnValue(100);
  await user.keyboard("{PageDown}{PageUp}");
  expect(scrolled.mock.calls).toEqual([[{ top: 90 }], [{ top: -90 }]]);
  await user.tab({ shift: true });
  expect(button("View AGENTS.md")).toHaveFocus();
  await user.keyboard("{Enter}");
  await user.tab({ shift: true });
  await user.keyboard(" ");
  expect(button("Hide AGENTS.md")).toBeVisible();
  expect(button("Hide .github/hooks/pre.json")).toBeVisible();
  button("Not now").focus();
  passGuard();
  await user.tab();
  expect(button("Trust this folder")).toHaveFocus();
  await user.tab();
  expect(button("Open without running code")).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(app.of("TrustFolder")).toEqual([]);
  await user.tab({ shift: true });
  await user.keyboard("{Enter}");
  expect(app.of("TrustFolder")).toEqual([["t1"]]);
});
