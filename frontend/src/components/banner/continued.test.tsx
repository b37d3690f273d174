import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { Item } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "./EventBanner";

beforeEach(stubBrowser);

test("a continued chat shows the recap sent to Copilot", async () => {
  const user = userEvent.setup();
  stubApp();
  const banner = { kind: "continued", detail: "Fix the tests", told: "It is a summary." } as const;
  const item: Item = { id: "from", chatId: "c", pos: 1, kind: "banner", createdAt: 1, banner };
  resetState(chatEvent("c"), { item });
  render(() => <EventBanner item={item} banner={banner} />);
  expect(page.getByRole("status", { name: "Summary of an earlier chat" })).toHaveTextContent(
    "Continued from “Fix the tests”",
  );
  await user.click(page.getByRole("button", { name: "Show the summary given to Copilot" }));
  expect(page.getByText("It is a summary.")).toBeVisible();
  await user.click(page.getByRole("button", { name: "Hide the summary given to Copilot" }));
  expect(page.queryByText("It is a summary.")).toBeNull();
});
