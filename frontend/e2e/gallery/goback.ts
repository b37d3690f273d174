// Screens that show going back to a message: the menu and the sheet, the line at the end of the transcript, set-aside
// messages, and versions.

import type { Page } from "playwright-core";
import type { ChatBranches, Event, GoBackPreview } from "../../src/state/types";
import { narrow, sidebarChats } from "./shell";
import { now, type Shot } from "./shot";
import { at, chatId, request, root, Story, shot } from "./transcript";
import { byHand, file, turn, preview as undoPreview } from "./undo";

const preview = (more: Partial<GoBackPreview> = {}): GoBackPreview => ({
  ...undoPreview({ files: [file("cmd/orbitd/main.go")], total: 9, ready: 9, changed: 0 }),
  messages: 5,
  memory: "fork",
  ...more,
});

const toolbar = (page: Page) =>
  page.getByRole("article", { name: "You, 14:02" }).getByRole("button", { name: "Go back to here" });
const openMenu = async (page: Page) => {
  await page.getByRole("article", { name: "You, 14:02" }).hover();
  await toolbar(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu", { name: "Go back to here" }).waitFor();
};
const menu = (name: string, data: GoBackPreview, more: Partial<Shot> = {}): Shot =>
  shot(
    name,
    { story: turn() },
    {
      reference: "17-undo-footer",
      data: { "go-back": data },
      ...more,
      act: async (page) => {
        await openMenu(page);
        await page.getByText("Checking the files…").first().waitFor({ state: "detached" });
        await more.act?.(page);
      },
    },
  );

const draft =
  "Two tabs refresh the same token and one gets signed out. Fix it in @internal/auth/refresh.go with a test.";
const withDraft = (text: string): Event[] =>
  sidebarChats.flatMap(({ chat }) =>
    chat?.id === chatId
      ? [
          {
            chat: {
              ...chat,
              turnState: "done" as const,
              detail: "",
              draft: text,
              draftWith: [
                {
                  kind: "mention" as const,
                  name: "internal/auth/refresh.go",
                  path: `${root}/internal/auth/refresh.go`,
                },
              ],
            },
          },
        ]
      : [],
  );
const branches = (more: Partial<ChatBranches> = {}): Event => ({
  branches: {
    chatId,
    revision: 1,
    wentBack: { asideId: "a1", at: now, since: at("14:02"), files: 9, messages: 5, hasFiles: true },
    ...more,
  },
});
const focusComposer = async (page: Page) => {
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.press("End");
};
const wentBack = (name: string, more: Partial<Shot> = {}, now: Partial<ChatBranches> = {}): Shot => {
  const story = new Story().session({ used: 5_100 });
  story.events.push(branches(now));
  return shot(
    name,
    { story, more: withDraft(draft) },
    { reference: "17d-undo-went-back", act: focusComposer, ...more },
  );
};

/** versions returns a chat whose second message is another version of an earlier one. */
function versions(): Story {
  const story = new Story().turn({ startedAt: at("14:02"), endedAt: at("14:03") }).session();
  story.user("14:02", request).says("14:03", "One exchange is shared now, with a test.");
  story.turn({ id: "t2", startedAt: at("14:20"), endedAt: at("14:21") });
  story.user("14:20", "Now the logger, but keep the field names as they are.");
  story.says("14:21", "The logger is passed in from `main.go`; no field name changed.");
  const version = (id: string, clock: string) => ({ id, at: at(clock), messages: 1 });
  story.events.push(
    branches({
      wentBack: undefined,
      forks: [
        {
          afterTurn: "t1",
          turnId: "t2",
          versions: [version("a1", "14:08"), version("", "14:20"), version("a2", "14:30")],
          current: 1,
        },
      ],
    }),
  );
  return story;
}

const sheet = (name: string, more: Partial<Shot> = {}, data: Partial<GoBackPreview> = {}): Shot =>
  menu(
    name,
    preview({
      files: [
        byHand("internal/auth/refresh.go"),
        file("internal/auth/refresh_test.go", { effect: "removes", added: 0, removed: 33 }),
        file("cmd/orbitd/main.go"),
      ],
      total: 3,
      ready: 2,
      changed: 1,
      notUndone: [
        {
          what: "git push origin main",
          isCommand: true,
          reason: "VoxPilot can't remove data sent to other computers.",
        },
      ],
      ...data,
    }),
    {
      reference: "17b-undo-confirm",
      ...more,
      act: async (page) => {
        await page.getByRole("menuitem", { name: /^Go back to here/ }).click();
        await page.getByRole("dialog", { name: "Go back to here?" }).waitFor();
      },
    },
  );

const editing = (name: string, data: GoBackPreview, more: Partial<Shot> = {}): Shot =>
  shot(
    name,
    { story: versions() },
    {
      reference: "17d-undo-went-back",
      data: { "go-back": data },
      ...more,
      act: async (page) => {
        const mine = page.getByRole("article", { name: "You, 14:20" });
        await mine.hover();
        await mine.getByRole("button", { name: "Edit and send again" }).click();
        await page.getByRole("button", { name: "Cancel editing" }).waitFor();
        if (data.memory === "recap") await page.getByText("The agent will start from a summary").waitFor();
      },
    },
  );

export const shots: Shot[] = [
  menu("17-go-back-menu", preview()),
  menu("17-go-back-menu-narrow", preview(), { size: narrow }),
  menu("17-go-back-recap", preview({ messages: 1, total: 0, ready: 0, files: [], memory: "recap" })),
  menu("17-go-back-blocked", preview({ blocked: "Another chat is working in this folder." })),
  sheet("17-go-back-sheet"),
  sheet("17-go-back-sheet-narrow", { size: narrow }),
  sheet("17-go-back-sheet-recap", {}, { memory: "recap" }),
  wentBack("17d-undo-went-back"),
  wentBack("17d-undo-went-back-narrow", { size: narrow }),
  wentBack("17d2-set-aside", {
    aside: turn().events,
    act: async (page) => {
      await page.getByRole("button", { name: "Show set-aside messages" }).click();
      await page.getByRole("dialog", { name: "Set-aside messages" }).getByText("signed out").waitFor();
    },
  }),
  wentBack(
    "17d5-recording-removed",
    {},
    { wentBack: { asideId: "a1", at: now, since: at("14:02"), files: 9, messages: 5 } },
  ),
  shot("17d3-versions", { story: versions() }, { reference: "17d-undo-went-back" }),
  editing("17d4-editing", preview()),
  editing("17d4-editing-recap", preview({ memory: "recap" })),
  editing("17d4-editing-recap-narrow", preview({ memory: "recap" }), { size: narrow }),
];
