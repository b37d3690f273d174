import { screen as page, render, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { askDelete } from "../../state/chatActions";
import { sink } from "../../state/store";
import type { Cause, Connection, Event, Item } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "../banner/EventBanner";
import { Dock } from "../composer/Dock";
import { Sessions } from "../inspector/Sessions";
import { Empty } from "../transcript/Empty";
import { ConnectionPill } from "./ConnectionPill";
import { DeleteQuestion } from "./Notices";

const gemini: Event = { profile: { id: "gemini", name: "Gemini", createdAt: 1 } };
const ofGemini = chatEvent("c", { providerId: "gemini" });
const chat = ofGemini.chat as NonNullable<Event["chat"]>;
const connection = (more: Partial<Connection>): Event => ({
  connection: { chatId: "c", state: "failed", since: 1, ...more },
});

beforeEach(() => {
  stubBrowser();
  stubApp();
  resetState(cliFound, gemini, ofGemini);
});

describe("a chat with another agent names it", () => {
  const banners: [string, Partial<Connection>][] = [
    [
      "Gemini stopped unexpectedly.",
      { state: "waiting", cause: "exited", attempt: 1, nextTryAt: Date.now() + 9000 },
    ],
    ["Couldn't restart Gemini.", { cause: "exited" }],
    ["Couldn't start Gemini.", { cause: "spawn" }],
  ];
  for (const [says, now] of banners) {
    test(`in the banner ${says}`, () => {
      applyEvents(connection(now));
      render(() => <Dock chatId="c" />);
      expect(page.getByText(says)).toBeVisible();
      expect(page.getByRole("textbox", { name: "Message" })).toHaveAttribute(
        "placeholder",
        "Messages are queued until Gemini is back",
      );
      expect(document.body).not.toHaveTextContent("Copilot");
    });
  }

  test("in the banner of a lost session", () => {
    const banner = { kind: "session_lost" as const, session: "main", told: "So far." };
    const item: Item = { id: "b", chatId: "c", pos: 1, kind: "banner", createdAt: 1, banner };
    sink.open("c", [{ item }], 0, []);
    render(() => <EventBanner item={item} banner={banner} more={[]} />);
    const alert = page.getByRole("alert");
    expect(alert).toHaveTextContent("The previous Gemini session could not be restored.");
    expect(within(alert).getByRole("button", { name: "Show the summary given to Gemini" })).toBeVisible();
  });

  test("in its connection messages", async () => {
    const user = userEvent.setup();
    const causes: [Cause, string][] = [
      ["stuck", "Gemini stopped accepting input."],
      ["spawn", "The system couldn't start Gemini."],
    ];
    render(() => <ConnectionPill chat={chat} />);
    await user.click(page.getByRole("button", { name: /^Connection/ }));
    for (const [cause, says] of causes) {
      applyEvents(connection({ state: "waiting", cause }));
      expect(await page.findByText(says)).toBeVisible();
    }
    expect(page.getByRole("button", { name: "Stop Gemini" })).toBeVisible();
  });

  test("in an empty chat, in its sessions and before deletion", async () => {
    render(() => <Empty chatId="c" />);
    expect(
      page.getByText(
        "Gemini works in orbit-api. It asks before it acts unless you give it more permissions.",
      ),
    ).toBeVisible();
    render(() => <Sessions chatId="c" onShow={() => {}} />);
    expect(page.getByText("Gemini hasn't been used in this chat.")).toBeVisible();
    askDelete(chat);
    render(() => <DeleteQuestion />);
    expect(await page.findByLabelText("Also delete Gemini's session files")).toBeVisible();
  });

  test("before everything is allowed", async () => {
    const user = userEvent.setup();
    render(() => <Dock chatId="c" />);
    await user.click(page.getByRole("button", { name: /^Permissions/ }));
    await user.click(await page.findByRole("menuitemradio", { name: /^Allow everything/ }));
    expect(await page.findByText(/^Gemini will edit files/)).toBeVisible();
  });

  test("and needs no Copilot CLI", () => {
    applyEvents({ cli: { state: "missing", min: "1.0.78" } }, connection({ state: "idle" }));
    render(() => <Dock chatId="c" />);
    expect(page.queryByRole("alert")).toBeNull();
  });
});
