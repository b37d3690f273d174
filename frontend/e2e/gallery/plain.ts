// Screens that show a turn's work without delegation: its activity lines, the live line, the summary, and
// the notice after a rejection.

import type { Page } from "playwright-core";
import type { Event, Tool } from "../../src/state/types";
import { message } from "./message";
import { ollama } from "./shell";
import { now, type Shot } from "./shot";
import { at, root, Story, shot } from "./transcript";

const ask = "Make `greet` polite and give an empty name an answer, too. Add a test. @main.go";
const first = "`greet` joins two strings without a comma or an ending. I add both, and an answer for nobody.";
const diff = `@@ -11,2 +11,6 @@
 func greet(name string) string {
-	return "hello " + name
+	// An empty name is a visitor we do not know yet.
+	if name == "" {
+		return "Hello there."
+	}
+	return "Hello, " + name + "."
`;

const call = (
  story: Story,
  clock: string,
  kind: Tool["kind"],
  more: Partial<Tool> & { took?: number } = {},
) => {
  const { took = 300, ...tool } = more;
  const began = at(clock);
  const open = tool.status === "pending" || tool.status === "in_progress";
  return story.tool(kind, {
    ...tool,
    item: { createdAt: began, endedAt: open ? undefined : began + took, open },
  });
};

const path = (name: string) => `${root}/${name}`;

function edit(
  story: Story,
  clock: string,
  name: string,
  added: number,
  removed: number,
  more: Partial<Tool> = {},
) {
  const item = call(story, clock, "edit", { path: path(name), ...more });
  story.content(item, "diff", name === "main.go" ? diff : "", { added, removed, path: path(name) });
  return item;
}

function thought(story: Story, clock: string, took: number) {
  const began = at(clock);
  const item = story.item({ kind: "thought", createdAt: began, endedAt: began + took });
  story.text(item, "The greeting needs a comma, and nobody needs a name.");
}

/** looks adds the reads of `files` files and up to two searches to a turn. */
function looks(story: Story, files: number) {
  for (let n = 0; n < files; n++) {
    call(story, "14:02", "read", {
      path: path(`internal/greet/file${n}.go`),
      fact: message("%d lines", 112),
    });
    if (n < 2)
      call(story, "14:02", "search", { title: "greet(", command: "greet(", fact: message("%d matches", 5) });
  }
}

/** Two turns, one finished and one running. */
const work = () => {
  const story = new Story()
    .turn({
      startedAt: at("14:02"),
      endedAt: at("14:02") + 58_000,
      usage: { input: 17_200, output: 1200 },
    })
    .session();
  story.user("14:02", ask);
  thought(story, "14:02", 6000);
  looks(story, 4);
  story.says("14:02", first);
  edit(story, "14:02", "main.go", 5, 1);
  edit(story, "14:02", "main_test.go", 18, 0);
  const test = call(story, "14:02", "execute", { command: "go test ./...", exitCode: 1, took: 2400 });
  story.content(
    test,
    "terminal",
    '\u001b[31m--- FAIL: TestGreet/spaces (0.00s)\u001b[0m\n    main_test.go:14: greet("  ") = "Hello,   .", want "Hello there."\n',
    { lines: 2 },
  );
  story.says("14:03", "A name of only spaces slips through, so I trim it first.");
  edit(story, "14:03", "main.go", 3, 0);
  call(story, "14:03", "execute", { command: "go test ./...", took: 1900 });
  story.says("14:03", "`greet` now says “Hello, Ana.” and, to nobody, “Hello there.” Three cases test it.");

  story.turn({ id: "t2", state: "running", startedAt: now - 31_000, endedAt: undefined });
  story.user("14:05", "Does it hold up under the race detector? Say so in the README.");
  call(story, "14:03", "search", { title: "race", command: "race", fact: message("%d matches", 3) });
  edit(story, "14:03", "README.md", 6, 0);
  story.tool("execute", {
    command: "go test -race ./...",
    status: "in_progress",
    item: { createdAt: now - 12_000, endedAt: undefined, open: true },
  });
  return story;
};

const rejected = () => {
  const story = new Story()
    .turn({
      state: "stopped",
      stopReason: "cancelled",
      startedAt: at("14:02"),
      endedAt: at("14:02") + 36_000,
      usage: { input: 8600, output: 600 },
    })
    .session();
  story.user("14:02", ask);
  thought(story, "14:02", 6000);
  looks(story, 4);
  story.says("14:02", first);
  edit(story, "14:02", "main.go", 5, 1);
  story.says("14:03", "Now a test for both cases.");
  edit(story, "14:02", "main_test.go", 18, 0, {
    status: "failed",
    decision: "rejected",
    decidedBy: { kind: "user", at: at("14:02") + 35_000 },
  });
  return story;
};

const retried = () => {
  const story = new Story()
    .turn({
      state: "failed",
      startedAt: at("14:11"),
      endedAt: at("14:12"),
      error: {
        code: "model",
        message: message(
          "%s stopped answering. %d attempts failed, the last with “%s”. Check that it's running on %s and has enough memory for %s, or choose a smaller model.",
          "Ollama",
          "6",
          "model runner has unexpectedly stopped",
          "localhost:11434",
          "qwen3-coder:30b",
        ),
      },
    })
    .session();
  story.user("14:11", "Why does the upload test fail only on Fridays?");
  thought(story, "14:11", 3000);
  looks(story, 5);
  story.says(
    "14:12",
    "The test takes the name of its upload from the weekday, and the fixture only knows Monday to Thursday. On a Friday the lookup therefore",
    { cutOff: true },
  );
  for (let n = 0; n < 5; n++) {
    story.item({
      kind: "note",
      createdAt: at("14:12") + n * 14_000,
      retry: { reason: "model runner has unexpectedly stopped", tookMs: 14_400, of: 5 },
    });
    story.events.push({
      text: {
        itemId: story.events.at(-1)?.item?.id ?? "",
        chatId: "refresh",
        offset: 0,
        text: "Info: trying again",
        size: 18,
      },
    });
  }
  return story;
};

/** Every kind of activity line, in one turn. */
const lines = () => {
  const story = new Story()
    .turn({ state: "interrupted", startedAt: at("14:00"), endedAt: at("14:00") + 80_000 })
    .session();
  story.user("14:00", "Do all of it.");
  call(story, "14:00", "read", { path: path("main.go") });
  edit(story, "14:00", "main.go", 5, 1);
  edit(story, "14:00", "internal/flight/flight.go", 24, 0, { creates: true });
  const gone = call(story, "14:00", "delete", { path: path("internal/log/global.go") });
  story.content(gone, "diff", "", { removed: 22, path: path("internal/log/global.go") });
  story.says("14:00", "Next.");
  call(story, "14:00", "move", { path: path("hooks/invoice.go"), to: path("hooks/billing.go") });
  call(story, "14:00", "search", { title: "s.cache", command: "s.cache", fact: message("%d matches", 3) });
  call(story, "14:00", "execute", { command: "go test ./...", took: 1900 });
  call(story, "14:00", "fetch", { title: "https://pkg.go.dev/golang.org/x/sync", fact: "18 KB" });
  call(story, "14:00", "other", { title: "github, list_issues", fact: message("%d items", 12) });
  thought(story, "14:00", 6000);
  call(story, "14:00", "execute", { command: "go vet ./...", exitCode: 1, took: 800 });
  call(story, "14:00", "edit", {
    path: path("main.go"),
    status: "failed",
    fact: "the text to replace is not there",
  });
  call(story, "14:00", "execute", { command: "npm run serve", signal: "SIGKILL", took: 41_000 });
  call(story, "14:00", "execute", {
    command: "rm -rf dist",
    status: "failed",
    decision: "rejected",
    decidedBy: {
      kind: "rule",
      at: at("14:00"),
      rule: { kind: "command", folder: root, command: "rm -rf dist" },
    },
  });
  call(story, "14:00", "edit", {
    path: path("main_test.go"),
    status: "failed",
    decision: "rejected",
    decidedBy: { kind: "user", at: at("14:00"), reason: "Use subtests instead, one per case" },
  });
  story.says("14:00", "On with it.");
  for (const name of ["a", "b", "c", "d", "e", "f"]) edit(story, "14:00", `internal/${name}.go`, 8, 2);
  for (let n = 0; n < 5; n++) call(story, "14:00", "execute", { command: `go test ./p${n}`, took: 2400 });
  call(story, "14:00", "execute", { command: "go build ./...", status: "cancelled" });
  return story;
};

const openTwo = async (page: Page) => {
  await page.getByRole("button", { name: "Edited main.go, 5 added, 1 removed" }).click();
  await page.getByRole("button", { name: "Ran go test ./..., exit 1, 2.4 s" }).click();
  await page.locator(".diff .dl").first().waitFor();
  await page.locator(".out").first().waitFor();
  await page.mouse.move(640, 20);
  await page.locator(".turn-foot[data-state=running]").first().waitFor();
};

/** A chat that uses the user's own model. */
const withModel: Event = {
  chat: {
    id: "refresh",
    title: "Flaky upload test",
    folder: root,
    providerId: ollama.id,
    permissionMode: "ask",
    turnState: "failed",
    createdAt: now,
    updatedAt: now,
  },
};

export const shots: Shot[] = [
  shot("29-plain-work", { story: work(), running: true }, { size: [1280, 1004], act: openTwo }),
  shot("29b-plain-rejected", { story: rejected() }),
  shot("29d-retry-error", {
    story: retried(),
    more: [{ provider: { ...ollama, model: "qwen3-coder:30b" } }, withModel],
  }),
  shot("29e-plain-work-narrow", { story: work(), running: true }, { size: [720, 480] }),
  shot(
    "29h-plain-states",
    { story: lines() },
    {
      size: [1280, 1100],
      act: async (page) => {
        await page.getByRole("button", { name: "You rejected editing main_test.go" }).waitFor();
      },
    },
  ),
];
