import { screen as page, render, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../state/commands";
import type { Chat } from "../../state/types";
import { applyEvents, chatEvent } from "../../testing";
import { Dock } from "../composer/Dock";
import { ChatList } from "../shell/ChatList";
import { ConnectionPill } from "../shell/ConnectionPill";
import { expectNoSheet, needsTrust, press, request, reset, sheet, show } from "./testing";

beforeEach(reset);

describe("a chat waiting for trust", () => {
  test("says so above its composer, where Review reopens the sheet", async () => {
    show({}, needsTrust(), request());
    render(() => <Dock chatId="c" />);
    await sheet();
    await press("Not now");
    await expectNoSheet();
    const banner = await page.findByRole("alert", { name: "Trust needed" });
    expect(banner).toHaveTextContent(
      "VoxPilot hasn't started Copilot because files in this folder can run code. Messages you send are queued until you trust the folder.",
    );
    expect(page.getByRole("textbox", { name: "Message" })).toHaveAttribute(
      "placeholder",
      "Messages are queued until you trust this folder",
    );
    await userEvent.click(within(banner).getByRole("button", { name: "Review…" }));
    await sheet();
    await press("Close");
    await expectNoSheet();
    applyEvents(request({ changed: true }));
    expect(banner).toHaveTextContent("files that can run code have changed");
  });

  test("offers Review from its connection and the palette", async () => {
    show({}, needsTrust(), request());
    render(() => <ConnectionPill chat={chatEvent("c").chat as Chat} />);
    await sheet();
    await press("Not now");
    await expectNoSheet();
    await press("Connection: Trust needed");
    await press("Review…");
    await sheet();
    await press("Not now");
    await expectNoSheet();
    const command = commands.find(({ id }) => id === "reviewTrust");
    expect(command?.when?.()).toBe(true);
    command?.run?.();
    await sheet();
    applyEvents({ connection: { chatId: "c", state: "ready", since: 2 } });
    expect(command?.when?.()).toBe(false);
  });

  test("is marked in the chat list", async () => {
    show({}, needsTrust("d"), request({ chatIds: ["d"] }));
    render(() => <ChatList />);
    const row = await page.findByRole("link", { name: "d, needs you" });
    expect(row).toHaveTextContent("Trust this folder to continue");
  });
});
