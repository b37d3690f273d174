// Screens for finding things: the sidebar with its filter, pins and archive, the palette, and the search
// across all chats.

import type { Page } from "playwright-core";
import type { Event, Excerpt, Hit, Hits } from "../../src/state/types";
import { cli, folders, home, narrow, openChat, ready, settings, sidebarChats, storage } from "./shell";
import { now, type Shot } from "./shot";
import { at, chatId, shot, streaming } from "./transcript";

/**
 * snippet splits `text` at each "|" and marks the pieces with odd indexes as matches: in "a|b|c", b is a
 * match.
 */
const snippet = (text: string): Excerpt[] =>
  text.split("|").map((piece, index) => (index % 2 === 1 ? { text: piece, hit: true } : { text: piece }));

const hit = (chat: string, title: string, folder: string, more: Partial<Hit>, text: string): Hit => ({
  chatId: chat,
  title,
  folder,
  kind: "message",
  at: now,
  snippet: snippet(text),
  ...more,
});

const orbit = "/home/anna/code/orbit-api";
const harbor = "/home/anna/code/harbor-web";
const race = (more: Partial<Hit>, text: string) => hit(chatId, "Fix token refresh race", orbit, more, text);
const cookies = (more: Partial<Hit>, text: string) =>
  hit(
    "cookies",
    "Session cookie audit",
    orbit,
    { at: new Date("2025-11-03T10:00:00").getTime(), ...more },
    text,
  );
const invoice = (more: Partial<Hit>, text: string) =>
  hit(
    "invoice",
    "Invoice form keeps signing me out",
    harbor,
    { at: new Date("2025-10-28T10:00:00").getTime(), ...more },
    text,
  );

const firstIn = (events: Event[], kind: string) => events.find((event) => event.item?.kind === kind)?.item;
const story = streaming();
const user = firstIn(story.events, "user");
const answer = firstIn(story.events, "message");

const found: Hits = {
  total: 214,
  chats: 37,
  groups: [
    { chatId, total: 18, more: "18" },
    { chatId: "cookies", total: 9, more: "9" },
    { chatId: "invoice", total: 6, more: "6" },
  ],
  hits: [
    race(
      { kind: "user", itemId: user?.id, pos: user?.pos, at: at("14:02") },
      "Two tabs |refresh| the same |token| and one gets signed out",
    ),
    race(
      { itemId: answer?.id, pos: answer?.pos, at: at("14:02") },
      "Each caller exchanges the |refresh| |token| on its own, so the slower tab",
    ),
    race(
      { kind: "tool", itemId: "x1", pos: 9, at: at("14:03") },
      's.log.Info("|token| |refresh|", "account", id)',
    ),
    ...["x2", "x3", "x4"].map((itemId) => race({ itemId, pos: 9 }, "calls |refresh| the |token| once")),
    cookies(
      { kind: "block", itemId: "y1" },
      "No path sets the |refresh| |token| without Secure and HttpOnly",
    ),
    cookies({ kind: "user", itemId: "y2" }, "Does the |refresh| endpoint log the |token| anywhere?"),
    invoice({ itemId: "z1" }, "The client starts a |token| |refresh| on every focus event"),
    invoice({ kind: "tool", tool: "execute", itemId: "z2" }, "npm test -- |refresh|-|token|.spec.ts"),
    invoice({ kind: "user", itemId: "z3" }, "Why does the |token| |refresh| sign me out?"),
  ],
};

const search =
  (text: string, hits = true) =>
  async (page: Page) => {
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("searchbox", { name: "Search all chats" }).fill(text);
    if (hits) await page.locator(".hitr[aria-current]").waitFor();
    if (hits && (await page.locator(".pre").isVisible()))
      await page.locator(".prb .at mark").first().waitFor();
  };

const palette = (text: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(text);
  await page.locator(".pal .opt, .pal-none").first().waitFor();
};

const managed = sidebarChats.map((event): Event => {
  const id = event.chat?.id;
  if (!event.chat) return event;
  if (id === "retry" || id === "date") return { chat: { ...event.chat, pinned: true } };
  if (id === "notes" || id === "glossary") return { chat: { ...event.chat, archived: true } };
  if (id === "bundle") return { chat: { ...event.chat, deletedAt: now - 2000 } };
  return event;
});
const common = [ready("refresh"), cli(), storage, settings()];
const inChat = { localStorage: openChat("refresh"), chats: { refresh: [] as Event[] }, folders };

export const shots: Shot[] = [
  {
    name: "01l-sidebar-managed",
    reference: "01-chat-streaming",
    app: [...managed, ...common],
    ...inChat,
    act: (page) => page.getByRole("button", { name: "Archived" }).click(),
  },
  {
    name: "01m-sidebar-filter",
    reference: "01-chat-streaming",
    app: [...managed, ...common],
    ...inChat,
    act: async (page) => {
      await page.getByRole("button", { name: "Filter chats" }).click();
      await page.getByRole("textbox", { name: "Filter chats by title or folder" }).fill("re");
    },
  },
  {
    name: "01n-chat-menu",
    reference: "01-chat-streaming",
    app: [...sidebarChats, ...common],
    ...inChat,
    act: (page) => page.getByRole("link", { name: "Bundle size audit" }).click({ button: "right" }),
  },
  {
    name: "01o-chat-deleted",
    reference: "01-chat-streaming",
    app: [
      ...sidebarChats.map((event) =>
        event.chat?.id === "refresh" ? { chat: { ...event.chat, deletedAt: now - 2000 } } : event,
      ),
      ...common,
    ],
    ...inChat,
  },
  {
    name: "01p-exported",
    reference: "01-chat-streaming",
    app: [...sidebarChats, ...common],
    ...inChat,
    later: [{ picked: { request: "export refresh", path: "/home/anna/Fix token refresh race.md" } }],
  },
  shot("11-command-palette", { story: streaming(), running: true }, { act: palette("re") }),
  shot(
    "11b-palette-empty",
    { story: streaming(), running: true },
    { reference: "11-command-palette", act: palette("") },
  ),
  shot(
    "11c-palette-files",
    { story: streaming(), running: true },
    {
      reference: "11-command-palette",
      act: palette("@ref"),
      files: [
        { path: "internal/auth/refresh.go", marks: [14, 15, 16] },
        { path: "internal/auth/refresh_test.go", marks: [14, 15, 16] },
        { path: "docs/reference/", marks: [5, 6, 7] },
      ],
    },
  ),
  shot(
    "11d-palette-none",
    { story: streaming(), running: true },
    { reference: "11-command-palette", act: palette("zzzz") },
  ),
  shot("11e-narrow-palette", { story: streaming(), running: true }, { size: narrow, act: palette("re") }),
  shot(
    "12-search",
    { story: streaming() },
    { app: home, hits: found, localStorage: {}, act: search("token refresh") },
  ),
  shot(
    "12b-search-empty",
    { story: streaming() },
    { app: home, reference: "12-search", localStorage: {}, act: search("", false) },
  ),
  shot(
    "12c-search-none",
    { story: streaming() },
    {
      app: home,
      reference: "12-search",
      localStorage: {},
      act: async (page) => {
        await search("nothing like it", false)(page);
        await page.getByRole("button", { name: "Folder: All folders" }).click();
        await page.getByRole("option", { name: "orbit-api" }).click();
        await page.getByRole("button", { name: "Clear filters" }).waitFor();
      },
    },
  ),
  shot(
    "12d-search-set-aside",
    { story: streaming() },
    {
      app: home,
      reference: "12-search",
      localStorage: {},
      hits: {
        ...found,
        hits: found.hits.map((each) =>
          each.itemId === answer?.id || each.itemId === "y2" ? { ...each, aside: "a1" } : each,
        ),
      },
      act: async (page) => {
        await search("token refresh")(page);
        await page.getByText("Set aside").first().waitFor();
      },
    },
  ),
  shot(
    "10f-narrow-search",
    { story: streaming() },
    { app: home, size: narrow, hits: found, localStorage: {}, act: search("token refresh") },
  ),
];
