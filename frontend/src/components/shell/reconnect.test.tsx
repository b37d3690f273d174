import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { raw } from "../../state/store";
import { runTyped } from "../../state/typedCommands";
import type { Chat, ConnectionState } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ConnectionPill } from "./ConnectionPill";
import { RestartQuestion } from "./Notices";

beforeEach(stubBrowser);

/** show renders the pill of a chat whose agent has the given connection, and opens its details. */
async function show(state: ConnectionState, more: Partial<Chat> = {}) {
  const app = stubApp();
  const user = userEvent.setup();
  resetState(chatEvent("c", more), { connection: { chatId: "c", state, since: 1 } });
  render(() => (
    <>
      <ConnectionPill chat={raw().chats.c as Chat} />
      <RestartQuestion />
    </>
  ));
  await user.click(page.getByRole("button"));
  return { app, user };
}

const press = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(await page.findByRole("button", { name }));

describe("Reconnect", () => {
  test("restarts a connected agent", async () => {
    const { app, user } = await show("ready");
    await press(user, "Reconnect");
    await waitFor(() => expect(app.of("Reconnect")).toEqual([["c"]]));
    expect(app.of("StopAgent")).toEqual([["c"]]);
  });

  test("starts an agent that isn't running", async () => {
    const { app, user } = await show("failed");
    await press(user, "Reconnect");
    await waitFor(() => expect(app.of("Reconnect")).toEqual([["c"]]));
    expect(app.of("StopAgent")).toEqual([]);
  });

  test("asks before it interrupts a turn", async () => {
    const { app, user } = await show("ready", { turnState: "running" });
    await press(user, "Reconnect");
    await press(user, "Cancel");
    expect(app.of("StopAgent")).toEqual([]);
    await user.click((await page.findAllByRole("button"))[0] as Element);
    await press(user, "Reconnect");
    await press(user, "Restart");
    await waitFor(() => expect(app.of("Reconnect")).toEqual([["c"]]));
    expect(app.of("StopAgent")).toEqual([["c"]]);
  });

  test("is the command /restart", async () => {
    const { app } = await show("ready");
    runTyped("/restart", [], raw().chats.c as Chat, () => {});
    await waitFor(() => expect(app.of("Reconnect")).toEqual([["c"]]));
    expect(app.of("StopAgent")).toEqual([["c"]]);
  });
});
