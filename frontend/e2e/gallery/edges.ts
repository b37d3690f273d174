// Screens with extreme content: very long titles, folder and file names, a great many chats, and
// right-to-left text. Some are also shown in the smallest window.

import type { Page } from "playwright-core";
import type { Event } from "../../src/state/types";
import { message } from "./message";
import { account, cli, narrow, openChat, openSettings, settings, sidebarChats, storage } from "./shell";
import { ago, now, type Shot } from "./shot";
import { root, Story, shot } from "./transcript";

const long = "a-name-without-an-end-".repeat(9).slice(0, 196);
const titles = [
  "\u{1F680} Ship it \u{1F469}‍\u{1F4BB}\u{1F389} and then \u{1F3F3}️‍\u{1F308}",
  "إصلاح سباق تحديث الرمز المميز في نظام الفوترة",
  "修复令牌刷新竞争并把全局日志记录器换成传入的记录器",
  `A title that goes on ${"and on ".repeat(20)}`,
  long,
];

const chat = (id: string, title: string, folder: string, updatedAt: number): Event => ({
  chat: { id, title, folder, providerId: "copilot", permissionMode: "ask", createdAt: 1, updatedAt },
});

/** A thousand chats in fifty folders. The first ones cover every kind of title. */
const crowd: Event[] = Array.from({ length: 1000 }, (_, n) =>
  chat(
    `n${n}`,
    titles[n] ?? `Chat number ${n}`,
    `/home/anna/${n % 50 === 0 ? long : `code/project-${n % 50}`}`,
    ago(n),
  ),
);

const named = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", `Rename @${long}/${long}.go, please. ${titles[1]}. ${titles[0]}`);
  story.says("14:02", `The file is \`${long}/${long}.go\`, **${long}**.\n\n${titles[1]}\n\n- ${long}`);
  const inside = story.block(long.slice(0, 60), now - 18_000, "running", { prompt: `${long} ${long}` });
  story.edit(`${long}/${long}.go`, 123_456, 98_765, inside);
  story.tool("search", { title: long, fact: message("%d matches", 1_234_567), item: inside });
  story.tool("move", { path: `${root}/${long}.go`, to: `${root}/${long}/${long}.go`, item: inside });
  const path = `${root}/${long}/${long}.go`;
  const edit = story.tool("edit", { path, status: "pending", item: inside });
  const body = `@@ -1,2 +1,2 @@ func ${long}()\n-${long}\n+${long} ${long}\n`;
  const content = story.content(edit, "diff", body, { added: 1, removed: 1 });
  return story.ask({
    session: long.slice(0, 60),
    itemId: edit.id,
    path,
    contentId: content.id,
    scope: { kind: "edits", folder: `${root}/${long}` },
  });
};
const queued = () =>
  new Story()
    .turn({ state: "running" })
    .session()
    .user("14:02", titles[1] ?? "")
    .queued(long);
const attached: Event[] = sidebarChats.flatMap(({ chat: each }) =>
  each?.id === "refresh"
    ? [
        {
          chat: {
            ...each,
            title: titles[0] ?? "",
            turnState: "running" as const,
            draft: titles[1],
            draftWith: ["go", "png"].map((end) => ({
              kind: "file" as const,
              name: `${long}.${end}`,
              path: `${root}/${long}.${end}`,
              size: 123_456_789,
            })),
          },
        },
      ]
    : [],
);

const crowded = { app: [...crowd, cli(), storage, settings(), account()], chats: { n3: [], n4: [] } };
const folders = Object.fromEntries(
  crowd.map(({ chat: each }) => [
    each?.folder ?? "",
    { path: each?.folder, name: each?.folder.split("/").at(-1), exists: true, branch: long },
  ]),
);
const openFolders = (page: Page) => page.getByRole("button", { name: /^Folder:/ }).click();
const rule = (id: string, command: string): Event => ({
  rule: {
    id,
    effect: "allow",
    scope: { kind: "command", folder: `/home/anna/${long}`, command },
    createdAt: ago(1),
  },
});

export const shots: Shot[] = [
  { name: "18a-crowd", ...crowded, folders, localStorage: openChat("n3") },
  { name: "18a2-crowd-narrow", ...crowded, folders, localStorage: openChat("n4"), size: narrow },
  {
    name: "18a3-crowd-drawer",
    ...crowded,
    folders,
    localStorage: openChat("n4"),
    size: narrow,
    act: (page) => page.getByRole("button", { name: "Show sidebar" }).click(),
  },
  { name: "18b-crowd-new", ...crowded, folders, act: openFolders },
  { name: "18b2-crowd-new-narrow", ...crowded, folders, size: narrow, act: openFolders },
  shot("18c-names", { story: named(), running: true }),
  shot("18c2-names-narrow", { story: named(), running: true }, { size: narrow }),
  shot("18d-queue", { story: queued(), running: true }, { later: attached }),
  shot("18d2-queue-narrow", { story: queued(), running: true }, { later: attached, size: narrow }),
  {
    name: "18e-rules",
    app: [...crowded.app, rule("r1", long), rule("r2", `${long} ${titles[1]}`)],
    act: openSettings("Permissions"),
  },
  {
    name: "18e2-rules-narrow",
    app: [...crowded.app, rule("r1", long), rule("r2", `${long} ${titles[1]}`)],
    size: narrow,
    act: async (page) => {
      await page.keyboard.press("Control+,");
      await page.getByRole("link", { name: "Permissions" }).click();
      await page
        .getByRole("button", { name: /^Remove rule/ })
        .first()
        .scrollIntoViewIfNeeded();
    },
  },
];
