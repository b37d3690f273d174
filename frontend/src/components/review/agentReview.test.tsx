import { fireEvent, screen as page, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetComments } from "../../state/reviewCommentTexts";
import { screen } from "../../state/screen";
import { sink } from "../../state/store";
import { requestedView } from "../../state/transcriptView";
import type { AgentReview, Event, ReviewComment, Session } from "../../state/types";
import { applyEvents } from "../../testing";
import { FakeReview, fakeFile, openScreen } from "./testing";

const suggestion = (more: Partial<ReviewComment> = {}): ReviewComment => ({
  id: "k1",
  chatId: "c",
  path: "a.go",
  side: "new",
  start: 9,
  end: 10,
  text: "Use a context.",
  quote: "line 10\nchanged 11",
  state: "suggested",
  origin: "agent",
  createdAt: 1,
  ...more,
});

const reviewed = (more: Partial<AgentReview> = {}): Event => ({
  agentReview: { id: "r1", chatId: "c", state: "done", ...more },
});

const session = (name: string, value: string): Session => ({
  chatId: "c",
  name,
  acpId: name,
  cwd: "/",
  state: "loaded",
  createdAt: 1,
  usedAt: 1,
  options: [
    {
      id: "model",
      name: "Model",
      type: "select",
      value,
      choices: [
        { id: "small", name: "Small" },
        { id: "large", name: "Large" },
      ],
    },
  ],
});

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  forgetComments();
  applyEvents({ sessionGone: { chatId: "c", id: "main" } });
});

async function open(comments: ReviewComment[] = [], answers: Parameters<typeof openScreen>[0] = {}) {
  const review = new FakeReview(fakeFile("a.go", [10]), fakeFile("b.go", [20]));
  review.comments = comments;
  const decide = (ids: string[], change: (comment: ReviewComment) => ReviewComment[]) => {
    review.comments = review.comments.flatMap((each) => (ids.includes(each.id) ? change(each) : [each]));
  };
  const shown = openScreen({
    AcceptReviewComments: async (_chat: string, ids: string[]) =>
      decide(ids, (each) => [{ ...each, state: "draft" }]),
    DismissReviewComments: async (_chat: string, ids: string[]) => decide(ids, () => []),
    ...answers,
  });
  await page.findByText("changed 11");
  return { ...shown, review, user: userEvent.setup() };
}

async function openSheet(user: ReturnType<typeof userEvent.setup>) {
  await user.click(page.getByRole("button", { name: "Review options" }));
  await user.click(await page.findByRole("menuitem", { name: "Ask Copilot for a review…" }));
  return page.findByRole("dialog", { name: "Ask Copilot for a review" });
}

const article = (lines: string) => page.findByRole("article", { name: `Suggestion on ${lines}` });
const bar = () => page.queryByRole("region", { name: "Suggested comments" });

describe("the sheet", () => {
  test("starts a review of the shown changes with a model and a focus", async () => {
    const { user, app } = await open();
    sink.open("c", [{ session: session("main", "small") }], 0, []);
    const sheet = await openSheet(user);
    const start = within(sheet).getByRole("button", { name: /^Start review/ });
    await waitFor(() => expect(document.activeElement).toBe(start));
    expect(app.of("StartAgentReview")).toHaveLength(0);
    const model = await within(sheet).findByRole("combobox", { name: "Model" });
    expect(model).toHaveDisplayValue("Same as the chat");
    await user.selectOptions(model, "Large");
    await user.type(within(sheet).getByRole("textbox", { name: "What to look at (optional)" }), " Errors ");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(app.of("StartAgentReview")).toEqual([["c", { source: "chat", model: "large", focus: "Errors" }]]);
  });

  test("stays open with the reason if the review can't start", async () => {
    const { user } = await open([], {
      StartAgentReview: () =>
        Promise.reject({ code: "unavailable", message: "A review is already running." }),
    });
    const sheet = await openSheet(user);
    expect(within(sheet).queryByRole("combobox")).toBeNull(); // no models are known
    await user.click(within(sheet).getByRole("button", { name: /^Start review/ }));
    expect((await within(sheet).findByRole("alert")).textContent).toBe("A review is already running.");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
  });

  test("isn't offered while a review is running", async () => {
    const { user } = await open();
    applyEvents(reviewed({ state: "running" }));
    await user.click(page.getByRole("button", { name: "Review options" }));
    const entry = await page.findByRole("menuitem", { name: "Ask Copilot for a review…" });
    expect(entry.getAttribute("aria-disabled")).toBe("true");
  });
});

describe("the state", () => {
  test("of a running review can be stopped and followed in the chat", async () => {
    const { user, app } = await open();
    applyEvents(reviewed({ state: "running" }));
    expect(await page.findByText("Copilot is reviewing the changes…")).toBeTruthy();
    await user.click(page.getByRole("button", { name: "Stop the review" }));
    expect(app.of("StopAgentReview")).toEqual([["c"]]);
    applyEvents({
      permission: {
        id: "p",
        chatId: "c",
        session: "review",
        state: "open",
        createdAt: 1,
      } as NonNullable<Event["permission"]>,
    });
    expect(await page.findByText("Copilot's review is waiting for you in the chat.")).toBeTruthy();
    await user.click(page.getByRole("button", { name: "Show in chat" }));
    expect(screen()).toMatchObject({ name: "chat", id: "c" });
    expect(requestedView()).toMatchObject({ chatId: "c", session: "review" });
  });

  test.each<[Partial<AgentReview>, string]>([
    [{}, "Copilot found nothing to comment on."],
    [{ unclear: true }, "VoxPilot found no comments in Copilot's answer."],
    [{ state: "stopped" }, "The review was stopped."],
    [{ state: "failed", message: "Copilot declined." }, "The review failed. Copilot declined."],
    [{ comments: 1, otherComments: 2 }, "2 comments couldn't be added. They're in the chat."],
  ])("of a review that ended with %o is shown until it is closed", async (result, text) => {
    const { user } = await open();
    applyEvents(reviewed({ id: JSON.stringify(result), ...result }));
    expect(await page.findByText(text)).toBeTruthy();
    await user.click(page.getByRole("button", { name: "Close this note" }));
    expect(page.queryByText(text)).toBeNull();
  });
});

describe("suggestions", () => {
  const two = [suggestion(), suggestion({ id: "k2", path: "b.go", start: 20, end: 20, text: "Retry once." })];

  test("are accepted with a click and then sent like other comments", async () => {
    const { user, app } = await open([suggestion()]);
    const shown = await article("lines 10 to 11");
    expect(within(shown).getByText("Copilot, lines 10 to 11")).toBeTruthy();
    expect(within(shown).queryByRole("button", { name: "Edit comment" })).toBeNull();
    expect(page.queryByRole("button", { name: /^Send to/ })).toBeNull();
    await user.click(within(shown).getByRole("button", { name: "Accept" }));
    expect(app.of("AcceptReviewComments")).toEqual([["c", ["k1"]]]);
    const accepted = await page.findByRole("article", { name: "Comment on lines 10 to 11" });
    expect(within(accepted).getByRole("button", { name: "Edit comment" })).toBeTruthy();
    expect(await page.findByRole("button", { name: /^Send to/ })).toBeTruthy();
    expect(bar()).toBeNull();
  });

  test("are visited and decided with keys", async () => {
    const { user, app } = await open(two);
    await article("lines 10 to 11");
    await user.keyboard("a"); // no suggestion has the focus
    await user.keyboard("g");
    await waitFor(async () => expect(document.activeElement).toBe(await article("lines 10 to 11")));
    await user.keyboard("a");
    await waitFor(() => expect(app.of("AcceptReviewComments")).toEqual([["c", ["k1"]]]));
    await waitFor(async () => expect(document.activeElement).toBe(await article("line 21")));
    await user.keyboard("d");
    await waitFor(() => expect(app.of("DismissReviewComments")).toEqual([["c", ["k2"]]]));
    await waitFor(() => expect(page.queryByRole("article", { name: /^Suggestion/ })).toBeNull());
    expect(document.activeElement?.classList.contains("rv-scroll")).toBe(true);
  });

  test("are accepted or dismissed together", async () => {
    const { user, app } = await open([...two, suggestion({ id: "k3", path: "other.go", text: "Elsewhere" })]);
    const region = await page.findByRole("region", { name: "Suggested comments" });
    expect(region.textContent).toContain("Copilot suggests 3 comments");
    expect(region.textContent).toContain("1 comment on files that have no changes here: other.go");
    await user.click(within(region).getByRole("button", { name: "Dismiss all" }));
    expect(app.of("DismissReviewComments")).toEqual([["c", ["k1", "k2", "k3"]]]);
    await waitFor(() => expect(bar()).toBeNull());
    expect(page.queryByRole("article")).toBeNull();
  });

  test("show their lines if these aren't found, and hostile text as text", async () => {
    await open([suggestion({ start: -1, end: -1, outdated: true, text: "<b>bold</b> \u202e" })]);
    const shown = await page.findByRole("article", { name: "Suggestion on changed lines" });
    expect(shown.querySelector(".cmt-quote")?.textContent).toBe("line 10\nchanged 11");
    expect(shown.querySelector("b")).toBeNull();
    expect(shown.textContent).toContain("<b>bold</b> [U+202E]");
  });

  test("stay if a decision fails", async () => {
    const { user } = await open([suggestion()], {
      AcceptReviewComments: () => Promise.reject({ code: "not_found", message: "No longer there." }),
    });
    fireEvent.focus(await article("lines 10 to 11"));
    await user.click(within(await article("lines 10 to 11")).getByRole("button", { name: "Accept" }));
    expect(await page.findByText("No longer there.")).toBeTruthy();
    expect(await article("lines 10 to 11")).toBeTruthy();
  });
});
