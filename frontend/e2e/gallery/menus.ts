// Navigation screens: context menus, collapsed folders, recent chats, palette results, the settings
// search, and path completion.

import type { Page } from "playwright-core";
import { folders, home, narrow, ollama, openChat, openSettings, settings } from "./shell";
import type { Shot } from "./shot";
import { prose, shot, streaming } from "./transcript";

const palette = (text: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(text);
  await page.locator(".pal .opt").first().waitFor();
};
const find = (text: string) => async (page: Page) => {
  await page.keyboard.press("Control+,");
  await page.getByRole("combobox", { name: "Search settings" }).fill(text);
};
/** completes makes path completion return `paths`. */
const completes = (paths: string[]) => (page: Page) =>
  page.evaluate((found) => {
    const answer = (method: string | symbol) => Promise.resolve(method === "FoldersAt" ? found : undefined);
    window.go = {
      main: { App: new Proxy({}, { get: (_, method) => () => answer(method) }) },
    } as typeof window.go;
  }, paths);
const inOrbit = ["orbit-api", "orbit-docs", "orbit-web"].map((name) => `~/code/${name}/`);
const typePath = async (page: Page) => {
  await completes(inOrbit)(page);
  await page.getByRole("button", { name: "Folder: orbit-api" }).click();
  await page.getByRole("combobox", { name: "Folder path" }).fill("~/code/or");
  await page.keyboard.press("ArrowDown");
};

export const shots: Shot[] = [
  {
    name: "01r-sidebar-folded",
    app: home,
    folders,
    localStorage: { "voxpilot.folded": "/home/anna/code/orbit-api\n/home/anna/docs/field-notes" },
    act: (page) => page.getByRole("button", { name: /^harbor-web/ }).hover(),
  },
  {
    name: "01s-recent-chats",
    app: home,
    folders,
    localStorage: { ...openChat("billing"), "voxpilot.visits": "billing\nrefresh\nbundle" },
    act: async (page) => {
      await page.keyboard.down("Control");
      await page.keyboard.press("Tab");
      await page.getByRole("listbox", { name: "Recent chats" }).waitFor();
    },
  },
  {
    name: "01t-chat-menu-low",
    size: narrow,
    app: home,
    folders,
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    act: async (page) => {
      await page.getByRole("button", { name: "Chat actions" }).click();
      await page.keyboard.press("End");
    },
  },
  shot(
    "02x-menu-message",
    { story: prose() },
    {
      act: (page) =>
        page
          .getByRole("article", { name: /^VoxPilot/ })
          .first()
          .locator("p")
          .first()
          .click({ button: "right" }),
    },
  ),
  shot(
    "02y-menu-field",
    { story: prose() },
    {
      act: async (page) => {
        const field = page.getByRole("textbox", { name: "Message" });
        await field.fill("Only this word");
        await field.press("Shift+Control+ArrowLeft");
        await field.press("Shift+F10");
        await page.getByRole("menu", { name: "Text field" }).waitFor();
      },
    },
  ),
  shot("11f-palette-settings", { story: streaming(), running: true }, { act: palette("rest") }),
  shot(
    "11g-palette-model",
    { story: streaming(), running: true },
    { app: [...home, { provider: ollama }], act: palette("model") },
  ),
  { name: "06h-settings-search", app: home, act: find("session") },
  { name: "06h2-settings-search-none", app: home, act: find("zzzz") },
  { name: "06h3-settings-search-narrow", size: narrow, app: home, act: find("session") },
  {
    name: "06i-settings-marked",
    app: [...home, settings()],
    act: async (page) => {
      await find("thoughts")(page);
      await page.keyboard.press("Enter");
      await page.locator(".marked").waitFor();
    },
  },
  {
    name: "06j-settings-form",
    app: [...home, { provider: ollama }],
    act: async (page) => {
      await openSettings("Your own model")(page);
      await page.getByRole("button", { name: "Add a model" }).click();
    },
  },
  { name: "09f-folder-completion", app: home, folders, act: typePath },
];
