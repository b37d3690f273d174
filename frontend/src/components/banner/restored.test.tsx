import { screen as page, render } from "@solidjs/testing-library";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Item } from "../../state/types";
import { aChat, know, standIn, standInForBrowser } from "../../testing";
import { EventBanner } from "./EventBanner";

const restored = (session: string): Item => ({
  id: `of ${session}`,
  chatId: "c",
  pos: 1,
  kind: "banner",
  createdAt: 1,
  banner: { kind: "restored", session },
});

beforeEach(standInForBrowser);

function show(...sessions: string[]) {
  const items = sessions.map(restored);
  know(aChat("c"));
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
  const app = standIn();
  const banner = show("one", "two", "main");
  expect(banner).toHaveTextContent("Copilot, [one] and [two] have their full history again.");
  page.getByRole("button", { name: "Dismiss" }).click();
  expect(app.of("DismissBanner")).toEqual([["of one"], ["of two"], ["of main"]]);
});

test("many sessions are counted instead of listed", () => {
  standIn();
  expect(show("a", "b", "c", "d", "e", "f")).toHaveTextContent(
    "Copilot [a], [b], [c], [d] and 2 others have their full history again.",
  );
});

test("the chat's own session is named after its agent only", () => {
  standIn();
  expect(show("main")).toHaveTextContent("Copilot has its full history again.");
  expect(document.body).not.toHaveTextContent("[main]");
});

test("a single session uses the singular", () => {
  standIn();
  expect(show("one")).toHaveTextContent("Copilot [one] has its full history again.");
});
