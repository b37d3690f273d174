// Screens of the inspector: changes, terminal and protocol, including empty ones and ones with extreme
// amounts of content.

import type { Page } from "playwright-core";
import { defaultSettings } from "../../src/state/state";
import type { Blame, Changes, FileDiff, ProtocolMessage, RanCommand } from "../../src/state/types";
import { message } from "./message";
import { now, type Shot } from "./shot";
import { at, fixed, openChat, plan, request, root, Story, shot, streaming } from "./transcript";

const on = (tab: string) => ({ ...openChat, "voxpilot.inspector": tab, "voxpilot.inspector-tab": tab });

const session = (name: string) => ({
  session: {
    chatId: "refresh",
    name,
    acpId: name,
    cwd: root,
    state: "loaded" as const,
    hadPrompt: true,
    createdAt: 1,
    usedAt: now,
  },
});
const sessions = ["auth-bug-fix", "refactor-logger", "docs-update"].map(session);

const finished = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.events.unshift(...sessions);
  story.user("14:02", request).says("14:02", plan).done("auth-bug-fix").says("14:03", fixed);
  const inside = story.block("refactor-logger", now - 126_000, "done");
  story.edit("internal/log/logger.go", 31, 4, inside);
  story.tool("execute", { command: "go test ./...", item: inside });
  return story.says(
    "14:06",
    "The logger is now passed in from `main.go`; the field names did not change and the whole suite passes. Look at `refresh.go` first, that is where the behaviour changed.",
  );
};
/** A running answer of an agent that reports its plan. */
const planning = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 90_000 }).session();
  story.user("14:02", request).says("14:02", plan);
  story.item({
    kind: "plan",
    open: true,
    plan: [
      { content: "Share one exchange per account", status: "completed" },
      { content: "Stop after 10 s, even if the first caller gives up", status: "in_progress" },
      { content: "Test with 20 goroutines that one request is made", status: "pending" },
    ],
  });
  story.edit("internal/auth/refresh.go", 31, 6);
  return story;
};
const running = () => {
  const story = streaming();
  story.events.unshift(...sessions);
  return story;
};

const file = (
  name: string,
  added: number,
  removed: number,
  kind: "edited" | "added" | "removed" = "edited",
) => ({
  path: `${root}/${name}`,
  name,
  added,
  removed,
  kind,
  edits: 1,
  at: now,
});
const changes: Changes = {
  files: [
    file("internal/auth/refresh.go", 31, 6),
    file("internal/auth/refresh_test.go", 44, 0, "added"),
    file("internal/auth/store.go", 6, 6),
    file("internal/log/global.go", 0, 22, "removed"),
    file("internal/log/logger.go", 31, 4),
    ...["main.go", "internal/server/server.go", "internal/server/hooks.go", "internal/upload/upload.go"].map(
      (name) => file(name, 6, 3),
    ),
    file("internal/upload/resume.go", 5, 2),
    file("cmd/orbitd/main.go", 3, 1),
  ],
  added: 144,
  removed: 53,
  sessions: 2,
};
const diff: FileDiff = {
  ...file("internal/auth/refresh.go", 31, 6),
  net: true,
  size: 900,
  diff: `@@ -41,7 +41,12 @@ func (s *Store) Refresh(ctx context.Context, id string) (Token, error)
 	s.log.Info("refresh", "account", id)
-	tok, err := s.client.Exchange(ctx, id)
-	s.cache[id] = tok
-	return tok, err
+	// One exchange per account; late callers wait.
+	v, err, _ := s.flight.Do(id, func() (any, error) {
+		return s.exchange(ctx, id)
+	})
+	if err != nil {
+		return Token{}, fmt.Errorf("refresh: %w", err)
+	}
+	return v.(Token), nil
 }
 
 func (s *Store) exchange(ctx context.Context, id string) (Token, error) {
@@ -60,5 +65,5 @@ func (s *Store) exchange(ctx context.Context, id string) (Token, error)
 	tok, err := s.client.Exchange(ctx, id)
-	if err != nil && retry(err) {
+	if err != nil && s.retry(ctx, err) {
 		return s.client.Exchange(ctx, id)
 	}
 	return tok, err
`,
};

const esc = "\u001b";
const green = (text: string) => `${esc}[32m${text}${esc}[0m`;
const red = (text: string) => `${esc}[31m${text}${esc}[0m`;
const output = `${green("ok")}    orbit/cmd/orbitd          0.412s
${green("ok")}    orbit/internal/auth       1.904s
${green("ok")}    orbit/internal/hooks      0.233s
${esc}[2m?     orbit/internal/log        [no test files]${esc}[0m
${red("--- FAIL: TestUploadResume (3.00s)")}
    upload_test.go:88: ${esc}[33mtimed out after 3s${esc}[0m
    waiting for chunk 4
${red("FAIL")}  orbit/internal/upload     3.018s
${green("ok")}    orbit/internal/server     0.871s
`;
const command = (itemId: string, text: string, more: Partial<RanCommand>): RanCommand => ({
  itemId,
  session: "auth-bug-fix",
  command: text,
  status: "completed",
  contentId: itemId,
  size: output.length,
  lines: 9,
  startedAt: now - 21_000,
  endedAt: now - 2000,
  ...more,
});
const commands = [
  command("r3", "go test ./...", { session: "refactor-logger", status: "in_progress", endedAt: undefined }),
  command("r2", "go vet ./...", { exitCode: 1 }),
  command("r1", "go test ./internal/auth", { exitCode: 0 }),
];

const frames = (): ProtocolMessage[] => {
  let seq = 0;
  const list: ProtocolMessage[] = [];
  const add = (clock: string, out: boolean, size: number, body: object, more: Partial<ProtocolMessage>) =>
    list.push({ seq: ++seq, at: at(clock), out, size, body: JSON.stringify(body), ...more });
  add("14:02:07.118", true, 240, {}, { method: "initialize", id: "1" });
  add("14:02:07.402", false, 620, {}, { id: "1" });
  add("14:02:07.404", true, 90, {}, { method: "session/list", id: "2" });
  add("14:02:07.431", false, 1090, {}, { id: "2" });
  add("14:02:07.440", true, 200, {}, { method: "session/load", id: "3" });
  add("14:02:07.512", false, 110, { error: { code: -32000 } }, { id: "3", error: true });
  add("14:02:14.911", true, 90, {}, { method: "authenticate", id: "4" });
  add("14:02:15.066", false, 60, {}, { id: "4" });
  add("14:02:15.070", true, 200, {}, { method: "session/load", id: "5" });
  const update = (sessionUpdate: string) => ({ params: { update: { sessionUpdate } } });
  add("14:02:15.388", false, 400, update("tool_call"), { method: "session/update" });
  const asked = {
    sessionId: "8822e509-81b4",
    toolCall: { kind: "edit", status: "pending", title: "Edit refresh.go" },
    options: [{ optionId: "allow_once" }],
  };
  add("14:02:16.902", false, 1300, asked, { method: "session/request_permission", id: "a1" });
  add("14:02:21.344", true, 100, {}, { id: "a1" });
  add("14:02:21.360", false, 200, update("tool_call_update"), { method: "session/update" });
  add("14:02:23.001", false, 100, update("agent_message_chunk"), { method: "session/update" });
  return list;
};

const data: Record<string, unknown> = {
  changes,
  diff,
  commands: { commands },
  "put-back": { parts: [] },
  protocol: { frames: frames() },
  "agent-sessions": {
    sessions: [
      { acpId: "8822e509", title: "Fix the flaky upload test", cwd: root, updatedAt: now - 7_200_000 },
      { acpId: "1c9d20aa", title: "Write release notes for 2.4", cwd: root, updatedAt: now - 90_000_000 },
      { acpId: "7f2a986d", title: "", cwd: root, updatedAt: now - 900_000_000 },
    ],
  },
};
const nothing = {
  changes: { files: [], added: 0, removed: 0, sessions: 0 },
  commands: { commands: [] },
  "put-back": { parts: [] },
  protocol: { frames: [] },
};
const bodies = { r1: output, r2: output, r3: output };

const openMessage = (page: Page) =>
  page.getByRole("button", { name: "session/request_permission", exact: true }).click();
const split = { settings: { ...defaultSettings, motion: "reduced", setupDone: true, splitDiff: true } };

const inspected = (name: string, tab: string, more: Partial<Shot> = {}, made = running()) =>
  shot(
    name,
    { story: made, running: made !== undefined },
    { data, localStorage: on(tab), ...more, contents: { ...made.contents, ...bodies } },
  );
const empty = (name: string, tab: string) =>
  shot(name, { story: new Story().session({ used: 0 }) }, { data: nothing, localStorage: on(tab) });

/** Changes to an extremely large number of files. */
const manyFiles: Changes = {
  files: Array.from({ length: 3000 }, (_, n) => file(`generated/part-${n % 40}/file-${n}.json`, n, n % 7)),
  added: 4_498_500,
  removed: 8998,
  sessions: 1,
};
const longDiff: FileDiff = {
  ...diff,
  net: false,
  message: message("The file was also changed outside Copilot, so Copilot's changes are shown one by one."),
  cut: true,
  size: 9_400_000,
  diff: `@@ -1,1 +1,20000 @@\n-x\n${Array.from({ length: 20_000 }, (_, n) => `+\t"line ${n}": "\u202e${"value ".repeat(n % 60)}",\n`).join("")}`,
};

const blamedLines = [
  "// Refresh exchanges the token of an account.",
  "func (s *Store) Refresh(ctx context.Context, id string) (Token, error) {",
  '\ts.log.Info("refresh", "account", id)',
  "\t// One exchange per account; late callers wait.",
  "\tv, err, _ := s.flight.Do(id, func() (any, error) {",
  "\t\treturn s.exchange(ctx, id)",
  "\t})",
  "\tif err != nil {",
  '\t\treturn Token{}, fmt.Errorf("refresh: %w", err)',
  "\t}",
  "\treturn v.(Token), nil",
  "}",
  "",
  "// TODO: measure this.",
];
const wrote = (n: number, prompt: string) => ({
  kind: "turn" as const,
  turnId: `t${n}`,
  chatId: "refresh",
  chat: "Fix flaky token refresh",
  at: at("14:02"),
  prompt,
  itemId: `i${n}`,
  pos: n,
});
/** A file that was changed by two messages, by the user and by undoing a part of a change. */
const blamed: Blame = {
  path: `${root}/internal/auth/refresh.go`,
  text: `${blamedLines.join("\n")}\n`,
  recorded: true,
  spans: [
    { lines: 2, by: [0] },
    { lines: 1, by: [4] },
    { lines: 4, by: [1] },
    { lines: 2, by: [2] },
    { lines: 1, by: [2, 0] },
    { lines: 2, by: [1] },
    { lines: 2, by: [3] },
  ],
  writers: [
    { kind: "earlier" },
    wrote(1, "Fix the flaky refresh. Two callers must not exchange the same token."),
    wrote(2, "Wrap the error"),
    { kind: "outside" },
    { kind: "putBack" },
  ],
};
const notRecorded: Blame = {
  ...blamed,
  recorded: false,
  spans: [{ lines: blamedLines.length, by: [0] }],
  writers: [{ kind: "earlier" }],
};
const longBlame: Blame = {
  ...blamed,
  text: Array.from({ length: 20_000 }, (_, n) => `\t"line ${n}": "${"value ".repeat(n % 60)}",\n`).join(""),
  spans: Array.from({ length: 10_000 }, (_, n) => ({ lines: 2, by: n % 3 === 0 ? [2, 1, 0, 3] : [n % 5] })),
};
const blameShot = (name: string, answer: Blame | undefined, width = "560"): Shot =>
  shot(
    name,
    { story: finished() },
    {
      reference: "04-inspector-changes",
      data: { ...data, blame: answer },
      localStorage: { ...on("changes"), "voxpilot.inspector-width": width },
      size: [1600, 900],
      act: async (page) => {
        await page.unroute("**/data/blame?*"); // an earlier picture may have set a route
        if (!answer) await page.route("**/data/blame?*", (route) => route.fulfill({ body: "" }));
        await page.getByRole("button", { name: "Blame", exact: true }).click();
        if (!answer) await page.getByText("Couldn't load this.").waitFor();
        else if (answer.text === "") await page.getByText("This file is empty.").waitFor();
        else await page.getByRole("region", { name: "Blame for internal/auth/refresh.go" }).waitFor();
      },
    },
  );

export const shots: Shot[] = [
  shot("04-inspector-changes", { story: finished() }, { data, localStorage: on("changes") }),
  shot(
    "04h-inspector-plan",
    { story: planning(), running: true },
    { reference: "04-inspector-changes", data, localStorage: on("changes") },
  ),
  shot(
    "04a-inspector-split",
    { story: finished(), more: [split] },
    { data, localStorage: { ...on("changes"), "voxpilot.inspector-width": "860" }, size: [1600, 900] },
  ),
  shot(
    "04a2-inspector-changes-long",
    { story: finished() },
    { data: { ...data, changes: manyFiles, diff: longDiff }, localStorage: on("changes") },
  ),
  shot(
    "04a3-inspector-wrapped",
    { story: finished() },
    {
      data: { ...data, diff: longDiff },
      localStorage: on("changes"),
      act: (page) => page.getByRole("button", { name: "Wrap long lines" }).click(),
    },
  ),
  empty("04a4-inspector-changes-empty", "changes"),
  (() => {
    const made = running();
    // The command shown in the terminal is the one that is running in the transcript, so it can be
    // stopped.
    const item = made.events.find((each) => each.item?.tool?.status === "in_progress")?.item?.id ?? "";
    const [newest, ...others] = commands as [RanCommand, ...RanCommand[]];
    const ran = { commands: [{ ...newest, itemId: item, contentId: "r3" }, ...others] };
    return inspected("04c-inspector-terminal", "terminal", { data: { ...data, commands: ran } }, made);
  })(),
  empty("04c2-inspector-terminal-empty", "terminal"),
  inspected("04f-inspector-put-back", "changes", {
    reference: "04-inspector-changes",
    data: {
      ...data,
      "put-back": {
        parts: [{ id: "p", path: "internal/auth/refresh.go", at: at("14:09"), added: 2, removed: 1 }],
      },
    },
  }),
  blameShot("04g-inspector-blame", blamed),
  blameShot("04g2-inspector-blame-empty", { ...blamed, text: "", spans: [], writers: [] }),
  blameShot("04g3-inspector-blame-not-recorded", notRecorded),
  blameShot("04g4-inspector-blame-failed", undefined),
  blameShot("04g5-inspector-blame-long", longBlame, "860"),
  inspected("04d-inspector-protocol", "protocol", { act: openMessage }),
  empty("04d2-inspector-protocol-empty", "protocol"),
  inspected("04d3-inspector-protocol-paused", "protocol", {
    act: (page) => page.getByRole("button", { name: "Pause log" }).click(),
  }),
  inspected("04b5-inspector-continue", "sessions", {
    act: (page) => page.getByRole("button", { name: "Continue another session…" }).click(),
  }),
  inspected("04b6-inspector-processes", "sessions", {
    processes: [
      {
        chatId: "refresh",
        id: "a1",
        pid: 4711,
        parentPid: 1,
        command: "copilot --acp --no-color",
        memory: 214_000_000,
        isAgent: true,
        startedAt: now - 372_000,
      },
      {
        chatId: "refresh",
        id: "term_1",
        pid: 4802,
        parentPid: 4711,
        command: "go build ./...",
        memory: 61_000_000,
        startedAt: now - 3000,
      },
      {
        chatId: "refresh",
        pid: 4803,
        parentPid: 4802,
        command: "compile -p main",
        memory: 38_000_000,
        startedAt: now - 2000,
      },
    ],
    act: (page) => page.getByRole("button", { name: "Processes" }).click(),
  }),
  shot(
    "10d-narrow-inspector",
    { story: finished() },
    {
      data,
      localStorage: on("changes"),
      size: [720, 480],
      act: (page) => page.getByRole("button", { name: "Inspector" }).click(),
    },
  ),
];
