import { screen as page, render, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { commands } from "../../state/commands";
import { go, screen } from "../../state/screen";
import { wantedRow } from "../../state/settingRows";
import { sink } from "../../state/store";
import type { Session } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Palette } from "./Palette";

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
});

async function show() {
  render(() => <Palette />);
  commands.find((command) => command.id === "palette")?.run?.();
  return within(await page.findByRole("dialog", { name: "Command palette" }));
}

describe("the open palette", () => {
  test("follows new chats and available commands", async () => {
    stubApp();
    resetState();
    go({ name: "chat", id: "c" });
    const palette = await show();
    expect(palette.queryByRole("option", { name: /Rename/ })).toBeNull();
    applyEvents(chatEvent("c", { title: "On screen" }), chatEvent("d", { title: "Another one" }));
    expect(palette.getByRole("option", { name: /Another one/ })).toBeVisible();
    expect(palette.getByRole("option", { name: /Archive chat/ })).toBeVisible();
    expect(palette.queryByRole("option", { name: /New chat with summary/ })).toBeNull();
    applyEvents(chatEvent("c", { title: "On screen", turnState: "done" }));
    expect(palette.getByRole("option", { name: /New chat with summary/ })).toBeVisible();
  });

  test("keeps its selection when rows are inserted above", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(
      chatEvent("b", { title: "Bees", updatedAt: 2 }),
      chatEvent("a", { title: "Ants", updatedAt: 1 }),
    );
    go({ name: "new" });
    const palette = await show();
    await user.keyboard("{ArrowDown}");
    expect(palette.getByRole("option", { selected: true })).toHaveTextContent("Ants");
    applyEvents(chatEvent("z", { title: "Zebras", updatedAt: 9 }));
    expect(palette.getByRole("option", { selected: true })).toHaveTextContent("Ants");
    await user.keyboard("{Enter}");
    await expect.poll(screen).toMatchObject({ name: "chat", id: "a" });
  });

  test("shows no files of an earlier query or another folder while searching", async () => {
    const user = userEvent.setup();
    const answers: ((path: string) => void)[] = [];
    vi.stubGlobal(
      "fetch",
      () =>
        new Promise((settle) => {
          answers.push((path) => settle(Response.json({ files: [{ path }], total: 1 })));
        }),
    );
    stubApp();
    resetState(chatEvent("c"), chatEvent("d", { folder: "/home/anna/code/web" }));
    go({ name: "chat", id: "c" });
    const palette = await show();
    await user.type(palette.getByRole("combobox"), "@z");
    answers.at(-1)?.("zebra.go");
    expect(await palette.findByRole("option", { name: /zebra/ })).toBeVisible();
    await user.keyboard("o");
    expect(palette.queryByRole("option")).toBeNull();
    expect(palette.getByRole("status")).toHaveTextContent("Loading files…");
    answers.at(-1)?.("zoo.go");
    expect(await palette.findByRole("option", { name: /zoo/ })).toBeVisible();
    go({ name: "chat", id: "d" });
    await expect.poll(() => palette.queryByRole("option")).toBeNull();
    answers.at(-1)?.("zoom.ts");
    expect(await palette.findByRole("option", { name: /zoom/ })).toBeVisible();
  });

  const choose = async (query: string, option: RegExp) => {
    const user = userEvent.setup();
    const palette = await show();
    await user.type(palette.getByRole("combobox"), query);
    await user.click(await palette.findByRole("option", { name: option }));
    await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  };
  const aSession = {
    chatId: "c",
    name: "main",
    mode: "agent",
    modes: [
      { id: "agent", name: "Agent" },
      { id: "plan", name: "Plan" },
    ],
    options: [
      {
        id: "model",
        name: "Model",
        type: "select",
        value: "a",
        choices: [
          { id: "a", name: "Alpha" },
          { id: "b", name: "Beta" },
        ],
      },
    ],
    createdAt: 1,
    usedAt: 1,
  } as Session;

  test("offers models, modes and permissions of the open chat", async () => {
    const app = stubApp();
    resetState(chatEvent("c", { title: "On screen" }));
    sink.open("c", [{ session: aSession }], 0, []);
    go({ name: "chat", id: "c" });
    await choose("beta", /Model: Beta/);
    await expect.poll(() => app.of("SetOption")).toEqual([["c", "main", "model", "b"]]);
    await choose("plan", /Mode: Plan/);
    await expect.poll(() => app.of("SetMode")).toEqual([["c", "main", "plan"]]);
    await choose("allow edits", /Permissions: Allow edits/);
    await expect.poll(() => app.of("SetPermissionMode")).toEqual([["c", "accept_edits"]]);
  });

  test("offers files of the chat, folders and settings", async () => {
    const app = stubApp();
    vi.stubGlobal("fetch", () =>
      Promise.resolve(Response.json({ files: [{ path: "src/zebra.go" }], total: 1 })),
    );
    resetState(chatEvent("c", { title: "On screen" }), chatEvent("d", { folder: "/srv/harbor" }));
    go({ name: "chat", id: "c" });
    await choose("zebra", /zebra/);
    await expect.poll(() => app.of("OpenInEditor")[0]?.[1]).toContain("src/zebra.go");
    await choose("harbor", /New chat in harbor/);
    await expect.poll(screen).toEqual({ name: "new", folder: "/srv/harbor" });
    await choose("wrap", /Wrap long lines/);
    await expect.poll(screen).toEqual({ name: "settings", page: "appearance" });
    expect(wantedRow()).toMatchObject({ id: "appearance.wrap" });
  });
});
