import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { askSignOut } from "../../state/dialogs";
import { go } from "../../state/screen";
import type { Event } from "../../state/types";
import { learn } from "../../testing";
import { AccountDialogs } from "../account/AccountDialogs";
import { begin, noSheet, pass, press, request, runs, sheet, show, waits } from "./testing";

beforeEach(begin);

describe("the sheet", () => {
  test("says where the folder is from and what would run, with the focus at Not now", async () => {
    show({}, waits(), request({ from: "github.com/orbit/api", clonedAt: Date.now() - 3 * 86_400_000 }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent(
      "~/code/orbit-api, cloned 3 days ago from github.com/orbit/api. Things in it can steer Copilot or run code.",
    );
    expect(within(dialog).getByRole("region", { name: "Runs code" })).toHaveTextContent(
      "Starts the server icons: ./icons --watch",
    );
    expect(within(dialog).getByRole("region", { name: "Tells Copilot what to do" })).toHaveTextContent(
      "2 KB",
    );
    await waitFor(() => expect(page.getByRole("button", { name: "Not now" })).toHaveFocus());
  });

  test("says why nothing can be opened without running it, and keeps that off", async () => {
    const app = show({}, waits(), request());
    await sheet();
    const without = page.getByRole("button", { name: "Open without running them" });
    expect(without).toHaveAttribute("aria-disabled", "true");
    expect(without).toHaveAccessibleDescription(/needs a sandbox, which VoxPilot doesn't have yet/);
    pass();
    await userEvent.click(without);
    expect(app.calls.filter(({ method }) => method !== "Log")).toEqual([]);
    expect(page.getByRole("dialog")).toBeVisible();
  });

  test("trusts what it shows, once it has stood there for a moment, and closes", async () => {
    const app = show({}, waits(), request());
    await sheet();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([]);
    pass();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([["t1"]]);
    await noSheet();
  });

  test("shows why the folder could not be trusted", async () => {
    show(
      { TrustFolder: () => Promise.reject({ code: "storage", message: "The disk is full." }) },
      waits(),
      request(),
    );
    await sheet();
    pass();
    await press("Trust this folder");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
  });

  test("says that the folder has changed meanwhile, and then trusts only the new list", async () => {
    const app = show({}, waits(), request());
    await sheet();
    pass();
    learn(request({ id: "t2", runs: [...runs, { file: ".envrc", value: "make" }] }));
    expect(page.getByRole("status")).toHaveTextContent(
      "The folder has just changed. The list is up to date.",
    );
    expect(page.getByText(".envrc")).toBeVisible();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([]);
    pass();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([["t2"]]);
  });

  test("leaves the request as it is with Not now and Escape, and doesn't come again by itself", async () => {
    const app = show({}, waits(), request());
    await sheet();
    await userEvent.keyboard("{Escape}");
    await noSheet();
    learn(request({ chatIds: ["c", "d"] }), waits("d"));
    go({ name: "chat", id: "d" });
    await noSheet();
    expect(app.of("TrustFolder")).toEqual([]);
    learn(request({ id: "t2", chatIds: ["c", "d"] }));
    await sheet();
    await press("Not now");
    await noSheet();
  });

  test("stays while the agent tries again", async () => {
    show({}, waits(), request());
    const dialog = await sheet();
    learn({ connection: { chatId: "c", state: "checking", since: 2 } });
    learn(waits());
    await waitFor(() => expect(page.getByRole("button", { name: "Not now" })).toHaveFocus());
    expect(page.getByRole("dialog")).toBe(dialog);
  });

  test("opens by itself again where a folder is asked for once more", async () => {
    const gone: Event = { trustGone: { id: "/home/anna/code/orbit-api/.git" } };
    show({}, waits(), request());
    await sheet();
    pass();
    await press("Trust this folder");
    await noSheet();
    // Trust was revoked: the same list has the same ID.
    learn(gone, { connection: { chatId: "c", state: "ready", since: 2 } });
    learn(waits(), request());
    await sheet();
  });

  test("goes when nothing waits any more", async () => {
    show({}, waits(), request());
    await sheet();
    learn({ trustGone: { id: "/home/anna/code/orbit-api/.git" } });
    await noSheet();
  });

  test("of another chat opens with that chat", async () => {
    show({}, waits("d"), request({ chatIds: ["d"] }));
    await noSheet();
    go({ name: "chat", id: "d" });
    await sheet();
  });

  test("waits until another dialog is closed", async () => {
    show();
    render(() => <AccountDialogs />);
    askSignOut();
    await page.findByRole("dialog", { name: /Sign out/ });
    learn(waits(), request());
    await press("Cancel");
    await sheet();
    expect(page.getAllByRole("dialog")).toHaveLength(1);
  });

  test("says what has changed since the folder was trusted", async () => {
    const changed = { changed: true, steers: [] };
    const hook = { file: "h.json", key: "hooks.preToolUse" };
    show(
      {},
      waits(),
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
    expect(dialog).toHaveTextContent("Some of what runs code has changed since you trusted it.");
    expect(dialog).toHaveTextContent("ChangedRuns ./new.sh before every toolBefore: ./old.sh");
    expect(dialog).toHaveTextContent(
      "The text here is the same. The rest of it, or a file that it names, has changed.",
    );
    expect(dialog).toHaveTextContent("NewRuns ./end.sh when a session ends");
  });

  test("says what is not listed, and that a folder was not read to its end", async () => {
    show({}, waits(), request({ moreRuns: 1200, moreSteers: 1, incomplete: true, agent: "Claude Code" }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent("1,200 more are not listed.");
    expect(dialog).toHaveTextContent("1 more is not listed.");
    expect(dialog).toHaveTextContent(
      "Not all of this folder could be read. VoxPilot will ask at each start.",
    );
    expect(dialog).toHaveTextContent("Tells Claude Code what to do");
    expect(dialog).not.toHaveTextContent("VoxPilot asks again");
  });

  test("says of a folder that was not read to its end, and has nothing new, that it may run more", async () => {
    show({}, waits(), request({ changed: true, runs: [], incomplete: true }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent("so it may run code that isn't listed.");
    expect(dialog).not.toHaveTextContent("has changed");
    expect(page.queryByRole("region", { name: "Runs code" })).toBeNull();
  });

  test("keeps the rows of files that stay as they are, and the focus in them", async () => {
    show({}, waits(), request());
    await sheet();
    const view = page.getByRole("button", { name: "View AGENTS.md" });
    view.focus();
    learn(request({ chatIds: ["c", "d"] }));
    expect(page.getByRole("status")).toBeEmptyDOMElement();
    learn(request({ id: "t2", runs: runs.slice(0, 1) }));
    expect(view).toHaveFocus();
    expect(page.queryByRole("button", { name: "View .github/hooks/pre.json" })).toBeNull();
  });

  test("names what can't be seen in all that a folder says of itself", async () => {
    const bidi = "\u202E";
    show(
      {},
      waits(),
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

test("the sheet is walked by keys alone", async () => {
  const user = userEvent.setup();
  const app = show({}, waits(), request());
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
  pass();
  await user.tab();
  expect(button("Trust this folder")).toHaveFocus();
  await user.tab();
  expect(button("Open without running them")).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(app.of("TrustFolder")).toEqual([]);
  await user.tab({ shift: true });
  await user.keyboard("{Enter}");
  expect(app.of("TrustFolder")).toEqual([["t1"]]);
});
