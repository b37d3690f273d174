import { screen as page, render } from "@solidjs/testing-library";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Item } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "./EventBanner";

const restored = (session: string): Item => ({
  id: `of ${session}`,
  chatId: "c",
  pos: 1,
  kind: "banner",
  createdAt: 1,
  banner: { kind: "restored", session },
});

beforeEach(stubBrowser);

function show(...sessions: string[]) {
  const items = sessions.map(restored);
  resetState(chatEvent("c"));
  sink.open(
    "c",
    items.map((item) => ({ item })),
    0,
    [],
  );
  const [first, ...more] = items as [Item, ...Item[]];
  render(() => (
    <EventBanner
      item={first}
      banner={first.banner as NonNullable<Item["banner"]>}
      more={more.map((item) => item.id)}
    />
  ));
  return page.getByRole("status", { name: "Session restored" });
}

test("one banner lists all restored sessions and dismisses them together", () => {
  const app = stubApp();
  const banner = show("one", "two", "main");
  expect(banner).toHaveTextContent("Copilot, [one] and [two] have their full history again.");
  page.getByRole("button", { name: "Dismiss" }).click();
  expect(app.of("DismissBanner")).toEqual([["of one"], ["of two"], ["of main"]]);
});

test("many sessions are counted instead of listed", () => {
  stubApp();
  expect(show("a", "b", "c", "d", "e", "f")).toHaveTextContent(
    "Copilot [a], [b], [c], [d] and 2 others have their full history again.",
  );
});

test("the chat's own session is named after its agent only", () => {
  stubApp();
  expect(show("main")).toHaveTextContent("Copilot has its full history again.");
  expect(document.body).not.toHaveTextContent("[main]");
});

test("a single session uses the singular", () => {
  stubApp();
  expect(show("one")).toHaveTextContent("Copilot [one] has its full history again.");
});
