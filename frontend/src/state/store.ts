// The store of the window. Available to components:
//
//   useStore(): State        the complete state, reactive                 (this file)
//   start(): () => void      called once by main.tsx                      (this file)
//   loadFailure(): AppError  the reason why loading failed, or undefined  (this file)
//   actions                  the actions that components call             (state/actions.ts)
//   select                   values derived from the state                (state/select.ts)
//   createNow(): () => ms    the time, updated each second, for clocks    (lib/clock.ts)
//
// Only reduce.ts (with pageWindow.ts and toolRuns.ts) writes the state, and only stream.ts delivers events.

import { batch, createSignal } from "solid-js";
import { createStore, produce, unwrap } from "solid-js/store";
import { type AppError, api, call, subscribe, toAppError } from "../bridge";
import { deliverOutput } from "./agentTerminal";
import { Heartbeat } from "./heartbeat";
import { evict, resetToEnd } from "./pageWindow";
import { forgetEnded } from "./questionAnswers";
import {
  applyPart,
  closeQuit,
  dropPage,
  markLoaded,
  openPage,
  type Part,
  reduce,
  restart,
  setBefore,
  setReader,
  wantWhole,
} from "./reduce";
import { newState, type State } from "./state";
import { type Sink, Stream } from "./stream";
import type { Event, Snapshot } from "./types";

const [state, setState] = createStore<State>(newState());
const [failure, setFailure] = createSignal<Record<string, AppError>>({});

/** useStore returns the complete state for reading. */
export function useStore(): State {
  return state;
}

/** raw returns the state without tracking, for work on thousands of items. */
export function raw(): State {
  return unwrap(state);
}

/** loadFailure returns the reason why the app or the given chat couldn't be loaded. */
export function loadFailure(chatId = ""): AppError | undefined {
  return failure()[chatId];
}

function setLoadFailure(chatId: string, thrown?: unknown): void {
  setFailure((old) => {
    const next = { ...old };
    if (thrown === undefined) delete next[chatId];
    else next[chatId] = toAppError(thrown);
    return next;
  });
}

/** sink applies the stream's output to the store. */
export const sink: Sink = {
  reset(events) {
    batch(() => {
      setLoadFailure("");
      const begin = (draft: State) => {
        restart(draft);
        for (const event of events) reduce(draft, event);
      };
      if (Object.keys(raw().pages).length > 0) {
        setState(produce(begin));
        return;
      }
      // Nothing on screen depends on individual entries yet, so thousands of chats are collected in plain
      // objects and then set in one step.
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
    // The heartbeat confirms that the page is asking the user whether to quit. Without it, the app shows its
    // own dialog.
    if (events.some((event) => event.quitAsked)) sendHeartbeat();
    deliverOutput(events);
    forgetEnded(events);
    reloadStale(events);
  },
  open(chatId, events, before, later) {
    batch(() => {
      setLoadFailure(chatId);
      setState(
        produce((draft) => {
          openPage(draft, chatId);
          for (const event of events) reduce(draft, event);
          setBefore(draft, chatId, before);
          markLoaded(draft, chatId);
          for (const event of later) reduce(draft, event);
        }),
      );
    });
    forgetEnded([...events, ...later]);
    reloadStale(later);
  },
  failed(chatId, thrown) {
    setLoadFailure(chatId, thrown);
    if (raw().pages[chatId]?.stale) setTimeout(() => stream.open(chatId), reloadMillis);
  },
};

/** Delay in milliseconds before a failed reload of a chat is tried again. */
const reloadMillis = 2000;

/** reloadStale reloads each chat in which one of the events has set messages aside, brought them back or read them. */
function reloadStale(events: readonly Event[]): void {
  for (const { branches, sessionImport } of events) {
    const chatId = (branches ?? sessionImport)?.chatId;
    if (chatId && raw().pages[chatId]?.stale) stream.reload(chatId);
  }
}

const heartbeat = new Heartbeat(() => {
  if (document.visibilityState !== "visible") return;
  sendHeartbeat();
  if (windowPosition() !== was) reportPosition();
});

/**
 * subscribeWithHeartbeat subscribes to the app's batches and schedules a heartbeat after every batch,
 * even a duplicate.
 */
const subscribeWithHeartbeat: typeof subscribe = (take) =>
  subscribe((batch) => {
    heartbeat.eventArrived();
    take(batch);
  });

const stream = new Stream(
  { subscribe: subscribeWithHeartbeat, app: api.app, chat: api.chat, event: api.event },
  sink,
);

/** Maximum number of transcripts in memory, including the visible one. */
const maxPages = 4;
let opened: string[] = [];

/**
 * openChat loads a chat's transcript and, if too many transcripts are loaded, evicts the least recently
 * opened ones.
 */
export function openChat(chatId: string): void {
  opened = [chatId, ...opened.filter((id) => id !== chatId && stream.isOpen(id))];
  for (const id of opened.slice(maxPages)) {
    stream.close(id);
    setState(produce((draft) => dropPage(draft, id)));
  }
  opened = opened.slice(0, maxPages);
  setLoadFailure(chatId);
  stream.open(chatId);
}

/** closeQuitQuestion closes the dialog that asks whether to quit. */
export function closeQuitQuestion(): void {
  setState(produce((draft) => closeQuit(draft)));
}

/** Number of jumps by the user to other parts of a chat, by chat ID. */
const jumps = new Map<string, number>();

/**
 * jump records a jump by the user to another part of a chat. It returns a function that reports whether this is still
 * the latest jump in that chat.
 */
export function jump(chatId: string): () => boolean {
  const wish = (jumps.get(chatId) ?? 0) + 1;
  jumps.set(chatId, wish);
  return () => jumps.get(chatId) === wish;
}

/**
 * readPart loads another part of a chat's transcript. It discards the part if `isStill` returns false when
 * the part arrives.
 */
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

/** readInside loads older items of a block or a partially loaded run. It returns true if there are more. */
export async function readInside(chatId: string, ask: () => Promise<Snapshot>): Promise<boolean> {
  let more = false;
  setState(produce((draft) => wantWhole(draft, chatId)));
  await stream.read(chatId, ask, (page, later) => {
    sink.apply([...page.events, ...later]);
    more = (page.before ?? 0) > 0;
  });
  return more;
}

/**
 * evictFar evicts the items of a chat that are far from the positions `from` and `to`, if too many are
 * loaded.
 */
export function evictFar(chatId: string, from: number, to: number): void {
  setState(produce((draft) => evict(draft, chatId, from, to)));
}

/** showEnd shows the end of a chat's transcript. */
export function showEnd(chatId: string): void {
  jump(chatId);
  setState(produce((draft) => resetToEnd(draft, chatId)));
}

/**
 * updateReader records that a chat's transcript is on screen. If `left` is given, it instead records that the user left
 * the transcript at that position.
 */
export function updateReader(chatId: string, left?: number): void {
  // Once the user has left the chat, pending jumps no longer apply.
  if (left !== undefined) jump(chatId);
  setState(produce((draft) => setReader(draft, chatId, left)));
}

/** sendHeartbeat sends a heartbeat. A failure is ignored, because the next event triggers another heartbeat. */
function sendHeartbeat(): void {
  call("Heartbeat", document.visibilityState === "visible").catch(() => {});
}

/** Delay in milliseconds between the last resizing of the window and storing its size. */
const resizeMillis = 1000;
let resizeTimer: ReturnType<typeof setTimeout> | undefined;

// windowPosition returns the position of the window. Each heartbeat checks whether it has changed, because moving a
// window fires no event in its page.
const windowPosition = () => `${window.screenX} ${window.screenY}`;
let was = "";

function reportPosition(): void {
  clearTimeout(resizeTimer);
  was = windowPosition();
  call("Placed").catch(() => {});
}

function reportSize(): void {
  clearTimeout(resizeTimer);
  resizeTimer = setTimeout(reportPosition, resizeMillis);
}

/** start connects the store to the app and returns a function that disconnects it. */
export function start(): () => void {
  stream.start();
  document.addEventListener("visibilitychange", sendHeartbeat);
  window.addEventListener("blur", reportPosition);
  window.addEventListener("resize", reportSize);
  sendHeartbeat();
  heartbeat.start();
  reportSize(); // earlier resizes had no listener
  return () => {
    heartbeat.stop();
    clearTimeout(resizeTimer);
    document.removeEventListener("visibilitychange", sendHeartbeat);
    window.removeEventListener("blur", reportPosition);
    window.removeEventListener("resize", reportSize);
    stream.stop();
  };
}
