import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import type { JSX } from "solid-js";
import { beforeEach, expect, test, vi } from "vitest";
import type { Rule } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser, stubFolders } from "../../testing";
import { Attachments } from "../composer/Attachments";
import type { Completion } from "../composer/completion";
import { List } from "../composer/List";
import { pathParts } from "../composer/marks";
import { FolderField } from "../firstrun/FolderField";
import { ChangedFiles, FileName } from "../inspector/ChangedFiles";
import { Processes } from "../inspector/Processes";
import { pieces } from "../palette/entries";
import { Audit } from "../settings/Audit";
import { Rules, ruleNames } from "../settings/Rules";
import { ChatRow } from "../shell/ChatRow";
import { Diff } from "../transcript/Diff";

// A name disguised as another file type, with a zero-width space.
const hostile = "photo\u202Egpj\u200B.exe";
const hidden = /[\u202E\u200B]/;

const rule: Rule = {
  id: "r",
  effect: "allow",
  scope: { kind: "command", folder: `/code/${hostile}`, command: hostile },
  createdAt: 1,
};

beforeEach(() => {
  stubBrowser();
  resetState(chatEvent("c", { title: hostile, detail: hostile, turnState: "running" }));
});

/**
 * expectNamed checks that the rendered page, including tooltips and accessible names, contains no
 * invisible characters.
 */
function expectNamed(): void {
  const drawn = document.body.innerHTML;
  expect(drawn).toContain("U+202E");
  expect(drawn).not.toMatch(hidden);
}

const chat = () =>
  chatEvent("c", { title: hostile, detail: hostile }).chat as NonNullable<
    ReturnType<typeof chatEvent>["chat"]
  >;
const completion = {
  isOpen: () => true,
  isBehind: () => false,
  chosen: () => 0,
  token: () => undefined,
  pick: () => {},
  options: () => [
    { kind: "file", path: `src/${hostile}`, marks: [4, 9] },
    { kind: "command", command: { id: hostile, description: hostile } },
  ],
} as unknown as Completion;
const drawn: [string, () => JSX.Element][] = [
  [
    "a chat in the sidebar",
    () => (
      <ChatRow chat={chat()} state="running" current={false} tabStop onOpen={() => {}} onFocus={() => {}} />
    ),
  ],
  ["the name of a file", () => <FileName name={`src/${hostile}`} />],
  [
    "the changed files",
    () => (
      <ChangedFiles
        files={[{ path: hostile, name: hostile, kind: "edited", added: 1, removed: 0, edits: 1, at: 1 }]}
        selected={hostile}
        onSelect={() => {}}
        onEnter={() => {}}
        control={() => {}}
      />
    ),
  ],
  [
    "what goes with a message",
    () => (
      <Attachments
        attachments={[{ kind: "file", name: hostile, path: `/code/${hostile}` }]}
        pending={[]}
        onRemove={() => {}}
      />
    ),
  ],
  [
    "the list of files and commands",
    () => <List id="list" optionId={(at) => `option-${at}`} completion={completion} />,
  ],
  [
    "the head of a part of a diff",
    () => (
      <Diff rows={[{ kind: "head", text: `@@ -1 +1 @@ ${hostile}`, number: 0 }]} path="a.go" label="Diff" />
    ),
  ],
  [
    "the pieces of a path and of a label",
    () => (
      <p>
        {pathParts(`src/${hostile}`, [4, 5, 10]).name.map((part) => part.text)}
        {pieces(hostile, [1, 6]).map((piece) => piece.text)}
      </p>
    ),
  ],
];

test.each(drawn)("%s hides nothing", (_, part) => {
  stubApp();
  render(part);
  expectNamed();
});

test("rules hide nothing", () => {
  stubApp();
  applyEvents({ rule });
  render(() => <Rules />);
  expect(page.getByRole("button", { name: "Remove rule: photo[U+202E]gpj[U+200B].exe" })).toBeVisible();
  expectNamed();
});

test("the request list hides nothing", async () => {
  stubApp();
  const asked = {
    id: "p",
    chatId: "c",
    session: "main",
    kind: "execute",
    title: hostile,
    command: hostile,
    state: "decided",
    decision: "allowed_once",
    createdAt: 1,
  };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ permissions: [asked] })));
  render(() => <Audit />);
  await page.findByRole("table");
  expectNamed();
});

test("an agent's command hides nothing", async () => {
  const user = userEvent.setup();
  stubApp();
  render(() => (
    <Processes
      processes={[{ chatId: "c", id: "p", pid: 1, parentPid: 0, command: hostile, memory: 0 }]}
      agent="Copilot"
      onOpen={() => {}}
      onStop={() => {}}
    />
  ));
  await user.click(page.getByRole("button"));
  expectNamed();
});

test("the first-run folder hides nothing", async () => {
  stubApp();
  stubFolders({ [`/code/${hostile}`]: { branch: hostile } });
  render(() => <FolderField value={`/code/${hostile}`} onFolder={() => {}} />);
  await page.findByText(/Git, branch/);
  // The typed text stays unchanged.
  expect(page.getByText(/Git, branch/).closest(".cmd")?.innerHTML).not.toMatch(hidden);
  expect(page.getByText(/Git, branch/)).toHaveTextContent("U+202E");
});

test("rules with the same name are distinguished by folder, effect, kind and time", () => {
  const of = (id: string, more: Partial<Rule>, folder = "/code/a"): Rule => ({
    ...rule,
    id,
    scope: { kind: "command", folder, command: "go test" },
    ...more,
  });
  const names = ruleNames([
    of("1", {}),
    of("2", {}, ""),
    of("3", { effect: "deny" }),
    of("4", { scope: { kind: "glob", folder: "/code/a", command: "go test" } }),
    of("5", { scope: { kind: "host", folder: "/code/a", command: "pkg.go.dev" } }),
  ]);
  expect(Object.fromEntries(names)).toEqual({
    1: "go test, /code/a, Always allow, Exact command, Never expires",
    2: "go test, Every folder, Always allow",
    3: "go test, /code/a, Never allow",
    4: "go test, /code/a, Always allow, Commands that match, Never expires",
    5: "pkg.go.dev",
  });
});
