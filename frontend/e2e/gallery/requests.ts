// Screens of permission requests of every kind, each with its own title and preview, and of answered
// requests.

import type { Permission, Tool } from "../../src/state/types";
import { now, type Shot } from "./shot";
import { root, Story, shot } from "./transcript";

/** permissionFor returns a chat in which a session is waiting for the answer to one permission request. */
const permissionFor = (
  tool: Partial<Tool> & Pick<Tool, "kind">,
  more: Partial<Permission> = {},
  preview?: string,
) => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", "Tidy up what is left of the old logger, and write down what was decided.");
  const inside = story.block("docs-update", now - 16_000, "running");
  const row = story.tool(tool.kind, { ...tool, status: "pending", item: inside });
  const content = preview === undefined ? undefined : story.content(row, "text", preview);
  return story.ask({
    session: "docs-update",
    turnId: inside.turnId,
    itemId: row.id,
    kind: tool.kind,
    title: tool.title ?? "",
    path: tool.path,
    to: tool.to,
    contentId: content?.id,
    ...more,
  });
};

const request = (name: string, story: Story): Shot =>
  shot(`02e-permission-${name}`, { story, running: true }, { reference: "02-permission" });
const inFolder = { scope: { kind: "edits" as const, folder: root } };
const once = { id: "once", kind: "allow_once", name: "Allow once" } as const;
const no = { id: "no", kind: "reject_once", name: "Deny" } as const;

/** A request of unknown kind that runs a command and changes a file. */
const both = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", "Tidy up what is left of the old logger.");
  const path = `${root}/internal/log/log.go`;
  const row = story.tool("other", { title: "tidy-up", status: "pending" });
  const line = "rm -rf internal/log/old && gofmt -w internal/log";
  const command = story.content(row, "command", line, { id: "both-command" });
  const diff = story.content(
    row,
    "diff",
    "@@ -3,2 +3,2 @@\n package log\n-var global = New()\n+var std = New()\n",
    {
      id: "both-change",
      path,
      added: 1,
      removed: 1,
    },
  );
  return story.ask({
    itemId: row.id,
    kind: "other",
    title: "tidy-up",
    contentId: command.id,
    files: [{ path, contentId: diff.id }],
    marks: [{ kind: "delete", start: 0, end: 23, part: "rm -rf", of: ["internal/log/old"], files: 12 }],
  });
};

/** Rows of requests that are no longer open, one for each decision. */
const answered = () => {
  const story = new Story().turn().session();
  story.user("14:02", "Show me what was decided.");
  const inside = story.block("docs-update", now - 41_000, "failed");
  const row = (command: string, more: Partial<Tool>) =>
    story.tool("execute", { command, item: inside, ...more });
  row("go vet ./...", { decision: "allowed_once" });
  row("go test ./...", { decision: "always_allowed" });
  row("gofmt -l .", { decision: "auto_allowed" });
  row("git push", { status: "failed", decision: "rejected" });
  row("make release", { status: "failed", decision: "closed" });
  return story;
};

export const shots: Shot[] = [
  request("delete", permissionFor({ kind: "delete", path: `${root}/internal/log/global.go` }, inFolder)),
  request(
    "move",
    permissionFor(
      { kind: "move", path: `${root}/hooks/invoice.go`, to: `${root}/hooks/billing.go` },
      inFolder,
    ),
  ),
  request(
    "use",
    permissionFor({ kind: "other", title: "github-mcp-server, list_issues" }, {}, '{"state": "open"}'),
  ),
  request("outside", permissionFor({ kind: "read", path: "/etc/hosts" }, { outside: true })),
  request(
    "open",
    permissionFor(
      { kind: "fetch", title: "pkg.go.dev/log/slog" },
      {
        title: "Fetch https://pkg.go.dev/log/slog",
        scope: { kind: "host", folder: root, command: "pkg.go.dev" },
      },
    ),
  ),
  request(
    "protected",
    permissionFor(
      { kind: "edit", path: `${root}/.github/hooks/format.json` },
      {
        protected: "session",
        scope: { kind: "edits", folder: root, command: `${root}/.github/hooks/format.json` },
      },
    ),
  ),
  request(
    "always-reject",
    permissionFor(
      { kind: "edit", path: `${root}/deploy/prod.yaml` },
      { options: [once, no, { id: "never", kind: "reject_always", name: "Never" }] },
    ),
  ),
  request(
    "unknown",
    permissionFor(
      { kind: "edit", path: `${root}/deploy/prod.yaml` },
      // A later protocol version may add option kinds unknown to this one.
      {
        options: [
          once,
          { id: "hour", kind: "allow_hour" as typeof once.kind, name: "Allow for an hour" },
          no,
        ],
      },
    ),
  ),
  request("both", both()),
  request(
    "in-folder",
    permissionFor(
      { kind: "execute", title: "npm test", command: "cd vendor/parser && CI=1 npm test" },
      { command: "cd vendor/parser && CI=1 npm test" },
    ),
  ),
  request(
    "unclear",
    permissionFor(
      { kind: "execute", title: "git log", command: "git log" },
      {
        command: "git log",
        marks: [{ kind: "unclear", start: 0, end: 0, part: "commands", of: ['["rm -rf vendor"]'] }],
      },
    ),
  ),
  request(
    "only-always",
    permissionFor(
      { kind: "edit", path: `${root}/deploy/prod.yaml` },
      { options: [{ id: "always", kind: "allow_always", name: "Always" }, no] },
    ),
  ),
  shot("13g-decided", { story: answered() }, { reference: "13-states" }),
];
