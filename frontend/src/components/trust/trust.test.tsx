import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { commands } from "../../state/commands";
import type { Chat, Event, TrustEntry, TrustRequest } from "../../state/words";
import { AccountDialogs } from "../account/AccountDialogs";
import { askSignOut, closeDialog } from "../account/dialogs";
import { Dock } from "../composer/Dock";
import { guardMillis } from "../permission/guard";
import { ChatList } from "../shell/ChatList";
import { ConnectionPill } from "../shell/ConnectionPill";
import { go } from "../shell/screen";
import { aChat, cliFound, know, learn, octocat, standIn, standInForBrowser } from "../ui/testing";
import { closeTrust } from "./sheet";
import { TrustSheet } from "./TrustSheet";

const runs: TrustEntry[] = [
  { file: ".mcp.json", key: "mcpServers.icons", value: "./icons --watch" },
  { file: ".github/hooks/pre.json", key: "hooks.preToolUse", value: "./check.sh" },
];
const request = (more: Partial<TrustRequest> = {}): Event => ({
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
const waits = (chatId = "c"): Event => ({
  connection: { chatId, state: "needs_trust", cause: "untrusted", since: 1 },
});

const sheet = () => page.findByRole("dialog", { name: "Trust this folder?" });
const noSheet = () => waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
const press = async (name: string) => userEvent.click(await page.findByRole("button", { name }));

let clock = 0;

function show(answers: Partial<App> = {}, ...events: Event[]) {
  const app = standIn(answers);
  know(cliFound, octocat(), aChat("c"), aChat("d"), ...events);
  render(() => <TrustSheet />);
  return app;
}

beforeEach(() => {
  standInForBrowser();
  closeDialog();
  closeTrust();
  clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ text: "", size: 0 })));
  go({ name: "chat", id: "c" });
});

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
    expect(without).toHaveAccessibleDescription(/needs a sandbox, which VoxPilot doesn’t have yet/);
    clock += guardMillis;
    await userEvent.click(without);
    expect(app.calls.filter(({ method }) => method !== "Log")).toEqual([]);
    expect(page.getByRole("dialog")).toBeVisible();
  });

  test("trusts what it shows, once it has stood there for a moment, and closes", async () => {
    const app = show({}, waits(), request());
    await sheet();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([]);
    clock += guardMillis;
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
    clock += guardMillis;
    await press("Trust this folder");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
  });

  test("says that the folder has changed meanwhile, and then trusts only the new list", async () => {
    const app = show({}, waits(), request());
    await sheet();
    clock += guardMillis;
    learn(request({ id: "t2", runs: [...runs, { file: ".envrc", value: "make" }] }));
    expect(page.getByRole("status")).toHaveTextContent(
      "The folder has just changed. The list is up to date.",
    );
    expect(page.getByText(".envrc")).toBeVisible();
    await press("Trust this folder");
    expect(app.of("TrustFolder")).toEqual([]);
    clock += guardMillis;
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
    clock += guardMillis;
    await press("Trust this folder");
    await noSheet();
    // Its trust was removed: the same list has the same id.
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
    expect(dialog).toHaveTextContent("so it may run code that isn’t listed.");
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

describe("View", () => {
  test("shows the keys and values as they are, and the text of the file", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(Response.json({ text: "{ all of it }", size: 900_000, cut: true }));
    });
    const long = "x".repeat(2000);
    show({}, waits(), request({ runs: [{ file: ".mcp.json", key: "mcpServers.icons", value: long }] }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent("… 1,700 more characters in View");
    expect(dialog).not.toHaveTextContent(long);
    await press("View .mcp.json");
    expect(await page.findByRole("region", { name: "Text of .mcp.json" })).toHaveTextContent("{ all of it }");
    expect(asked).toEqual(["/data/trust?id=t1&file=.mcp.json"]);
    expect(dialog).toHaveTextContent(`mcpServers.icons${long}`);
    expect(dialog).toHaveTextContent("The first 13 B of 900 KB");
    await press("Hide .mcp.json");
    expect(page.queryByRole("region", { name: "Text of .mcp.json" })).toBeNull();
  });

  test("says that it loads, and why a text did not come, and asks again", async () => {
    let answer: (response: Response) => void = () => {};
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
    show({}, waits(), request());
    const dialog = await sheet();
    await press("View AGENTS.md");
    expect(dialog).toHaveTextContent("Loading…");
    answer(Response.json({ code: "not_found", message: "The file is gone." }, { status: 404 }));
    expect(await page.findByRole("alert")).toHaveTextContent("The file is gone.");
    await press("Try again");
    answer(Response.json({ text: "Be kind.", size: 8 }));
    expect(await page.findByRole("region", { name: "Text of AGENTS.md" })).toHaveTextContent("Be kind.");
  });

  test("asks for no text of a link and of what can't be read", async () => {
    const fetched = vi.fn(() => Promise.resolve(Response.json({ text: "", size: 0 })));
    vi.stubGlobal("fetch", fetched);
    show(
      {},
      waits(),
      request({
        runs: [
          { file: "out", note: "link", value: "/etc" },
          { file: "shut", note: "unread" },
          { file: "big", note: "large" },
        ],
      }),
    );
    const dialog = await sheet();
    await press("View out");
    await press("View shut");
    expect(dialog).toHaveTextContent(
      "VoxPilot doesn’t follow a link out of the folder, so there’s no text to show.",
    );
    expect(dialog).toHaveTextContent("VoxPilot couldn’t read this file.");
    expect(fetched).not.toHaveBeenCalled();
    await press("View big");
    expect(dialog).toHaveTextContent("VoxPilot trusts it as a whole");
    expect(await page.findByText("The file is empty.")).toBeVisible();
  });

  test("stays open where the folder changes, and asks for the new text", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(Response.json({ text: path, size: 9 }));
    });
    show({}, waits(), request());
    await sheet();
    await press("View .mcp.json");
    await page.findByRole("region", { name: "Text of .mcp.json" });
    learn(request({ chatIds: ["c", "d"] }));
    expect(asked).toHaveLength(1);
    learn(request({ id: "t2" }));
    await waitFor(() => expect(asked.at(-1)).toBe("/data/trust?id=t2&file=.mcp.json"));
    expect(await page.findByText("/data/trust?id=t2&file=.mcp.json")).toBeVisible();
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
  clock += guardMillis;
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

describe("a chat that waits for trust", () => {
  test("says so above its composer, where Review opens the sheet again", async () => {
    show({}, waits(), request());
    render(() => <Dock chatId="c" />);
    await sheet();
    await press("Not now");
    await noSheet();
    const banner = await page.findByRole("alert", { name: "Trust needed" });
    expect(banner).toHaveTextContent(
      "VoxPilot hasn’t started Copilot: this folder can run code. Messages wait here and are sent once you trust the folder.",
    );
    expect(page.getByRole("textbox", { name: "Message" })).toHaveAttribute(
      "placeholder",
      "Messages are queued until you trust this folder",
    );
    await userEvent.click(within(banner).getByRole("button", { name: "Review…" }));
    await sheet();
    await press("Close");
    await noSheet();
    learn(request({ changed: true }));
    expect(banner).toHaveTextContent("the code that this folder runs has changed");
  });

  test("offers Review from its connection and from the palette", async () => {
    show({}, waits(), request());
    render(() => <ConnectionPill chat={aChat("c").chat as Chat} />);
    await sheet();
    await press("Not now");
    await noSheet();
    await press("Connection: Trust needed");
    await press("Review…");
    await sheet();
    await press("Not now");
    await noSheet();
    const command = commands.find(({ id }) => id === "reviewTrust");
    expect(command?.when?.()).toBe(true);
    command?.run?.();
    await sheet();
    learn({ connection: { chatId: "c", state: "ready", since: 2 } });
    expect(command?.when?.()).toBe(false);
  });

  test("is marked in the list of chats", async () => {
    show({}, waits("d"), request({ chatIds: ["d"] }));
    render(() => <ChatList />);
    const row = await page.findByRole("link", { name: "d, needs you" });
    expect(row).toHaveTextContent("Waits for your trust");
  });
});
