// Invisible characters in text from an agent are shown by name in every view.

import { cleanup, render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import type { JSX } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Banner, Block, Content, Event, Item, Turn } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "../banner/EventBanner";
import { CodeBlock } from "./CodeBlock";
import { ContentView } from "./ContentView";
import { TurnFailure } from "./Message";
import { StaticProse } from "./StaticProse";
import { ToolRow } from "./ToolRow";
import { Transcript } from "./Transcript";

const hostile = "echo \u202Esafe\u2066 \u200B\u001b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these characters.
const hidden = /[\u202E\u2066\u200B\u001b]/;

let pos = 0;
const item = (id: string, kind: Item["kind"], more: Partial<Item> = {}): Event => ({
  item: { id, chatId: "c", turnId: "t", session: "main", pos: ++pos, kind, createdAt: 1000, ...more },
});
const turn = (more: Partial<Turn> = {}): Event => ({
  turn: { id: "t", chatId: "c", session: "main", state: "running", startedAt: 1000, ...more },
});
const text = (itemId: string, piece: string): Event => ({
  text: { itemId, chatId: "c", offset: 0, text: piece, size: new TextEncoder().encode(piece).length },
});

beforeEach(() => {
  stubBrowser();
  stubApp();
  vi.stubGlobal("fetch", () => {
    const body = new TextEncoder().encode(hostile);
    return Promise.resolve(new Response(body, { headers: { "X-Size": String(body.length) } }));
  });
  resetState(chatEvent("c", { turnState: "running" }));
});
afterEach(() => {
  cleanup();
  sink.reset([]);
});

/**
 * isNamed checks that the page shows the names of invisible characters and that neither its text nor its
 * attributes contain any.
 */
function isNamed(): void {
  expect(document.body.innerHTML).toContain("U+202E");
  expect(document.body.innerHTML).not.toMatch(hidden);
}

function show(...events: Event[]): void {
  sink.open("c", [turn(), ...events], 0, []);
  render(() => <Transcript chatId="c" />);
}

const prose = `One ${hostile}.\n\n- \`${hostile}\`\n- **${hostile}** [${hostile}](https://a.example/${hostile})\n\n\`\`\`sh\n${hostile}\n\`\`\`\n\n`;
test("an answer hides nothing, finished or streaming", async () => {
  show(
    item("u", "user"),
    text("u", hostile),
    item("m", "message", { open: true }),
    text("m", prose + hostile),
  );
  await screen.findByText("echo", { exact: false, selector: "p.tail" });
  isNamed();
});

test("thoughts hide nothing", async () => {
  const user = userEvent.setup();
  show(item("h", "thought", { endedAt: 5000 }), text("h", hostile));
  await user.click(screen.getByRole("button", { name: /^Thought/ }));
  isNamed();
});

test("a note hides nothing", () => {
  show(item("n", "note"), text("n", hostile));
  isNamed();
});

test("a block hides nothing: its name, request, plan and output", () => {
  const block: Block = { toolCallId: "b", sessionName: hostile, turnId: "tb", prompt: hostile };
  const inside: Partial<Item> = { parentId: "b", session: hostile, turnId: "tb" };
  show(
    { turn: { id: "tb", chatId: "c", session: hostile, blockId: "b", state: "running", startedAt: 1000 } },
    item("b", "block", { session: hostile, open: true, block }),
    item("p", "plan", { ...inside, plan: [{ content: hostile, status: "pending" }] }),
    item("o", "message", { ...inside, open: true }),
    text("o", hostile),
  );
  expect(document.querySelector(".copilot-stream")).toHaveTextContent("U+202E");
  isNamed();
});

const body = (type: Content["type"]): Content => ({
  id: type,
  itemId: "i",
  chatId: "c",
  type,
  size: hostile.length,
  version: 1,
});
test.each(["text", "terminal", "command"] as const)("an opened row hides nothing: %s", async (type) => {
  render(() => <ContentView content={body(type)} folder="/code" of="go test" />);
  await screen.findByText("U+202E");
  isNamed();
});

test.each(["text", "terminal"] as const)("output names emoji joiners: %s", async (type) => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response("ok 👩\u200D👧", { headers: { "X-Size": "14" } })),
  );
  render(() => <ContentView content={{ ...body(type), size: 14 }} folder="/code" of="go test" />);
  expect(await screen.findByText("U+200D")).toBeInTheDocument();
});

test("a row hides nothing", () => {
  const tool = {
    callId: "c",
    title: hostile,
    kind: "execute",
    status: "completed",
    command: hostile,
  } as const;
  const { item: row } = item("i", "tool");
  if (row) render(() => <ToolRow item={row} tool={{ ...tool, fact: hostile }} folder="/code" />);
  isNamed();
});

const banner = (kind: Banner["kind"]) => () => {
  const facts: Banner = { kind, detail: hostile, told: hostile };
  const { item: row } = item("i", "banner", { banner: facts });
  return row ? <EventBanner item={row} banner={facts} /> : null;
};
const drawn: [string, () => JSX.Element][] = [
  ["code without a language", () => <CodeBlock text={hostile} lang="" />],
  ["prose of no chat", () => <StaticProse text={prose} />],
  ["an error", () => <TurnFailure chatId="c" turnId="t" text={hostile} />],
  ["an error with a lead", () => <TurnFailure chatId="c" turnId="t" text={hostile} lead="It said:" />],
  ["an error as a banner", () => <TurnFailure chatId="c" turnId="t" text={`${hostile}. More.`} card />],
  ["a difference", banner("differs")],
  ["an error of the agent", banner("agent_error")],
];
test.each(drawn)("%s hides nothing", (_, part) => {
  render(part);
  isNamed();
});

test("highlighted code names invisible characters and is copied unchanged", async () => {
  const user = userEvent.setup();
  const app = stubApp();
  const code = "const a = 1; // \u202E;\n";
  render(() => <CodeBlock text={code} lang="ts" />);
  await waitFor(() =>
    expect(document.querySelector("code span[class^=t-], code span[class]")).not.toBeNull(),
  );
  isNamed();
  await user.click(screen.getByRole("button", { name: "Copy code" }));
  expect(app.of("Copy")).toEqual([[code]]);
});
