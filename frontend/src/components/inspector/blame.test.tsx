import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { isOpen, setInspectorTab } from "../../state/inspector";
import { confirmMatchShown, wantedMatch } from "../../state/match";
import { go } from "../../state/screen";
import { sink } from "../../state/store";
import type { Blame, ChangedFile, Chat, LineWriter } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { menuAt } from "../menu/entries";
import { Inspector } from "./Inspector";

const folder = chatEvent("c").chat?.folder ?? "";
const path = `${folder}/a.go`;
const file: ChangedFile = { path, name: "a.go", added: 1, removed: 1, kind: "edited", edits: 1, at: 1 };
const turn = (n: number): LineWriter => ({
  kind: "turn",
  turnId: `t${n}`,
  chatId: "c",
  chat: "Fix login",
  at: 1_700_000_000_000,
  prompt: `Prompt ${n}`,
  itemId: `i${n}`,
  pos: n,
});
const blamed: Blame = {
  path,
  text: "zero\none\ntwo\r\nthree\nfour\n",
  recorded: true,
  spans: [
    { lines: 1, by: [0] },
    { lines: 2, by: [1] },
    { lines: 1, by: [2, 3] },
    { lines: 1, by: [3] },
  ],
  writers: [{ kind: "earlier" }, turn(1), turn(2), { kind: "outside" }],
};

/** The response to /data/blame: its status and body, or "offline" if the request fails. */
let response: [number, unknown] | "offline";
let changed: ChangedFile;
let asked: string[];

beforeEach(() => {
  stubBrowser();
  changed = file;
  asked = [];
  response = [200, blamed];
  vi.stubGlobal("fetch", (input: string) => {
    const kind = new URL(input, "http://app").pathname.slice("/data/".length);
    if (kind === "blame") {
      asked.push(input);
      if (response === "offline") return Promise.reject(new TypeError("Failed to fetch"));
      return Promise.resolve(new Response(JSON.stringify(response[1]), { status: response[0] }));
    }
    const answers: Record<string, unknown> = {
      changes: { files: [changed], added: 1, removed: 1, sessions: 1 },
      commands: { commands: [] },
      diff: { ...changed, net: true, diff: "@@ -1,1 +1,1 @@\n-old\n+new\n", size: 30 },
    };
    return Promise.resolve(Response.json(answers[kind] ?? { sessions: [], frames: [] }));
  });
});

async function show() {
  stubApp();
  const chat = chatEvent("c");
  resetState(chat);
  sink.open("c", [], 0, []);
  go({ name: "chat", id: "c" });
  setInspectorTab("changes");
  render(() => <Inspector chat={chat.chat as Chat} overlay={false} width={420} max={600} />);
  const user = userEvent.setup();
  await screen.findByRole("region", { name: "Diff of a.go" });
  const toggle = screen.queryByRole("button", { name: "Blame" });
  if (toggle) await user.click(toggle);
  return { user, toggle };
}

describe("blame", () => {
  test("shows the source of each line, and the diff again", async () => {
    const { user, toggle } = await show();
    const lines = await screen.findByRole("region", { name: "Blame for a.go" });
    expect([...lines.querySelectorAll(".dl")].map((row) => row.textContent)).toEqual([
      "Before VoxPilot tracked changes1zero",
      "Prompt 12one",
      "3two",
      "? Prompt 24three",
      "Changed outside VoxPilot5four",
    ]);
    const unsure = within(lines).getByRole("button", { name: /^Line 4: VoxPilot isn't certain\./ });
    expect(unsure.parentElement?.title).toMatch(/Prompt 2\nFix login, .*\nChanged outside VoxPilot$/);
    expect(screen.queryByRole("button", { name: "Wrap long lines" })).toBeNull();
    await user.click(toggle as HTMLElement);
    expect(await screen.findByRole("region", { name: "Diff of a.go" })).toBeVisible();
    expect(lines).not.toBeInTheDocument();
  });

  test("leads to the messages by keyboard and back to the files", async () => {
    const { user } = await show();
    const lines = within(await screen.findByRole("region", { name: "Blame for a.go" }));
    screen.getByRole("treeitem", { name: /^a\.go/ }).focus();
    await user.keyboard("{Enter}");
    const first = lines.getByRole("button", { name: /^Lines 2 to 3: Prompt 1/ });
    await waitFor(() => expect(first).toHaveFocus());
    await user.keyboard("{ArrowDown}");
    const second = lines.getByRole("button", { name: /^Line 4/ });
    await waitFor(() => expect(second).toHaveFocus());
    expect([first.tabIndex, second.tabIndex]).toEqual([-1, 0]);
    await user.keyboard("{Enter}");
    const match = wantedMatch();
    expect(match).toEqual({ chatId: "c", itemId: "i2", pos: 2 });
    if (match) confirmMatchShown(match);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("treeitem", { name: /^a\.go/ })).toHaveFocus());
  });

  test("explains files without recordings, without lines and those that are too large", async () => {
    response = [
      200,
      { ...blamed, recorded: false, spans: [{ lines: 5, by: [0] }], writers: [{ kind: "earlier" }] },
    ];
    const { user, toggle } = await show();
    const again = async () => {
      await user.click(toggle as HTMLElement);
      await user.click(toggle as HTMLElement);
    };
    expect(
      await screen.findByText("VoxPilot has no record of a message that led to changes in this file."),
    ).toBeVisible();
    response = [200, { path, text: "", recorded: true, spans: [], writers: [] }];
    await again();
    expect(await screen.findByText("This file is empty.")).toBeVisible();
    response = [413, { code: "too_large", message: "The file is larger than 5 MB." }];
    await again();
    expect(await screen.findByText("The file is larger than 5 MB.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  test("can be tried again while the app can't be reached", async () => {
    response = "offline";
    const { user } = await show();
    expect(await screen.findByText("Couldn't load this.")).toBeVisible();
    response = [200, blamed];
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("region", { name: "Blame for a.go" })).toBeVisible();
  });

  test("isn't offered for a removed file", async () => {
    changed = { ...file, kind: "removed" };
    const { toggle } = await show();
    expect(toggle).toBeNull();
  });

  test("opens at the line of a file that a message mentions, and closes", async () => {
    const { user } = await show();
    const link = document.createElement("button");
    link.className = "link file-link";
    Object.assign(link.dataset, { path: "./src/b.go", line: "3" });
    const entries = () => menuAt(link)?.groups[0]?.entries ?? [];
    expect(entries().map((each) => each.label)).toEqual(["Open in editor", "Blame", "Copy path"]);
    entries()[1]?.onSelect?.();
    expect(isOpen(false)).toBe(true);
    const lines = await screen.findByRole("region", { name: "Blame for src/b.go" });
    await waitFor(() => expect(lines.querySelector(".dl.at")).toHaveTextContent("3two"));
    expect(lines.querySelector("button[tabindex='0']")).toHaveAccessibleName(/^Lines 2 to 3/);
    expect(asked.at(-1)).toBe(`/data/blame?path=${encodeURIComponent(`${folder}/src/b.go`)}`);
    lines.focus();
    await user.keyboard("{Escape}");
    expect(await screen.findByRole("treeitem", { name: /^a\.go/ })).toBeVisible();
    expect(lines).not.toBeInTheDocument();
    link.dataset.path = "/etc/passwd";
    expect(entries().map((each) => each.label)).toEqual(["Open in editor", "Copy path"]);
  });
});
