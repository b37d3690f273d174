import { screen as page, render } from "@solidjs/testing-library";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Item } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "./EventBanner";

beforeEach(stubBrowser);

test("the lost session banner has the exact agreed text", () => {
  stubApp();
  const item: Item = {
    id: "b",
    chatId: "c",
    pos: 1,
    kind: "banner",
    createdAt: 1,
    banner: { kind: "session_lost", session: "main" },
  };
  resetState(chatEvent("c"));
  sink.open("c", [{ item }], 0, []);
  render(() => <EventBanner item={item} banner={item.banner as NonNullable<Item["banner"]>} more={[]} />);
  const banner = page.getByRole("alert", { name: "Session couldn't be restored" });
  expect(banner.textContent).toBe(
    "The previous Copilot session could not be restored. A new session has been started. Your conversation history in VoxPilot is intact.",
  );
});
