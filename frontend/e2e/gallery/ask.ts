// Screens of questions to the user: choices, a form, several questions, and answered ones.

import type { Page } from "playwright-core";
import type { Permission, Question } from "../../src/state/types";
import { message } from "./message";
import { now, type Shot } from "./shot";
import { plan, Story, request as said, shot } from "./transcript";

const narrow = [480, 800] as const;

/** asking returns a running turn with the given questions. They are open, and their rows are in progress. */
function asking(...questions: Question[]): Story {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", said).says("14:02", plan);
  questions.forEach((question, at) => {
    const row = story.tool(kindOf(question), {
      title: question.text,
      status: "in_progress",
      item: { open: true, createdAt: now - 18_000 + at },
    });
    story.ask({ ...asked(question), itemId: row.id, createdAt: now - 18_000 + at });
  });
  return story;
}

const kindOf = (question: Question) => (question.plan ? "plan" : "ask");

const asked = (question: Question): Partial<Permission> => ({
  kind: kindOf(question),
  title: question.text,
  options: [],
  question,
});

const wait: Question = {
  text: "How long should late callers wait for the first one?",
  freeText: true,
  choices: [
    { label: "10 seconds", description: "The same as the client timeout", suggested: true },
    { label: "No limit", description: "As long as the caller itself waits" },
    { label: "Make it a setting", description: "AUTH_REFRESH_WAIT, 10 s unless set" },
  ],
};

const database: Question = {
  text: "Details for the new database",
  fields: [
    {
      name: "name",
      title: "Name",
      kind: "text",
      required: true,
      pattern: "^[a-z0-9-]+$",
      default: ["Orbit Staging"],
    },
    { name: "size", title: "Size in GB", kind: "integer", required: true, min: 5, max: 500, default: ["20"] },
    {
      name: "region",
      title: "Region",
      kind: "one",
      required: true,
      default: ["Frankfurt"],
      options: ["Frankfurt", "Virginia", "Oregon", "Singapore", "São Paulo"].map((title) => ({
        value: title,
        title,
      })),
    },
    {
      name: "extensions",
      title: "Extensions",
      kind: "some",
      default: ["pgvector", "pg_trgm"],
      options: ["pgvector", "postgis", "pg_trgm"].map((title) => ({ value: title, title })),
    },
    { name: "backup", title: "Daily backup", kind: "boolean", default: ["true"] },
    { name: "mail", title: "Owner email", kind: "text", format: "email" },
  ],
};

const tests: Question = {
  text: "Which parts should have tests?",
  several: true,
  freeText: true,
  choices: [{ label: "The refresh" }, { label: "The logger" }, { label: "The client" }],
};

const site: Question = {
  text: "Open sentry.io to sign in",
  elicited: true,
  page: {
    id: "e",
    before: "https://",
    host: "sentry.io",
    after:
      "/oauth/authorize?client_id=mcp-4f81&redirect_uri=http%3A%2F%2F127.0.0.1%3A43117%2Fdone&scope=event%3Aread+project%3Aread&state=9b2c71",
  },
};

const lookalike: Question = {
  text: "Open sentry.io to sign in",
  elicited: true,
  page: {
    id: "e",
    before: "https://",
    host: "xn--sentr-uva.io",
    after: "/oauth/authorize?client_id=mcp-4f81",
    doubts: [message("Browsers show it as %s. One of its letters looks like %s.", "sentrý.io", "y")],
  },
};

/** wrong makes the form show an error for the name. */
async function wrong(page: Page) {
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.focus();
  await page.evaluate(() => {
    const { main } = (window as never as { go: { main: { App: Record<string, unknown> } } }).go;
    const others = main.App;
    const problems = [{ name: "name", message: "Use small letters, numbers and hyphens." }];
    main.App = new Proxy(
      {},
      { get: (_, method: string) => (method === "CheckAnswer" ? async () => problems : others[method]) },
    );
  });
  await name.blur();
  await page.getByText("Use small letters").waitFor();
  await name.focus();
}

const refresh: Question = {
  text: "Fix the token refresh race",
  plan: [
    "1. Share one exchange per account `internal/auth/refresh.go`",
    "2. Stop after 10 s",
    "3. Test with 20 goroutines that one request is made `refresh_test.go`",
    "4. Pass a Logger through the server and the store `internal/log`, `internal/server`",
    "5. Remove the package-level logger `internal/log/global.go`",
    "6. Run the whole test suite `go test ./...`",
  ].join("\n"),
};

const prose: Question = {
  text: "",
  plan: "## Cause\n\nTwo tabs refresh the same token, and the **slower one** presents a token that was already rotated.\n\n## Fix\n\n- Share the exchange\n  ```go\n  group.Do(account, exchange)\n  ```\n- Test it\n\nThe logger stays for a later change.",
};

/** Edits the second step, like the reference. */
async function editStep(page: Page) {
  await page.getByRole("listitem").filter({ hasText: "Stop after 10 s" }).hover();
  await page.getByRole("button", { name: "Edit step 2" }).click();
  await page
    .getByRole("textbox", { name: "Step 2" })
    .fill("Stop after 10 s, even if the first caller gives up");
  await page.getByRole("listitem").filter({ hasText: "Test with 20" }).hover();
}

/** Comments on a step and asks for changes. */
async function askForChanges(page: Page) {
  await page.getByRole("listitem").filter({ hasText: "Remove the package" }).hover();
  await page.getByRole("button", { name: "Comment on step 5" }).click();
  await page.getByRole("textbox", { name: "Comment on step 5" }).fill("In a change of its own, please.");
  await page.waitForTimeout(600); // the card ignores input at first
  await page.getByRole("button", { name: "Ask for changes…" }).click();
  await page.getByRole("textbox", { name: "What should change?" }).fill("Leave the logger as it is.");
}

/** Questions that are no longer open, at least one for each outcome. */
const answered = () => {
  const story = new Story().turn({ startedAt: now - 400_000, endedAt: now }).session();
  story.user("14:02", said);
  const row = (
    question: Question,
    status: "completed" | "failed" | "cancelled",
    fact?: Parameters<typeof message>,
  ) => {
    const item = story.tool(kindOf(question), {
      title: question.text,
      status,
      ...(fact ? { fact: message(...fact) } : {}),
      ...(question.page ? { command: question.page.host } : {}),
      ...(status === "cancelled" ? { decision: "closed" as const } : {}),
    });
    story.ask({ ...asked(question), itemId: item.id, state: status === "completed" ? "decided" : "closed" });
  };
  row({ ...wait, outcome: "answered", answer: { choices: [0] } }, "completed", [
    "you answered: %s",
    "10 seconds",
  ]);
  row({ ...database, outcome: "answered" }, "completed", ["you sent %d answers", 5]);
  row({ ...site, outcome: "answered" }, "completed", ["opened"]);
  row(
    {
      ...refresh,
      outcome: "answered",
      answer: {
        plan: { decision: "approved", text: refresh.plan?.split("\n").slice(0, 3).join("\n") ?? "" },
      },
    },
    "completed",
    ["you approved it with your changes"],
  );
  row({ text: "Rename the webhooks", plan: "1. Rename\n2. Test", outcome: "away" }, "failed", [
    "no answer in %d min",
    10,
  ]);
  row({ text: "Which region?", outcome: "skipped" }, "completed", ["you skipped this"]);
  row({ text: "Which branch?", outcome: "away" }, "failed", ["no answer in %d min", 10]);
  row({ text: "Which license?", outcome: "closed" }, "cancelled");
  story.says("14:03", "I used `main` and left the license as it is.");
  return story;
};

const running = (name: string, story: Story, more: Partial<Shot> = {}) =>
  shot(name, { story, running: true }, more);

export const shots: Shot[] = [
  running("20-question", asking(wait)),
  running("20-question-narrow", asking(wait), { size: narrow }),
  running("20e-question-several", asking(tests), { reference: "20-question" }),
  running("20f-questions", asking(wait, tests, { text: "Which branch?", freeText: true }), {
    reference: "20-question",
    act: (page) => page.getByRole("button", { name: "Next question" }).click(),
  }),
  running("20b-question-form", asking(database), { act: wrong }),
  running("20b2-question-form-narrow", asking(database), { reference: "20b-question-form", size: narrow }),
  running("20c-question-url", asking(site)),
  running("20c2-question-url-odd", asking(lookalike), { reference: "20c-question-url" }),
  running("20c3-question-url-sure", asking(lookalike), {
    reference: "20c-question-url",
    act: async (page) => {
      await page.waitForTimeout(600); // the card ignores input at first
      await page.getByRole("button", { name: "Open anyway…" }).click();
      await page.getByRole("alert").getByText("anyway?").waitFor();
    },
  }),
  running("20c4-questions", asking(site, tests, wait), {
    reference: "20c-question-url",
    act: (page) => page.getByRole("button", { name: "Next question" }).click(),
  }),
  running("20h-question-confirm", asking({ text: "Delete the branch fix-refresh?", elicited: true }), {
    reference: "20-question",
  }),
  running("20d-plan-card", asking(refresh), { act: editStep }),
  running("20d2-plan-changes", asking(refresh), { reference: "20d-plan-card", act: askForChanges }),
  running("20d3-plan-prose", asking(prose), { reference: "20d-plan-card" }),
  running("20d4-plan-text", asking(refresh), {
    reference: "20d-plan-card",
    act: (page) => page.getByRole("button", { name: "Edit as text" }).click(),
  }),
  running("20d5-plan-narrow", asking(refresh), { reference: "20d-plan-card", size: narrow }),
  shot("20g-answered", { story: answered() }, { reference: "20c-question-url" }),
];
