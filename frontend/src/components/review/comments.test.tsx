import { fireEvent, screen as page, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetComments } from "../../state/reviewCommentTexts";
import type { NewReviewComment, ReviewComment } from "../../state/types";
import { applyEvents } from "../../testing";
import { FakeReview, fakeFile, openScreen } from "./testing";

const comment = (more: Partial<ReviewComment> = {}): ReviewComment => ({
  id: "k1",
  chatId: "c",
  path: "a.go",
  side: "new",
  start: 9,
  end: 10,
  text: "Use a context.",
  quote: "line 10\nchanged 11",
  state: "draft",
  origin: "user",
  createdAt: 1,
  ...more,
});

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  forgetComments();
});

/** Opens the review of two files; line 11 of a.go has changed. */
async function open(comments: ReviewComment[] = [], answers: Parameters<typeof openScreen>[0] = {}) {
  const review = new FakeReview(fakeFile("a.go", [10]), fakeFile("b.go", [20]));
  review.comments = comments;
  const shown = openScreen({
    AddReviewComment: async (_chat: string, added: NewReviewComment) => {
      const { source: _source, version: _version, ...lines } = added;
      const made = comment({ ...lines, id: `k${review.comments.length + 1}`, quote: "" });
      review.comments = [...review.comments, made];
      return made;
    },
    RemoveReviewComment: async (id: string) => {
      review.comments = review.comments.filter((each) => each.id !== id);
    },
    ...answers,
  });
  await page.findByText("changed 11");
  return { ...shown, review, user: userEvent.setup() };
}

const field = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment for line 11" });
const announcement = () => document.querySelector(".rv-main > .sr")?.textContent;
const bar = () => page.queryByRole("region", { name: "Comments" });

describe("comments", () => {
  test("are written with C below the current change and added with Ctrl+Enter", async () => {
    const { user, app } = await open();
    await user.keyboard("n");
    await user.keyboard("c");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard("Say why");
    expect(app.of("AddReviewComment")).toHaveLength(0);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await page.findByRole("article", { name: "Comment on line 11" });
    expect(app.of("AddReviewComment")).toEqual([
      [
        "c",
        { source: "chat", path: "a.go", version: "1 a.go", side: "new", start: 10, end: 10, text: "Say why" },
      ],
    ]);
    expect(page.queryByRole("textbox", { name: "Comment for line 11" })).toBeNull();
    expect(within(bar() as HTMLElement).getByText("1 comment")).toBeTruthy();
    expect(page.getByRole("treeitem", { name: /^a\.go, .*, 1 comment$/ })).toBeTruthy();
  });

  test("cover the lines that Shift and the arrows select", async () => {
    const { user, app } = await open();
    await user.keyboard("n");
    await user.keyboard("{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}c");
    await user.type(await page.findByRole("textbox", { name: /^Comment for line/ }), "All of it");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(app.of("AddReviewComment")).toHaveLength(1));
    expect(app.of("AddReviewComment")[0]?.[1]).toMatchObject({ side: "new", start: 10, end: 11 });
  });

  test("are counted when N reaches their change, and G goes through them", async () => {
    const { user } = await open([
      comment({ state: "sent" }),
      comment({ id: "k2", start: 10, end: 10, text: "And why?" }),
      comment({ id: "k3", start: 10, end: 10, state: "resolved", resolvedAt: 2 }),
      comment({ id: "k4", path: "b.go", start: 20, end: 20 }),
    ]);
    await page.findByRole("article", { name: "Comment on line 11" });
    await user.keyboard("n");
    await waitFor(() => expect(announcement()).toMatch(/1 line added, 1 line removed\. 3 comments$/));
    const focused = () => document.activeElement?.getAttribute("data-comment");
    for (const id of ["k1", "k2", "k4", "k1"]) {
      await user.keyboard("g");
      await waitFor(() => expect(focused()).toBe(id));
    }
  });

  test("start with a button on the line under the pointer", async () => {
    const { user } = await open();
    fireEvent.pointerOver(page.getByText("changed 11"));
    await user.click(page.getByRole("button", { name: "Comment on line 11" }));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(page.queryByRole("button", { name: "Comment on line 11" })).toBeNull();
  });

  test("keep an unfinished text when the screen is left, and Cancel drops it until Undo", async () => {
    const first = await open();
    await first.user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await first.user.keyboard("Half a th");
    first.unmount();
    forgetComments(); // a reload of the window does this too
    const { user } = await open();
    await waitFor(() => expect(field().value).toBe("Half a th"));
    await user.click(page.getByRole("button", { name: "Cancel" }));
    expect(page.queryByRole("textbox", { name: "Comment for line 11" })).toBeNull();
    expect(sessionStorage.getItem("voxpilot.comments.c")).toBeNull();
    const note = page.getByText("The unfinished comment was discarded.").parentElement as HTMLElement;
    await user.click(within(note).getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(field().value).toBe("Half a th"));
    expect(page.queryByText("The unfinished comment was discarded.")).toBeNull();
  });

  test("keep the text of a field that is closed with Escape, and open it again with C or a click", async () => {
    const { user } = await open();
    await user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard("Half a th{Escape}");
    expect(page.queryByRole("textbox", { name: "Comment for line 11" })).toBeNull();
    expect(page.getByRole("button", { name: "Unfinished comment on line 11" })).toHaveTextContent(
      "Half a th",
    );
    expect(page.getByRole("region", { name: "Changes" })).toHaveFocus();
    await user.keyboard("c");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(field().value).toBe("Half a th");
    await user.keyboard("ought{Escape}");
    await user.click(page.getByRole("button", { name: "Unfinished comment on line 11" }));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(field().value).toBe("Half a thought");
    await user.clear(field());
    await user.keyboard("{Escape}");
    expect(page.queryByRole("button", { name: /^Unfinished comment/ })).toBeNull();
  });

  test("open the field of an unfinished comment on another line of the current change", async () => {
    const { user } = await open();
    await user.keyboard("n{Alt>}{ArrowDown}{ArrowDown}{/Alt}{Shift>}{ArrowDown}{/Shift}c");
    const wide = () => page.findByRole<HTMLTextAreaElement>("textbox", { name: /^Comment for lines/ });
    await waitFor(async () => expect(document.activeElement).toBe(await wide()));
    await user.keyboard("Both{Escape}");
    await user.keyboard("c");
    await waitFor(async () => expect(document.activeElement).toBe(await wide()));
    expect((await wide()).value).toBe("Both");
  });

  test("come back with Undo after they were deleted", async () => {
    const removed = comment({ text: "Keep me" });
    const { user, app, review } = await open([removed], {
      RestoreReviewComment: async () => {
        review.comments = [removed];
      },
    });
    await user.click(await page.findByRole("button", { name: "Delete comment" }));
    await waitFor(() => expect(page.queryByText("Keep me")).toBeNull());
    const note = (await page.findByText("The comment was deleted.")).parentElement as HTMLElement;
    await user.click(within(note).getByRole("button", { name: "Undo" }));
    await page.findByText("Keep me");
    expect(app.of("RestoreReviewComment")).toEqual([["c", removed.id]]);
    expect(page.queryByText("The comment was deleted.")).toBeNull();
  });

  test("keep their old text if an edit is canceled, and the new one until Undo is no longer offered", async () => {
    const { user } = await open([comment({ text: "Old", start: 10 })]);
    await user.click(await page.findByRole("button", { name: "Edit comment" }));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard(" and new{Escape}");
    await page.findByText("Old");
    const note = page.getByText("The changes to the comment were discarded.").parentElement as HTMLElement;
    await user.click(within(note).getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(field().value).toBe("Old and new"));
  });

  test("keep unfinished texts in the app, for a restart", async () => {
    let saved = "";
    const answers = {
      SaveReviewDraft: async (_chat: string, draft: string) => {
        saved = draft;
      },
      ReviewDraft: async () => saved,
    };
    const first = await open([comment({ id: "k2", path: "b.go" })], answers);
    await first.user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await first.user.keyboard("Half a th");
    await first.user.type(page.getByRole("textbox", { name: "Note for the whole review" }), "Be kind");
    await waitFor(() => expect(saved).toContain("Be kind"));
    first.unmount();
    forgetComments();
    sessionStorage.clear();
    const { user } = await open([comment({ id: "k2", path: "b.go" })], answers);
    await waitFor(() => expect(field().value).toBe("Half a th"));
    const note = page.getByRole<HTMLTextAreaElement>("textbox", { name: "Note for the whole review" });
    expect(note.value).toBe("Be kind");
    await user.clear(note);
    await user.click(page.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(saved).toBe(""));
  });

  test("keep the field, its text and the focus while the rows around it change", async () => {
    const { user, review } = await open();
    await user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard("Half");
    const before = field();
    review.comments = [comment({ id: "k9", start: 7, end: 7, text: "From elsewhere" })];
    applyEvents({ comment: comment({ id: "k9" }) });
    await page.findByText("From elsewhere");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(field()).toBe(before);
    await user.keyboard("way");
    expect(field().value).toBe("Halfway");
  });

  test("stay in the form with the reason if they can't be added", async () => {
    const { user } = await open([], {
      AddReviewComment: () => Promise.reject({ code: "stale", message: "The file has changed." }),
    });
    await user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard("Why?{Control>}{Enter}{/Control}");
    expect(await page.findByText("The file has changed.")).toBeTruthy();
    expect(field().value).toBe("Why?");
  });

  test("are edited and deleted", async () => {
    const { user, app } = await open([comment()]);
    const article = await page.findByRole("article", { name: "Comment on lines 10 to 11" });
    expect(within(article).getByText("You, lines 10 to 11")).toBeTruthy();
    await user.click(within(article).getByRole("button", { name: "Edit comment" }));
    const edited = within(article).getByRole("textbox");
    await user.clear(edited);
    await user.type(edited, "Better");
    await user.click(within(article).getByRole("button", { name: "Save" }));
    expect(app.of("EditReviewComment")).toEqual([["k1", "Better"]]);
    await waitFor(() => expect(within(article).getByText("Better")).toBeTruthy());
    await user.click(within(article).getByRole("button", { name: "Delete comment" }));
    expect(app.of("RemoveReviewComment")).toEqual([["k1"]]);
    await waitFor(() => expect(page.queryByRole("article")).toBeNull());
    expect(bar()).toBeNull();
  });

  test("show what happened to their lines", async () => {
    const { user, app } = await open([
      comment({ id: "k1", state: "answered", answeredAt: 1, turnId: "t2" }),
      comment({ id: "k2", start: -1, end: -1, outdated: true, state: "sent", text: "Old one" }),
      comment({ id: "k3", start: 8, end: 8, state: "resolved", resolvedAt: 1, text: "Solved one" }),
      comment({ id: "k4", path: "gone.go", start: -1, end: -1, gone: true, text: "Lost" }),
      comment({ id: "k5", path: "src/b.go", text: "Why?" }),
      comment({ id: "k6", path: "src/b.go", text: "Why not?" }),
    ]);
    const answered = await page.findByRole("article", { name: "Comment on lines 10 to 11, changed since" });
    expect(within(answered).getByText(/^Changed at/)).toBeTruthy();
    await user.click(within(answered).getByRole("button", { name: "Resolve" }));
    expect(app.of("ResolveReviewComment")).toEqual([["k1", true]]);

    const outdated = page.getByRole("article", { name: "Comment on changed lines" });
    expect(outdated.querySelector(".cmt-quote")?.textContent).toBe("line 10\nchanged 11");

    const resolved = page.getByRole("button", { name: "Resolved comment on line 9" });
    expect(resolved.textContent).toContain("Line 9: Solved one");
    resolved.focus();
    await user.keyboard("{Enter}");
    expect(await page.findByRole("button", { name: "Reopen" })).toBeTruthy();

    expect(
      page.getByText("gone.go was removed. Your comment will be sent with the others: Lost"),
    ).toBeTruthy();
    expect(page.getByText("2 comments on files that have no changes here: src/b.go")).toBeTruthy();
  });

  test("that are unfinished are named if their file has no changes left, and can be deleted", async () => {
    const first = await open();
    await first.user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await first.user.keyboard("Half a th{Escape}");
    first.unmount();
    new FakeReview(fakeFile("b.go", [20]));
    openScreen();
    const note = await page.findByText("1 comment on files that have no changes here: a.go");
    const bar = within(note.parentElement as HTMLElement);
    await first.user.click(bar.getByRole("button", { name: "Delete the unfinished comment on a.go" }));
    expect(page.queryByText(/have no changes here/)).toBeNull();
    expect(page.getByText("The unfinished comment was discarded.")).toBeTruthy();
  });

  test("are on the lines of the version that is shown, or above the changes", async () => {
    const { review, user, app } = await open();
    review.places = [{ id: "k1", start: 10, end: 10 }];
    review.comments = [
      comment({ side: "old", start: 3, end: 3, quote: "line 11" }),
      comment({ id: "k2", side: "old", start: 10, end: 10, quote: "gone line", text: "Why?" }),
    ];
    applyEvents({ comment: comment() });
    const placed = await page.findByRole("article", { name: "Comment on line 11 of the old version" });
    const lost = page.getByRole("article", { name: "Comment on lines of another version" });
    expect(within(lost).getByText("Not in this version")).toBeTruthy();
    expect(lost.querySelector(".cmt-quote")?.textContent).toBe("gone line");
    const rows = (element: Element) => element.closest<HTMLElement>("[data-row]")?.dataset.row;
    expect(rows(lost)).toBe("0");
    const removed = page.getByText("line 11", { selector: ".dl.d .c" });
    expect(Number(rows(placed))).toBe(Number(rows(removed)) + 1);
    const asked = review.asked.filter((url) => url.pathname.endsWith("review-places"));
    expect(asked.map((url) => url.searchParams.get("version"))).toEqual(["1 a.go"]);
    expect(asked[0]?.searchParams.get("source")).toBe("chat");

    // A turn has addressed the other comment and replaced its lines, so the comment is now on the new lines.
    review.places = [...review.places, { id: "k2", start: 10, end: 10 }];
    review.comments = review.comments.map((each) =>
      each.id === "k2" ? { ...each, side: "new", state: "answered", answeredAt: 1 } : each,
    );
    applyEvents({ comment: comment({ id: "k2" }) });
    await page.findByRole("article", { name: "Comment on line 11, changed since" });

    await user.click(within(placed).getByRole("button", { name: "Delete comment" }));
    expect(app.of("RemoveReviewComment")).toEqual([["k1"]]);
  });

  test("are added to the version on which they were started, and leave its lines if the file changes", async () => {
    const { user, app, review } = await open();
    await user.keyboard("nc");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard("Why?");
    const [file] = review.files;
    if (!file) throw new Error("no file");
    file.file = { ...file.file, version: "2 a.go" };
    window.dispatchEvent(new Event("focus"));
    await user.click(await page.findByRole("button", { name: "Show new version" }));
    await waitFor(() => expect(field().closest<HTMLElement>("[data-row]")?.dataset.row).toBe("0"));
    field().focus();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(app.of("AddReviewComment")).toHaveLength(1));
    expect(app.of("AddReviewComment")[0]?.[1]).toMatchObject({ version: "1 a.go", start: 10, text: "Why?" });
  });

  test("are sent with the note by Ctrl+Enter, and discarded only after a question", async () => {
    const { user, app, review } = await open([
      comment(),
      comment({ id: "k2", path: "b.go", start: 20, end: 20 }),
    ]);
    const note = await page.findByRole("textbox", { name: "Note for the whole review" });
    await user.click(page.getByRole("button", { name: "Discard" }));
    const dialog = await page.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(app.of("RemoveReviewComment")).toHaveLength(0);
    await user.type(note, "Please fix");
    review.comments = review.comments.map((each) => ({ ...each, state: "sent" as const }));
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(app.of("SendReview")).toEqual([["c", "Please fix"]]));
    await waitFor(() => expect(bar()).toBeNull());
    expect(page.getAllByText("Sent").length).toBeGreaterThan(0);
  });

  test("show hostile text as text", async () => {
    await open([comment({ text: "<b>bold</b> \u202e" })]);
    const article = await page.findByRole("article");
    expect(article.querySelector("b")).toBeNull();
    expect(article.textContent).toContain("<b>bold</b> [U+202E]");
  });
});

test("are counted where a file changed on disk, and where all files have been seen", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]));
  review.comments = [comment({ path: "a.txt", start: 10, end: 10 })];
  openScreen();
  await page.findByText("changed 11");
  await page.findByRole("article", { name: /^Comment on line 11/ });
  review.files = [fakeFile("a.txt", [10, 30], { version: "2" })];
  window.dispatchEvent(new Event("focus"));
  const note = await page.findByRole("status", { name: "Changed on disk" });
  expect(note).toHaveTextContent("Changed on disk just now. Your comment stays attached to the same lines.");
  await userEvent.setup().click(within(note).getByRole("button", { name: "Show new version" }));
  await page.findByText("changed 31");
  await userEvent.setup().click(page.getByRole("checkbox", { name: "Viewed" }));
  expect(await page.findByText("1 comment open.")).toBeInTheDocument();
});
