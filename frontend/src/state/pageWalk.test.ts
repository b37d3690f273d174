// Random walks through a long chat, comparing the loaded items with the complete history.

import { expect, test } from "vitest";
import { evict, lastPosition, maxItems, resetToEnd, visibleSpan } from "./pageWindow";
import { applyPart, openPage, type Part, reduce, setBefore, setReader } from "./reduce";
import { newState, type Page } from "./state";
import { Stream } from "./stream";
import { Chat, check } from "./testing";
import type { Event } from "./types";

/** random returns a deterministic generator for a seed. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

/** Connects a window to the chat through a stream. */
async function connect(chat: Chat) {
  const state = newState();
  let applied = 0;
  let listener: (batch: { run: string; first: number; events: Event[] }) => void = () => {};
  const stream = new Stream(
    {
      subscribe: (callback) => {
        listener = callback;
        return () => {};
      },
      app: async () => ({ run: "r", seq: chat.events.length, events: [] }),
      chat: async () => chat.answer("newest"),
      event: async (seq) => chat.events[seq - 1] as Event,
    },
    {
      reset() {},
      apply: (events) => {
        for (const event of events) reduce(state, event);
        applied += events.length;
      },
      open(chatId, events, before, later) {
        openPage(state, chatId);
        for (const event of events) reduce(state, event);
        setBefore(state, chatId, before);
        for (const event of later) reduce(state, event);
      },
      failed(_, thrown) {
        throw thrown;
      },
    },
  );
  stream.start();
  stream.open("c");
  const rests = () => new Promise((resolve) => setTimeout(resolve));
  while (!state.pages.c) await rests();
  const begun = chat.events.length;
  let emitted = begun;
  return {
    state,
    page: state.pages.c as Page,
    /** emit sends the events since the last call. */
    emit() {
      const events = structuredClone(chat.events.slice(emitted));
      if (events.length > 0) listener({ run: "r", first: emitted + 1, events });
      emitted += events.length;
    },
    /** read requests a part. The history is read at once, but the response arrives only when the test releases it. */
    read(part: Part) {
      let come: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        come = resolve;
      });
      const ask = async () => {
        const answer = chat.answer(part);
        await held;
        return answer;
      };
      const work = stream.read("c", ask, (got, later) => applyPart(state, "c", part, got, later));
      return () => {
        come();
        return work;
      };
    },
    async caughtUp() {
      // Without animation frames, the stream applies each batch after a timeout.
      while (applied < emitted - begun) await rests();
    },
    stop: () => stream.stop(),
  };
}

test.each(Array.from({ length: 12 }, (_, n) => n + 1))(
  "a walk through a long chat, seed %i, shows it in order, whole and once",
  async (seed) => {
    const below = random(seed);
    const chat = new Chat(1500);
    const seen = await connect(chat);
    const { state } = seen;
    setReader(state, "c");
    const page = () => state.pages.c as Page;
    const inFlight: (() => Promise<void>)[] = [];
    for (let step = 0; step < 150; step++) {
      const act = below(12);
      const span = visibleSpan(page());
      if (act < 3) {
        for (let n = below(25); n >= 0; n--) chat.say();
        if (below(2) === 0) seen.emit();
      } else if (act < 5) {
        for (let n = 0; n < 5; n++) chat.change(chat.pos - below(below(2) ? 30 : chat.pos - 1));
        if (below(2) === 0) seen.emit();
      } else if (act === 5) {
        inFlight.push(seen.read({ around: 1 + below(chat.pos) }));
      } else if (act === 6 && span.before > 0) {
        inFlight.push(seen.read({ before: span.before }));
      } else if (act === 7 && page().window) {
        inFlight.push(seen.read({ after: lastPosition(state, span) }));
      } else if (act === 8) {
        inFlight.push(seen.read({ around: 0 }));
      } else if (act === 9) {
        resetToEnd(state, "c");
      } else if (act === 10) {
        const from = state.items[span.order[below(span.order.length)] as string]?.pos ?? 0;
        evict(state, "c", from, from + below(40));
        expect(visibleSpan(page()).order.some((id) => state.items[id]?.pos === from)).toBe(true);
      } else {
        seen.emit();
        await seen.caughtUp();
      }
      if (below(3) === 0) await inFlight.splice(below(Math.max(1, inFlight.length)), 1)[0]?.();
      if (visibleSpan(page()).order.length > maxItems) {
        const at =
          state.items[visibleSpan(page()).order[below(visibleSpan(page()).order.length)] as string]?.pos ?? 0;
        evict(state, "c", at, at);
      }
    }
    for (const come of inFlight) await come();
    seen.emit();
    await seen.caughtUp();
    check(chat, state);
    evict(state, "c", 0, 0);
    resetToEnd(state, "c");
    check(chat, state);
    seen.stop();
  },
);
