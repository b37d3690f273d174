import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { forgetDrafts } from "../../state/messageDraft";
import { forgetCommits } from "../../state/reviewCommitInput";
import { forgetPulls } from "../../state/reviewPull";
import type { MessageDraft } from "../../state/types";
import { applyEvents } from "../../testing";
import { ReviewScreen } from "./ReviewScreen";
import { FakeReview, fakeFile, openScreen } from "./testing";

const user = userEvent.setup();

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  forgetCommits();
  forgetPulls();
  forgetDrafts();
});

const message = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Commit message" });
const button = () => page.findByRole<HTMLButtonElement>("button", { name: "Draft with Copilot" });
const draft = (more: Partial<MessageDraft>) =>
  applyEvents({ messageDraft: { id: "d1", chatId: "c", state: "running", text: "", ...more } });
const done = (more: Partial<MessageDraft> = {}) =>
  draft({
    state: "done",
    text: "auth: share the exchange",
    model: "Claude Sonnet 4.5",
    usage: { input: 1200, output: 34 },
    ...more,
  });

/** Opens the review of a chat that has a change and a suggested commit message. */
async function open(answers: Partial<App> = {}) {
  const review = new FakeReview(fakeFile("a.txt", [10]));
  review.commit = { suggestion: "Update a.txt" };
  const shown = openScreen({ ReviewDraftMessage: async () => "d1", ...answers });
  await button();
  return { ...shown, review };
}

/** Clicks the button that starts a draft. */
async function start() {
  await user.click(await button());
  draft({});
}

describe("a drafted commit message", () => {
  test("comes only on a click, for the files of the commit, and replaces the suggestion", async () => {
    const { app } = await open();
    expect(app.of("ReviewDraftMessage")).toEqual([]);
    expect((await button()).title).toContain("may count as one or more requests");
    await start();
    expect(app.of("ReviewDraftMessage")).toEqual([["c", { files: "all" }]]);
    expect(await page.findByText("Copilot is drafting…")).toBeTruthy();
    expect(message().value).toBe("Update a.txt");
    expect(page.queryByRole("button", { name: "Draft with Copilot" })).toBeNull();
    done();
    expect(message().value).toBe("auth: share the exchange");
    const line = page.getByText("Drafted by Claude Sonnet 4.5 · 1,234 tokens");
    expect(line.title).toBe("1,200 input, 34 output");
    await waitFor(() => expect(page.getByText("The draft is in the message field.")).toBeTruthy());
  });

  test("gives the suggestion back on a click, and can be used again", async () => {
    await open();
    await start();
    done();
    await user.click(page.getByRole("button", { name: "Restore the earlier text" }));
    expect(message().value).toBe("Update a.txt");
    expect(page.getByText("Based on the changes")).toBeTruthy();
    await user.click(page.getByRole("button", { name: "Use draft" }));
    expect(message().value).toBe("auth: share the exchange");
    expect(message()).toHaveFocus();
  });

  test("replaces typed text, and Ctrl Z restores it", async () => {
    await open();
    await user.clear(message());
    await user.type(message(), "My words");
    await start();
    done();
    expect(message().value).toBe("auth: share the exchange");
    expect(page.getByRole("button", { name: "Restore your text" })).toBeTruthy();
    message().focus();
    await user.keyboard("{Control>}z{/Control}");
    expect(message().value).toBe("My words");
  });

  test("never overwrites text that was typed meanwhile", async () => {
    await open();
    await start();
    await user.type(message(), " and more");
    done({ usage: undefined });
    expect(message().value).toBe("Update a.txt and more");
    expect(page.getByText("Drafted by Claude Sonnet 4.5 · cost not reported")).toBeTruthy();
    await waitFor(() => expect(page.getByText("A draft is ready. Your text is unchanged.")).toBeTruthy());
    await user.click(page.getByRole("button", { name: "Use draft" }));
    expect(message().value).toBe("auth: share the exchange");
    await user.click(page.getByRole("button", { name: "Restore your text" }));
    expect(message().value).toBe("Update a.txt and more");
    await user.click(page.getByRole("button", { name: "Dismiss draft" }));
    expect(page.queryByRole("button", { name: "Use draft" })).toBeNull();
    expect(message().value).toBe("Update a.txt and more");
  });

  test("still names its model after an edit, and no longer after another suggestion", async () => {
    await open();
    await start();
    done();
    await user.type(message(), "!");
    expect(page.getByText(/^Drafted by/)).toBeTruthy();
    await user.click(page.getByRole("button", { name: "Suggest another message" }));
    await waitFor(() => expect(message().value).toBe("Update a.txt"));
    expect(page.getByText("Based on the changes")).toBeTruthy();
  });

  test("can be canceled", async () => {
    const { app } = await open();
    await start();
    await user.click(page.getByRole("button", { name: "Cancel" }));
    expect(app.of("ReviewCancelDraft")).toEqual([["c", "d1"]]);
    draft({ state: "cancelled" });
    expect(message().value).toBe("Update a.txt");
    expect(message()).toHaveFocus();
    await waitFor(() => expect(page.getByText("Canceled. The message is unchanged.")).toBeTruthy());
    expect(await button()).toBeEnabled();
  });

  test("says why it failed", async () => {
    await open();
    await start();
    draft({ state: "failed", message: "You're offline.\u202e" });
    const alert = page.getByRole("alert");
    expect(alert).toHaveTextContent("You're offline.[U+202E]");
    expect(message().value).toBe("Update a.txt");
    await user.click(page.getByRole("button", { name: "Dismiss" }));
    expect(page.queryByRole("alert")).toBeNull();
  });

  test("says why it couldn't be started", async () => {
    await open({ ReviewDraftMessage: () => Promise.reject({ code: "unavailable", message: "Not now." }) });
    await user.click(await button());
    expect(await page.findByRole("alert")).toHaveTextContent("Not now.");
    expect(await button()).toBeEnabled();
  });

  test("isn't offered without changes or if nothing can be committed", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10]));
    review.commit = { message: "A rebase is in progress." };
    openScreen();
    expect(await button()).toBeDisabled();
  });

  test("that was finished while the screen was closed is used when it opens", async () => {
    const { unmount } = await open();
    await start();
    unmount();
    done();
    render(() => <ReviewScreen chatId="c" source="chat" />);
    await waitFor(() => expect(message().value).toBe("auth: share the exchange"));
  });

  test("of before a reload of the window is only offered", async () => {
    await open();
    forgetDrafts();
    done();
    expect(message().value).toBe("Update a.txt");
    expect(page.getByRole("button", { name: "Use draft" })).toBeTruthy();
  });
});
