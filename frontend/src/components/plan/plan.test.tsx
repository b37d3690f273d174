import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { Show } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { composer } from "../../state/composer";
import { raw } from "../../state/store";
import type { Permission, Question, QuestionAnswer } from "../../state/types";
import { applyEvents, chatEvent, resetState } from "../../testing";
import { guardMillis } from "../permission/clickGuard";
import type { CardControl } from "../permission/PermissionCard";
import { ClosedQuestion } from "../question/ClosedQuestion";
import { QuestionCards } from "../question/QuestionCard";

const plan = "1. Share one exchange `refresh.go`\n2. Stop after 10 s\n3. Test it";

let app: { [M in "AnswerQuestion" | "SavePlan" | "Copy"]: ReturnType<typeof vi.fn> };
let serial = 0;
let control: CardControl | undefined;

const request = (text: string, more: Partial<Question> = {}): Permission => ({
  id: `p${serial}`, // what was entered is stored by ID
  chatId: "c",
  turnId: "t",
  session: "main",
  itemId: "i",
  state: "open",
  title: "The refresh",
  kind: "plan",
  options: [],
  createdAt: 1,
  question: { text: "The refresh", plan: text, ...more },
});

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["performance"] });
  resetState();
  sessionStorage.clear();
  serial++;
  app = {
    AnswerQuestion: vi.fn(async () => []),
    SavePlan: vi.fn(async () => undefined),
    Copy: vi.fn(async () => undefined),
  };
  window.go = { main: { App: app as unknown as App } };
});
afterEach(() => vi.useRealTimers());

function open(text = plan, chat: Parameters<typeof chatEvent>[1] = {}) {
  const permission = request(text);
  applyEvents(chatEvent("c", { folder: "/code/orbit", permissionMode: "ask", ...chat }), { permission });
  const { unmount } = render(() => (
    <Show when={raw().permissions[permission.id]?.state === "open"}>
      <QuestionCards
        request={permission}
        folder="/code/orbit"
        waiting={1}
        control={(given) => {
          control = given;
        }}
      />
    </Show>
  ));
  vi.advanceTimersByTime(guardMillis + 1);
  return unmount;
}

const sent = () => app.AnswerQuestion.mock.calls.map(([, answer]) => answer as QuestionAnswer);
const rows = () => within(screen.getByRole("list", { name: "Steps" })).getAllByRole("listitem");
const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("the card shows the steps, and Approve sends the plan exactly as it was", async () => {
  open();
  const card = screen.getByRole("group", { name: "Plan: The refresh" });
  expect(card).toHaveTextContent("3 steps · written by Copilot in orbit");
  expect(rows().map((row) => row.textContent?.trim())).toEqual([
    "1Share one exchange refresh.go",
    "2Stop after 10 s",
    "3Test it",
  ]);
  expect(document.activeElement).toBe(document.body);
  control?.allowOnce();
  await waitFor(() =>
    expect(sent()).toEqual([{ text: "", plan: { decision: "approved", text: plan, comments: [] } }]),
  );
});

test("the shortcut sends the text of a field that is being edited", async () => {
  open();
  rows()[1]?.focus();
  await userEvent.keyboard("e");
  await userEvent.keyboard(" or less");
  control?.allowOnce();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.plan?.text).toContain("2. Stop after 10 s or less\n");
});

test("a step is edited, moved, removed and brought back with the keyboard", async () => {
  open();
  rows()[1]?.focus();
  await userEvent.keyboard("e");
  const field = screen.getByRole("textbox", { name: "Step 2" });
  await waitFor(() => expect(field).toHaveFocus());
  await userEvent.keyboard(", even if the first gives up{Enter}");
  await waitFor(() => expect(rows()[1]).toHaveFocus());
  await userEvent.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(rows()[0]).toHaveTextContent("1Stop after 10 s, even if the first gives up");
  await waitFor(() => expect(rows()[0]).toHaveFocus());
  await userEvent.keyboard("{Delete}");
  expect(rows()).toHaveLength(2);
  await waitFor(() => expect(rows()[0]).toHaveFocus());
  await userEvent.keyboard("{Control>}z{/Control}");
  expect(rows()).toHaveLength(3);
  await click("Approve and allow edits");
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.plan).toEqual({
    decision: "allowed_edits",
    text: "1. Stop after 10 s, even if the first gives up\n2. Share one exchange `refresh.go`\n3. Test it",
    comments: [],
  });
});

test("Escape discards the text of a step, and an emptied step is removed", async () => {
  open();
  await click("Edit step 1");
  await userEvent.keyboard("x{Escape}");
  expect(rows()[0]).toHaveTextContent("1Share one exchange refresh.go");
  await click("Edit step 1");
  await userEvent.clear(screen.getByRole("textbox", { name: "Step 1" }));
  await userEvent.keyboard("{Enter}");
  expect(rows()).toHaveLength(2);
});

test("comments go with the request for changes, with the lines that they are on", async () => {
  open("Intro\n\n1. One\n2. Two");
  await click("Comment on step 2");
  await userEvent.keyboard("Why?");
  await click("Ask for changes…");
  expect(screen.getByRole("group", { name: /^Plan/ })).toHaveTextContent(
    "1 comment will be sent with your answer.",
  );
  vi.advanceTimersByTime(guardMillis + 1);
  await userEvent.keyboard("Less");
  await click("Send");
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toEqual({
    text: "Less",
    plan: { decision: "changes", text: "Intro\n\n1. One\n2. Two", comments: [{ line: 4, text: "Why?" }] },
  });
});

test("an answer that isn't valid shows its problem, and the card stays", async () => {
  app.AnswerQuestion.mockResolvedValue([
    { name: "", message: "Enter what should change, or comment on a step." },
  ]);
  open();
  control?.reject();
  await click("Send");
  expect(await screen.findByRole("alert")).toHaveTextContent("Enter what should change");
  await click("Cancel");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("edits survive a reload of the window", async () => {
  const unmount = open();
  await click("Remove step 1");
  expect(sessionStorage.getItem("voxpilot.answers")).toContain("Stop after 10 s");
  unmount();
  open();
  expect(rows().map((row) => row.textContent?.trim())).toEqual(["1Stop after 10 s", "2Test it"]);
});

test("the whole plan is edited as text, and keeps its comments", async () => {
  open();
  await click("Comment on step 3");
  await userEvent.keyboard("How?");
  await click("Edit as text");
  const text = screen.getByRole("textbox", { name: "Plan in Markdown" });
  expect(text).toHaveValue(plan);
  await userEvent.clear(text);
  await userEvent.type(text, "# New\n\n- First\n- Test it");
  await click("Approve");
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.plan).toEqual({
    decision: "approved",
    text: "# New\n\n- First\n- Test it",
    comments: [{ line: 4, text: "How?" }],
  });
  await click("Show as steps");
  expect(rows().map((row) => row.textContent?.trim())).toEqual(["New", "1First", "2Test it"]);
});

test("the plan is saved as edited", async () => {
  open();
  await click("Remove step 3");
  await click("Save as a file…");
  expect(app.SavePlan.mock.calls).toEqual([
    [`p${serial}`, "The refresh", "1. Share one exchange `refresh.go`\n2. Stop after 10 s"],
  ]);
});

test("a step is added", async () => {
  open();
  await click("Add a step");
  const field = await screen.findByRole("textbox", { name: "Step 4" });
  await userEvent.clear(field);
  await userEvent.type(field, "Clean up{Enter}");
  expect(rows()[3]).toHaveTextContent("4Clean up");
});

test("edits can't be allowed for a plan if they are allowed anyway", () => {
  open(plan, { permissionMode: "accept_edits" });
  expect(screen.queryByRole("button", { name: "Approve and allow edits" })).toBeNull();
});

test("a plan and a question at the same time are answered separately, and keep what was entered", async () => {
  const first = request(plan);
  const other: Permission = { ...request("1. Other"), id: `${first.id}-other`, createdAt: 2, title: "Other" };
  other.question = { text: "Other", plan: "1. Other" };
  applyEvents(
    chatEvent("c", { folder: "/code/orbit", permissionMode: "ask" }),
    { permission: first },
    { permission: other },
  );
  render(() => <QuestionCards request={first} folder="/code/orbit" waiting={2} />);
  vi.advanceTimersByTime(guardMillis + 1);
  await click("Remove step 1");
  await click("Next question");
  expect(rows().map((row) => row.textContent?.trim())).toEqual(["1Other"]);
  vi.advanceTimersByTime(guardMillis + 1);
  await click("Approve");
  await waitFor(() => expect(app.AnswerQuestion.mock.calls[0]?.[0]).toBe(other.id));
  await click("Previous question");
  expect(rows()).toHaveLength(2);
});

test("hostile Markdown shows no images, scripts or hidden characters", () => {
  open(
    '1. <img src=x onerror="alert(1)"> ![](https://evil.example/a.png)\n2. a\u200bb <script>alert(1)</script>\n3. [x](javascript:alert(1))',
  );
  const card = screen.getByRole("group", { name: /^Plan/ });
  expect(card.querySelector("img, script, iframe, [onerror]")).toBeNull();
  for (const link of card.querySelectorAll("a"))
    expect(link.getAttribute("href") ?? "").not.toMatch(/^javascript:/);
});

test("a plan of many steps is shown as text", () => {
  open("- a\n".repeat(1000).trimEnd());
  expect(screen.queryByRole("list", { name: "Steps" })).toBeNull();
  expect(screen.getByRole("textbox", { name: "Plan in Markdown" })).toBeInTheDocument();
});

test("an answered plan marks the steps that the user wrote", () => {
  const question = {
    outcome: "answered" as const,
    answer: { plan: { decision: "approved" as const, text: "1. Read it\n2. Write a test\n3. Mend it well" } },
  };
  const permission: Permission = { ...request("1. Read it\n2. Mend it", question), state: "decided" };
  const tool = { callId: "x", title: "The refresh", kind: "plan" as const, status: "completed" as const };
  const item = { id: "i", chatId: "c", session: "main", kind: "tool" as const, createdAt: 1, pos: 1, tool };
  applyEvents(chatEvent("c", {}), { permission }, { item });
  const { container } = render(() => <ClosedQuestion item={item} />);
  const steps = [...container.querySelectorAll(".pl-edited > li")];
  expect(steps.map((step) => step.textContent?.replaceAll("\n", ""))).toEqual([
    "1Read it",
    "2Write a testyours",
    "3Mend it wellyours",
  ]);
});

test("a closed plan can be sent in a message", async () => {
  const permission: Permission = { ...request(plan, { outcome: "away" }), state: "closed" };
  const tool = { callId: "x", title: "The refresh", kind: "plan" as const, status: "failed" as const };
  const item = {
    id: "i",
    chatId: "c",
    turnId: "t",
    session: "main",
    kind: "tool" as const,
    createdAt: 1,
    pos: 1,
    tool,
  };
  applyEvents(chatEvent("c", {}), { permission }, { item });
  const fill = vi.spyOn(composer, "fill").mockImplementation(() => undefined);
  render(() => <ClosedQuestion item={item} />);
  await click("Send in a message");
  expect(fill.mock.calls).toEqual([["c", `Carry out this plan:\n\n${plan}`]]);
  fill.mockRestore();
});
