// Tests of copying a selection from a transcript.

import { fireEvent, screen, waitFor } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { messages } from "../../i18n";
import { dismiss, notices } from "../../state/notices";
import { sink } from "../../state/store";
import type { Event } from "../../state/types";
import { stubBrowser } from "../../testing";
import { item, serve, show, textItem } from "./testing";
import { rememberScroll } from "./viewState";

const t = messages.chat.copy;
/** Number of questions with answers. Most of their rows aren't rendered. */
const turns = 20;
/** The rest of each answer, which makes it taller than the view. */
const rest = `${"and so on ".repeat(200)}end`;

const questions = () =>
  Array.from({ length: turns }, (_, n) => [
    ...textItem(`q${n}`, 10 * n + 1, "user", `Question ${n}`),
    ...textItem(`a${n}`, 10 * n + 2, "message", `Answer ${n}.\n\n${rest}\n\n\`\`\`\n\tcode ${n}\n\`\`\`\n`, {
      endedAt: 2000,
    }),
  ]).flat();

/** row returns the rendered row of an item. */
const row = (id: string) => document.querySelector(`[data-item="${id}"]`)?.closest(".entry");
/** words returns the text node that contains the given words. */
const words = (find: string) => screen.getByText(find, { selector: ".msg p" }).firstChild as Text;

/** select selects from the start of one text to the end of another, and notifies the page like a browser. */
function select(anchor: Text, focus: Text): void {
  const isBefore = (anchor.compareDocumentPosition(focus) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  const [from, to] = isBefore ? [0, focus.length] : [anchor.length, 0];
  getSelection()?.setBaseAndExtent(anchor, from, focus, to);
  fireEvent(document, new window.Event("selectionchange"));
}

/** copy copies the selection. It returns the copied text, or undefined if copying is left to the browser. */
function copy(): string | undefined {
  let copied: string | undefined;
  const event = new window.Event("copy", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "clipboardData", {
    value: { setData: (_: string, text: string) => (copied = text) },
  });
  const isNative = document.body.dispatchEvent(event);
  return isNative ? undefined : (copied ?? "");
}

/** toStart shows the start of the transcript. */
async function toStart(): Promise<void> {
  fireEvent.keyDown(document.body, { key: "Home" });
  await screen.findByText("Question 0");
}

/** selectAll selects from the start of the first message to the start of the last answer. */
async function selectAll(): Promise<void> {
  const last = words("Answer 19.");
  select(last, last);
  await toStart();
  select(last, words("Question 0"));
}

function open(...events: Event[]) {
  return show(0, ...questions(), ...events);
}

/** partial returns a message of which only the start is loaded. */
const partial = (start: string, size: number): Event[] => [
  item("b", 25, "user"),
  { text: { itemId: "b", chatId: "c", offset: 0, text: start, size } },
];

beforeEach(() => {
  stubBrowser();
  serve({});
  rememberScroll("c", { follows: true });
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(1_000_000);
});
afterEach(() => {
  vi.restoreAllMocks();
  getSelection()?.removeAllRanges();
  dismiss("copy");
  sink.reset([]);
});

describe("copying a selection", () => {
  test("includes the rows that aren't rendered, without labels", async () => {
    open();
    const last = words("Answer 19.");
    await selectAll();
    expect(row("a10")).toBeUndefined();
    expect(last.isConnected).toBe(true);
    const expected = Array.from(
      { length: turns },
      (_, n) => `Question ${n}\n\nAnswer ${n}.\n\n${rest}\n\n\tcode ${n}`,
    );
    expect(`${copy()}\n\n${rest}\n\n\tcode 19`).toBe(expected.join("\n\n"));
  });

  test("within one text is left to the browser", () => {
    open();
    const last = words("Answer 19.");
    select(last, last);
    expect(copy()).toBeUndefined();
  });

  test("loads missing texts first", async () => {
    const { app } = open(...partial("Loaded", 12));
    vi.stubGlobal("fetch", async () => new Response(" later", { headers: { "X-Size": "12" } }));
    await selectAll();
    expect(row("b")).toBeUndefined();
    expect(copy()).toBe("");
    await waitFor(() => expect(app.of("Copy")).toHaveLength(1));
    expect(String(app.of("Copy")[0])).toContain("code 2\n\nLoaded later\n\nQuestion 3");
  });

  test("reports that it is too long", async () => {
    open(...partial("Huge", 9_000_000));
    await selectAll();
    expect(copy()).toBe("");
    expect(notices().at(-1)).toMatchObject({ failed: true, detail: t.tooLong });
  });

  test("reports that an end of it isn't loaded any longer", async () => {
    open();
    await selectAll();
    sink.open("c", textItem("new", 900, "user", "The only message"), 900, []);
    expect(copy()).toBe("");
    expect(notices().at(-1)).toMatchObject({ failed: true, detail: t.cut });
    fireEvent.pointerDown(document.body);
    getSelection()?.removeAllRanges();
    expect(copy()).toBeUndefined();
  });
});
