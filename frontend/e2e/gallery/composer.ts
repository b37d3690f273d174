// Screens of the composer: its lists, menus, attachments and queue.

import type { Page } from "playwright-core";
import type { Attachment, Event } from "../../src/state/types";
import { sidebarChats } from "./shell";
import type { Shot } from "./shot";
import { editRequest, prose, root, Story, shot, streaming } from "./transcript";

const message = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

/** An image of a web page at the size at which it is displayed. */
const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 68"><rect width="96" height="68" fill="#fff"/><rect width="96" height="12" fill="#d0d3d8"/><rect x="8" y="20" width="44" height="6" rx="2" fill="#8b929c"/><rect x="8" y="32" width="80" height="4" rx="2" fill="#d0d3d8"/><rect x="8" y="40" width="66" height="4" rx="2" fill="#d0d3d8"/><rect x="8" y="52" width="26" height="9" rx="2" fill="#b42331"/></svg>`;
const image = (name: string, size: number): Attachment => ({
  kind: "image",
  name,
  contentId: "drawn",
  mime: "image/svg+xml",
  size,
});

/** withDraft returns the gallery's main chat with an unsent message. */
const withDraft = (draft: string, draftWith: Attachment[], running = false): Event[] =>
  sidebarChats.flatMap(({ chat }) =>
    chat?.id === "refresh"
      ? [
          {
            chat: {
              ...chat,
              draft,
              draftWith,
              turnState: running ? ("running" as const) : ("done" as const),
            },
          },
        ]
      : [],
  );

const marks = (path: string, typed: string) => [...typed].map((_, at) => path.lastIndexOf(typed) + at);
const files = [
  "internal/auth/refresh.go",
  "internal/auth/refresh_test.go",
  "docs/reference.md",
  "tools/refactor/",
].map((path) => ({ path, marks: marks(path, "ref") }));

const full = () =>
  streaming()
    .session({ used: 110_000 })
    .queued("Then add a line to the changelog under Fixed", "And bump the version to 2.4.1");

const attached: Partial<Shot> = {
  later: withDraft(
    "This is what the second tab shows",
    [image("signed-out.png", 84_000), image("network.png", 212_000)],
    true,
  ),
  contents: { drawn },
  act: async (page) => {
    await message(page).focus();
    await page.waitForFunction(() => document.querySelectorAll(".att img").length === 2);
  },
};

const context = async (page: Page) => {
  await page.getByRole("button", { name: /^Context:/ }).click();
  await page.getByRole("dialog", { name: "Context" }).waitFor();
};

const paused = () => {
  const story = prose().queued(
    "Then add a line to the changelog under Fixed",
    "And bump the version to 2.4.1",
  );
  for (const { queued } of story.events) if (queued) queued.paused = true;
  return story;
};

/** drag dispatches a drag or drop event with an image to the window. */
const drag = (page: Page, what: "dragover" | "drop") =>
  page.evaluate((type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["picture"], "signed-out.png", { type: "image/png" }));
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, what);

/** neverAttached replaces AttachImage with a call that never finishes. */
const neverAttached = (page: Page) =>
  page.evaluate(() => {
    const { main } = (window as unknown as { go: { main: { App: object } } }).go;
    main.App = new Proxy(main.App, {
      get: (app, name) =>
        name === "AttachImage" ? () => new Promise(() => {}) : (app as Record<PropertyKey, unknown>)[name],
    });
  });

const menus = (["Permissions: Ask first", "Mode: Agent", "Model: GPT-4.1"] as const).map((name) =>
  shot(
    `15-menu-${name.split(":")[0]?.toLowerCase()}`,
    { story: prose() },
    { act: (page) => page.getByRole("button", { name }).click() },
  ),
);

export const shots: Shot[] = [
  ...menus,
  shot(
    "15-files",
    { story: prose() },
    {
      files,
      act: async (page) => {
        await message(page).pressSequentially("Look at @ref");
        await page.getByRole("listbox", { name: "Files" }).waitFor();
      },
    },
  ),
  shot(
    "15-mentioned",
    { story: prose() },
    {
      later: withDraft("Look at @internal/auth/refresh.go and @docs/reference.md.", [
        { kind: "mention", name: "internal/auth/refresh.go", path: `${root}/internal/auth/refresh.go` },
        { kind: "mention", name: "docs/reference.md", path: `${root}/docs/reference.md` },
      ]),
      act: (page) => message(page).focus(),
    },
  ),
  shot(
    "15-commands",
    { story: prose().session({ allowAll: true }) },
    { act: (page) => message(page).pressSequentially("/re") },
  ),
  shot("15-queue", { story: full(), running: true }, attached),
  shot("15-queue-paused", { story: paused() }, { reference: "15-queue" }),
  shot(
    "15-queue-editing",
    { story: full(), running: true },
    {
      reference: "15-queue",
      act: (page) => page.getByRole("button", { name: "Edit queued message 2" }).click(),
    },
  ),
  shot(
    "15-drop",
    { story: prose() },
    {
      act: async (page) => {
        await message(page).focus();
        await drag(page, "dragover");
        await page.locator(".is-drop").waitFor();
      },
    },
  ),
  shot(
    "15-reading",
    { story: prose() },
    {
      act: async (page) => {
        await neverAttached(page);
        await drag(page, "drop");
        await page.getByText("Reading signed-out.png…").waitFor();
      },
    },
  ),
  shot(
    "15-narrow",
    { story: full().session({ allowAll: true, used: 110_000 }), running: true },
    {
      ...attached,
      size: [720, 480],
    },
  ),
  shot("14-full", { story: prose().session({ used: 110_000 }) }),
  shot("15-context", { story: streaming(), running: true }, { act: context }),
  shot("15-context-full", { story: full(), running: true }, { act: context }),
  shot(
    "15-allow-everything",
    { story: prose() },
    {
      act: async (page) => {
        await page.getByRole("button", { name: "Permissions: Ask first" }).click();
        await page.getByRole("menuitemradio", { name: /Allow everything/ }).click();
        await page.getByRole("dialog", { name: "Allow everything in this chat?" }).waitFor();
      },
    },
  ),
  shot(
    "15-wait-bar",
    { story: editRequest(), running: true },
    {
      size: [1280, 420],
      act: async (page) => {
        // Until the list has scrolled to its end for the first time, it undoes other scrolling.
        await page.waitForFunction(() => {
          const scroller = document.querySelector(".scroll") as Element;
          return (
            scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1
          );
        });
        await page.locator(".scroll").evaluate((scroller) => scroller.scrollTo(0, 0));
        await page.getByRole("status", { name: "Copilot is waiting for you" }).waitFor();
      },
    },
  ),
  shot("15-empty", { story: new Story().session({ used: 0 }) }),
];
