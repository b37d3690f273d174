// The store of the window. What a component may use:
//
//   useStore(): State      everything known, to read; reactive          (this file)
//   start(): () => void    called once by main.tsx                      (this file)
//   trouble(): AppError    why nothing could be loaded yet, or undefined (this file)
//   actions                everything a user can do                     (state/actions.ts)
//   select                 what follows from the state                  (state/select.ts)
//   createNow(): () => ms  the time, renewed each second, for clocks     (lib/clock.ts)
//
// Nobody but reduce.ts writes the state, and nobody but stream.ts brings events.

import { batch, createSignal } from "solid-js";
import { createStore, produce, unwrap } from "solid-js/store";
import { type AppError, asAppError, call, pull, subscribe } from "../bridge";
import { Heartbeat } from "./heartbeat";
import { evict, resetToEnd } from "./pageWindow";
import {
  applyPart,
  attend,
  closeQuit,
  dropPage,
  openPage,
  type Part,
  reduce,
  restart,
  setBefore,
  wantWhole,
} from "./reduce";
import { newState, type State } from "./state";
import { type Sink, Stream } from "./stream";
import type { Snapshot } from "./types";

const [state, setState] = createStore<State>(newState());
const [failure, setFailure] = createSignal<Record<string, AppError>>({});

/** useStore is everything the window knows, to read. */
export function useStore(): State {
  return state;
}

/** raw is the same without tracking, for work over thousands of items. */
export function raw(): State {
  return unwrap(state);
}

/** trouble says why the app, or the chat given, could not be loaded. */
export function trouble(chatId = ""): AppError | undefined {
  return failure()[chatId];
}

function settle(chatId: string, thrown?: unknown): void {
  setFailure((old) => {
    const next = { ...old };
    if (thrown === undefined) delete next[chatId];
    else next[chatId] = asAppError(thrown);
    return next;
  });
}

/** sink is the store as the stream sees it. */
export const sink: Sink = {
  reset(events) {
    batch(() => {
      settle("");
      const begin = (draft: State) => {
        restart(draft);
        for (const event of events) reduce(draft, event);
      };
      if (Object.keys(raw().pages).length > 0) {
        setState(produce(begin));
        return;
      }
      // Nothing on screen depends on single entries yet: thousands of chats are
      // put together as plain objects and set at once.
      const draft = { ...raw() };
      begin(draft);
      setState(draft);
    });
  },
  apply(events) {
    setState(
      produce((draft) => {
        for (const event of events) reduce(draft, event);
      }),
    );
    // The app asks the user itself where the page does not show that it lives.
    if (events.some((event) => event.quitAsked)) beat();
  },
  open(chatId, events, before, later) {
    batch(() => {
      settle(chatId);
      setState(
        produce((draft) => {
          openPage(draft, chatId);
          for (const event of events) reduce(draft, event);
          setBefore(draft, chatId, before);
          for (const event of later) reduce(draft, event);
        }),
      );
    });
  },
  failed(chatId, thrown) {
    settle(chatId, thrown);
  },
};

const beats = new Heartbeat(() => {
  if (document.visibilityState !== "visible") return;
  beat();
  if (where() !== was) placed();
});

/** heard is subscribe, and has a beat follow whatever comes, also what is known already. */
const heard: typeof subscribe = (take) =>
  subscribe((batch) => {
    beats.heard();
    take(batch);
  });

const stream = new Stream({ subscribe: heard, app: pull.app, chat: pull.chat, event: pull.event }, sink);

/** How many transcripts stay in memory, the one on screen among them. */
const keptPages = 4;
let opened: string[] = [];

/** openChat brings a chat's transcript and lets the one longest unseen go. */
export function openChat(chatId: string): void {
  opened = [chatId, ...opened.filter((id) => id !== chatId && stream.isOpen(id))];
  for (const id of opened.slice(keptPages)) {
    stream.close(id);
    setState(produce((draft) => dropPage(draft, id)));
  }
  opened = opened.slice(0, keptPages);
  settle(chatId);
  stream.open(chatId);
}

/** quitAnswered ends the question whether to quit. */
export function quitAnswered(): void {
  setState(produce((draft) => closeQuit(draft)));
}

/** How often the reader of each chat wished to be elsewhere in it. */
const jumps = new Map<string, number>();

/** jump notes such a wish; the function it returns says whether no other has come since. */
export function jump(chatId: string): () => boolean {
  const wish = (jumps.get(chatId) ?? 0) + 1;
  jumps.set(chatId, wish);
  return () => jumps.get(chatId) === wish;
}

/** readPart brings another part of a chat's transcript, while that is still wished. */
export function readPart(
  chatId: string,
  part: Part,
  ask: () => Promise<Snapshot>,
  isStill = () => true,
): Promise<void> {
  return stream.read(chatId, ask, (page, later) => {
    if (!isStill()) return;
    setState(produce((draft) => applyPart(draft, chatId, part, page, later)));
  });
}

/** readInside brings older items of a block, or of a run that is not held whole; whether there are more. */
export async function readInside(chatId: string, ask: () => Promise<Snapshot>): Promise<boolean> {
  let more = false;
  setState(produce((draft) => wantWhole(draft, chatId)));
  await stream.read(chatId, ask, (page, later) => {
    sink.apply([...page.events, ...later]);
    more = (page.before ?? 0) > 0;
  });
  return more;
}

/** keepNear lets go of what is read of a chat but is far from these positions, where it is too much. */
export function keepNear(chatId: string, from: number, to: number): void {
  setState(produce((draft) => evict(draft, chatId, from, to)));
}

/** showEnd shows the end of a chat's transcript, wherever its reader was. */
export function showEnd(chatId: string): void {
  jump(chatId);
  setState(produce((draft) => resetToEnd(draft, chatId)));
}

/** attendTo notes that a chat's transcript is on screen, or where its reader left it. */
export function attendTo(chatId: string, left?: number): void {
  // Who left is not led anywhere by what comes after.
  if (left !== undefined) jump(chatId);
  setState(produce((draft) => attend(draft, chatId, left)));
}

/** beat tells the app that the page draws. One that fails says nothing that the next event does not. */
function beat(): void {
  call("Heartbeat", document.visibilityState === "visible").catch(() => {});
}

/** How long the window has one size until that is kept. */
const sizedMillis = 1000;
let sized: ReturnType<typeof setTimeout> | undefined;

// A page is not told when its window is moved.
const where = () => `${window.screenX} ${window.screenY}`;
let was = "";

function placed(): void {
  clearTimeout(sized);
  was = where();
  call("Placed").catch(() => {});
}

function resized(): void {
  clearTimeout(sized);
  sized = setTimeout(placed, sizedMillis);
}

/** start connects the store to the app; the function it returns ends that. */
export function start(): () => void {
  stream.start();
  document.addEventListener("visibilitychange", beat);
  window.addEventListener("blur", placed);
  window.addEventListener("resize", resized);
  beat();
  beats.start();
  resized(); // it may have been before anybody listened
  return () => {
    beats.stop();
    clearTimeout(sized);
    document.removeEventListener("visibilitychange", beat);
    window.removeEventListener("blur", placed);
    window.removeEventListener("resize", resized);
    stream.stop();
  };
}
