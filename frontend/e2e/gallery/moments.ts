// Screens that show short-lived states: the database being opened, Copilot starting, the quit dialog, and
// live region announcements.

import type { Event, StorageState, Turn } from "../../src/state/types";
import { folders, home, openChat, ready, sidebarChats } from "./shell";
import { ago, now, type Shot } from "./shot";
import { editRequest, request, root, Story, shot, streaming } from "./transcript";

const storageShot = (state: StorageState, message?: string): Shot => ({
  name: `01h-storage-${state.replace("_", "-")}`,
  reference: "14-banners",
  app: [
    ...home.filter((event) => !event.storage),
    { storage: { state, path: "/home/anna/.local/share/voxpilot/voxpilot.db", message } },
  ],
  folders,
});

/** startingShot shows a message sent before Copilot is running. */
const startingShot = (name: string, state: "starting" | "restoring"): Shot =>
  shot(
    name,
    {
      story: new Story()
        .turn({ state: "running", startedAt: now - 2000 })
        .session()
        .user("14:03", request),
      running: true,
      connection: { state },
    },
    { reference: "13-states" },
  );

/** The sidebar's chats, two of which need the user. */
const chatsNeedingUser: Event[] = sidebarChats.map((event) =>
  event.chat && ["billing", "dark"].includes(event.chat.id)
    ? { chat: { ...event.chat, turnState: "running", unread: false, detail: "Edit README.md" } }
    : event,
);
const requestOf = (chatId: string): Event => ({
  permission: {
    id: `n-${chatId}`,
    chatId,
    session: "main",
    state: "open",
    title: "Edit README.md",
    kind: "edit",
    path: `${root}/README.md`,
    options: [{ id: "once", kind: "allow_once", name: "Allow once" }],
    createdAt: ago(1),
  },
});

/** A delegated session that finishes only after the page has opened. */
const finishing = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 60_000 }).session();
  story.user("14:02", request);
  const inside = story.block("auth-bug-fix", now - 41_000, "running");
  story.edit("internal/auth/refresh.go", 31, 6, inside);
  story.edit("internal/auth/store.go", 6, 6, inside);
  story.edit("internal/auth/refresh_test.go", 11, 0, inside);
  const turn = story.events.find((event) => event.turn?.id === inside.turnId)?.turn as Turn;
  const block = story.events.find((event) => event.item?.id === inside.parentId)?.item;
  return {
    story,
    later: [
      { turn: { ...turn, state: "done", endedAt: now } },
      ...(block ? [{ item: { ...block, open: false, endedAt: now } }] : []),
    ] satisfies Event[],
  };
};
const finished = finishing();

/** A chat whose permission request arrives after the page has opened. */
const editStory = editRequest();
const theRequest = editStory.events.filter((event) => event.permission);
editStory.events.splice(0, editStory.events.length, ...editStory.events.filter((event) => !event.permission));

export const shots: Shot[] = [
  storageShot("opening"),
  storageShot("newer"),
  storageShot("unusable", "file is not a database"),
  storageShot("read_only", "attempt to write a readonly database"),
  storageShot("salvaged", "What could be read was taken over. The damaged file is kept beside it."),
  startingShot("03e-starting", "starting"),
  startingShot("03f-restoring", "restoring"),
  {
    name: "02c2-sidebar-two-need-you",
    reference: "02-permission",
    app: [
      ...home.filter((event) => !event.chat),
      ...chatsNeedingUser,
      requestOf("billing"),
      requestOf("dark"),
      ready("refresh"),
    ],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
  },
  shot(
    "01q-quit",
    { story: streaming(), running: true },
    { reference: "01-chat-streaming", later: [{ quitAsked: { running: 2 } }] },
  ),
  shot(
    "19a-told-done",
    { story: finished.story, running: true },
    {
      reference: "01-chat-streaming",
      later: finished.later,
      // Announcements of finished sessions are batched briefly.
      act: (page) => page.locator("[aria-live=polite]", { hasText: "is done" }).waitFor(),
    },
  ),
  shot(
    "19b-told-request",
    { story: editStory, running: true },
    { reference: "02-permission", later: theRequest },
  ),
];
