// Shared setup of the composer tests: a new chat for each test, with its dock.

import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { vi } from "vitest";
import type { App } from "../../calls";
import { sink } from "../../state/store";
import type { Attachment, Chat, Event, FoundFiles } from "../../state/types";
import { chatEvent, cliFound, stubApp, stubBrowser } from "../../testing";
import { Dock } from "./Dock";

let chats = 0;

export const root = "/home/anna/code/orbit-api";

/** imageNamed returns an image attachment that the app has accepted. */
export const imageNamed = (name: string, more: Partial<Attachment> = {}): Attachment => ({
  kind: "image",
  name,
  contentId: `content of ${name}`,
  mime: "image/png",
  size: 84_000,
  ...more,
});

/** userMessage returns the events of a message that the user sent earlier. */
export function userMessage(chatId: string, pos: number, text: string, attachments?: Attachment[]): Event[] {
  const id = `${chatId}-i${pos}`;
  const size = new TextEncoder().encode(text).length;
  return [
    {
      item: {
        id,
        chatId,
        turnId: "t",
        session: "main",
        pos,
        kind: "user",
        createdAt: pos,
        with: attachments,
      },
    },
    { text: { itemId: id, chatId, offset: 0, text, size } },
  ];
}

export interface DockSetup {
  chat?: Partial<Chat>;
  events?(chatId: string): Event[];
  app?: Partial<App>;
  /** The response of /data/files. */
  files?(q: string): FoundFiles | Promise<FoundFiles>;
}

/** open shows the dock of a new chat, with a stubbed app that records calls. */
export function open(made: DockSetup = {}) {
  stubBrowser();
  const app = stubApp({ Send: () => Promise.resolve("id"), ...made.app });
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://app");
    if (url.pathname === "/data/files") {
      const q = url.searchParams.get("q") ?? "";
      asked.push(q);
      return Response.json(await (made.files?.(q) ?? { files: [], total: 0 }));
    }
    return new Response(new Uint8Array([1]), { headers: { "X-Size": "1" } });
  });
  URL.createObjectURL ??= () => "blob:image";
  URL.revokeObjectURL ??= () => {};
  const id = `chat-${++chats}`;
  const other = `${id}-other`;
  sink.reset([chatEvent(id, { folder: root, ...made.chat }), chatEvent(other, { folder: root }), cliFound]);
  sink.open(id, made.events?.(id) ?? [], 0, []);
  const [shown, setShown] = createSignal(id);
  const page = render(() => <Dock chatId={shown()} />);
  return {
    ...page,
    id,
    /** Another chat to switch to. */
    other,
    show: (chatId: string) => setShown(chatId),
    app,
    /** The recorded requests for the folder's files. */
    asked,
    user: userEvent.setup(),
    field: screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" }),
  };
}
