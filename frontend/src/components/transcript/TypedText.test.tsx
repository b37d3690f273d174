import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Content, Item } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { noteOf, sentComments, TypedText } from "./TypedText";

const item: Item = {
  id: "i1",
  chatId: "c1",
  turnId: "t1",
  session: "main",
  pos: 1,
  kind: "user",
  createdAt: 1,
};
const sent = [
  { id: "k1", path: "a.go", side: "new", start: 40, end: 41, text: "Use a <b>context</b>.", quote: "x := 1" },
  { id: "k2", path: "b.go", side: "new", start: -1, end: -1, outdated: true, text: "Why?", quote: "y" },
];
const text = "Please fix\n\nReview comments:\n\n1. `a.go`, lines 41 to 42";

beforeEach(() => {
  stubBrowser();
  stubApp();
  resetState(chatEvent("c1"));
});

const open = (body: string) => {
  vi.stubGlobal("fetch", async () => new Response(body, { headers: { "X-Size": String(body.length) } }));
  const content = {
    id: "x1",
    itemId: "i1",
    chatId: "c1",
    type: "review",
    mime: "application/json",
    version: 1,
  };
  sink.open("c1", [{ item }, { content: content as Content }], 0, []);
  render(() => <TypedText item={item} text={text} mentions={[]} onOpen={() => {}} />);
};

test("a sent review is a card with its note and comments", async () => {
  open(JSON.stringify(sent));
  const card = await page.findByRole("region", { name: "Review with 2 comments" });
  expect(page.getByText("Please fix")).toBeTruthy();
  expect(within(card).getByText("lines 41 to 42")).toBeTruthy();
  expect(within(card).getByText("Use a <b>context</b>.")).toBeTruthy();
  expect(within(card).getByText("lines that changed or were removed")).toBeTruthy();
  expect(page.queryByText(/Review comments:/)).toBeNull();
});

test("the text is shown as typed if the card can't be read", async () => {
  open("{");
  await waitFor(() => expect(page.getByText(/Review comments:/)).toBeTruthy());
});

test("a card ignores what isn't a comment, and a note may contain anything", () => {
  expect(sentComments('[{"path":"a","text":"b","quote":"c"},{"path":1},null]')).toHaveLength(1);
  expect(noteOf("Review comments:\n\n1. `a.go`, line 1")).toBe("");
  expect(noteOf("Hello")).toBe("");
});
