// Screens of the review by the chat's agent.

import type { Page } from "playwright-core";
import type { AgentReview } from "../../src/state/types";
import { comment, opened } from "./review";
import { commented, reviewData, sample } from "./reviewData";
import type { Shot } from "./shot";
import { chatId, shot } from "./transcript";
import { turn } from "./undo";

const suggested = [
  comment({ state: "suggested", origin: "agent" }),
  comment({
    id: "k2",
    state: "suggested",
    origin: "agent",
    start: -1,
    end: -1,
    outdated: true,
    quote: "\treturn s.client.Exchange(ctx, id), nil",
    text: "The error of the second attempt is lost here.",
  }),
  comment({
    id: "k3",
    path: "internal/auth/store.go",
    state: "suggested",
    origin: "agent",
    start: 14,
    end: 14,
    text: "Say what it shares.",
  }),
];

const review = (name: string, now: Partial<AgentReview> | undefined, more: Partial<Shot> = {}): Shot =>
  shot(
    name,
    { story: turn() },
    {
      reference: "16c-review-states",
      data: reviewData(() => sample()),
      later: now && [{ agentReview: { id: "r1", chatId, state: "done", ...now } }],
      act: opened,
      ...more,
    },
  );

const ask = async (page: Page) => {
  await opened(page);
  await page.getByRole("button", { name: "Review options" }).click();
  await page.getByRole("menuitem", { name: "Ask Copilot for a review…" }).click();
  await page.getByRole("dialog", { name: "Ask Copilot for a review" }).waitFor();
};

export const shots: Shot[] = [
  review("16f-review-ask", undefined, { act: ask }),
  review(
    "16f-review-suggested",
    { comments: 3, otherComments: 1 },
    {
      data: { ...reviewData(() => sample()), ...commented(suggested) },
      act: async (page) => {
        await opened(page);
        await page.getByRole("article", { name: "Suggestion on lines 41 to 42" }).waitFor();
        await page.getByText("Copilot suggests 3 comments").waitFor();
      },
    },
  ),
  review(
    "16f-review-asked",
    { state: "running" },
    {
      act: async (page) => {
        await opened(page);
        await page.getByText("Copilot is reviewing the changes…").waitFor();
      },
    },
  ),
  review(
    "16f-review-failed",
    { state: "failed", message: "Copilot declined this request." },
    {
      act: async (page) => {
        await opened(page);
        await page.getByText("The review failed. Copilot declined this request.").waitFor();
      },
    },
  ),
];
