// Shared helpers for the tests of the transcript: the events of a chat, and its transcript on screen.

import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { vi } from "vitest";
import { go } from "../../state/screen";
import { sink } from "../../state/store";
import type { Event, Item, Tool, Turn } from "../../state/types";
import { chatEvent, resetState, stubApp } from "../../testing";
import { Transcript } from "./Transcript";

export const root = "/home/anna/code/orbit-api";

export const item = (id: string, pos: number, kind: Item["kind"], more: Partial<Item> = {}): Event => ({
  item: { id, chatId: "c", turnId: "t", session: "main", pos, kind, createdAt: 1000, ...more },
});

/** mainTurn returns the main session's turn in the given state, without an end time. */
export const mainTurn = (state: Turn["state"], more: Partial<Turn> = {}): Event => ({
  turn: { id: "t", chatId: "c", session: "main", state, startedAt: 0, ...more },
});

/** turn returns the main session's turn, which is done unless `more` sets another state. */
export const turn = (more: Partial<Turn> = {}): Event =>
  mainTurn("done", { startedAt: 1000, endedAt: 2000, ...more });

export const text = (itemId: string, piece: string): Event => ({
  text: { itemId, chatId: "c", offset: 0, text: piece, size: new TextEncoder().encode(piece).length },
});

export const textItem = (
  id: string,
  pos: number,
  kind: "user" | "message",
  words: string,
  more: Partial<Item> = {},
) => [item(id, pos, kind, more), text(id, words)];

export const tool = (id: string, pos: number, title: string, more: Partial<Item> = {}): Event =>
  item(id, pos, "tool", {
    tool: { callId: id, title, kind: "execute", status: "completed", command: title },
    ...more,
  });

/** call returns a completed tool call: by default, a read that took 1.9 s. */
export const call = (id: string, pos: number, tool: Partial<Tool>, more: Partial<Item> = {}): Event =>
  item(id, pos, "tool", {
    endedAt: 2900,
    tool: { callId: id, title: "", kind: "read", status: "completed", ...tool },
    ...more,
  });

/** diff returns the change that a call made to a file. */
export const diff = (itemId: string, path: string, added: number, removed: number): Event => ({
  content: { id: `d${itemId}`, itemId, chatId: "c", type: "diff", size: 1, version: 1, path, added, removed },
});

/**
 * serve replaces `fetch` with a function that answers requests for the given paths. It returns a list that records the
 * requests.
 */
export function serve(paths: Record<string, unknown>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    asked.push(input);
    const path = Object.keys(paths).find((each) => input.startsWith(each));
    return path
      ? Promise.resolve(Response.json(paths[path]))
      : Promise.reject(new Error(`${input} is not served here`));
  });
  return asked;
}

/** show renders a finished chat with its composer; the items before position `before` aren't loaded. */
export function show(before: number, ...events: Event[]) {
  const app = stubApp();
  resetState(chatEvent("c", { turnState: "done" }));
  sink.open("c", [turn(), ...events], before, []);
  go({ name: "chat", id: "c" });
  render(() => (
    <main class="main">
      <Transcript chatId="c" />
      <form class="composer">
        <textarea aria-label="Message" />
      </form>
    </main>
  ));
  return { app, user: userEvent.setup() };
}

/** showTranscript renders the transcript alone; the items before position `before` aren't loaded. */
export function showTranscript(before: number, ...events: Event[]) {
  const app = stubApp();
  sink.open("c", events, before, []);
  render(() => <Transcript chatId="c" />);
  return { app, user: userEvent.setup() };
}

/** line returns the line with the given accessible name. */
export const line = (name: string) => screen.getByRole("button", { name });

/** names returns the accessible names of all lines. */
export const names = () =>
  [...document.querySelectorAll(".ln")].map((each) => each.getAttribute("aria-label"));
