import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { go } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { Chat, Event } from "../../state/types";
import { chatEvent, cliFound, resetState, stubApp, stubBrowser, stubFolders } from "../../testing";
import { NewChat } from "./NewChat";
import { createdChat, folder } from "./testing";

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  go({ name: "new" });
});

describe("the sandbox of a new chat", () => {
  const ready: Event = { sandbox: { state: "ready" } };
  const newChats: Event = {
    settings: { ...defaultSettings, sandbox: { ...defaultSettings.sandbox, newChats: true } },
  };
  async function start(created: Chat, pick?: boolean, ...events: Event[]) {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(created) });
    stubFolders({ [folder]: {} });
    resetState(cliFound, chatEvent("a", { folder }), ...events);
    render(() => <NewChat />);
    if (pick) {
      await user.click(page.getByRole("button", { name: /^Permissions/ }));
      await user.click(await page.findByRole("switch", { name: "Run commands in a sandbox" }));
      await user.keyboard("{Escape}");
    }
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("Send")).toHaveLength(1));
    return app;
  }

  test("is the one chosen before the chat exists", async () => {
    const app = await start(createdChat, true, ready);
    expect(app.of("SetSandbox")).toEqual([["made", { on: true }]]);
    const order = app.calls.map(({ method }) => method);
    expect(order.indexOf("SetSandbox")).toBeLessThan(order.indexOf("Send"));
  });

  test("is on if the settings say so, and shown", async () => {
    const app = await start(createdChat, false, ready, newChats);
    expect(app.of("SetSandbox")).toEqual([["made", { on: true }]]);
  });

  test("isn't set again if the app has set it", async () => {
    const app = await start({ ...createdChat, sandbox: { on: true } }, false, ready, newChats);
    expect(app.of("SetSandbox")).toEqual([]);
  });

  test("is off where it doesn't work", async () => {
    const app = await start(createdChat, false, { sandbox: { state: "unavailable" } }, newChats);
    expect(app.of("SetSandbox")).toEqual([]);
  });
});
