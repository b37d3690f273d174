// State of the list of the Copilot CLI's sessions. It outlives the screen, so that a user who returns to the list finds
// the query, the scroll position and the selection. While the screen is visible, the list is requested every two
// seconds; the app sends it only if it has changed.

import { batch, createMemo, createRoot, createSignal } from "solid-js";
import { type SessionQuery, toAppError } from "../bridge";
import { actions } from "./actions";
import { keyOf, type ListedSession, listedOf } from "./cliSessionRows";
import { type DateFilter, fromOf } from "./hits";
import * as others from "./otherConversations";
import type { CLISession, OtherProgram } from "./types";

/** Filters of the list; "" and "any" mean no filter. */
export interface SessionFilters {
  folder: string;
  /** A home directory of the CLI, prefixed with "=", or the ID of another program, prefixed with "@". */
  home: string;
  date: DateFilter;
}

export const noSessionFilters: SessionFilters = { folder: "", home: "", date: "any" };

const [text, setText] = createSignal("");
const [filters, setFilters] = createSignal(noSessionFilters);
/** The sessions that match the text and the filters except the home; undefined before the first response. */
const [matches, setMatches] = createSignal<readonly CLISession[]>();
const [isCounting, setCounting] = createSignal(false);
/** Reason why some sessions may be missing, from the app. */
const [gap, setGap] = createSignal("");
const [failure, setFailure] = createSignal("");
const [isSlow, setSlow] = createSignal(false);
const [selected, setSelected] = createSignal("");
const [folders, setFolders] = createSignal<readonly string[]>([]);
const [homes, setHomes] = createSignal<readonly string[]>([]);
/** The text and filters of the list. */
const [listQuery, setListQuery] = createSignal("");

/** The key of a session to show as soon as the list has arrived, or "". */
const [requestedKey, setRequestedKey] = createSignal("");

export {
  failure,
  filters,
  folders,
  gap,
  homes,
  isCounting,
  isSlow,
  requestedKey,
  selected,
  setRequestedKey,
  setSelected,
  text,
};

/** askForSession resets the query and selects a session. The screen scrolls to it when the list has arrived. */
export function askForSession(of: Pick<CLISession, "id" | "home">): void {
  batch(() => {
    searchSessions("");
    setFilters(noSessionFilters);
    others.chooseProgram("");
    setSelected(keyOf(of));
    setRequestedKey(keyOf(of));
  });
}

/** isOther reports whether another program's conversations are listed instead of the Copilot CLI's sessions. */
export const isOther = () => filters().home.startsWith("@");

/** sessions returns the listed sessions, newest first, or undefined before the first response. */
export const sessions = createRoot(() =>
  createMemo((): readonly ListedSession[] | undefined => {
    const all = matches();
    const { home, folder, date } = filters();
    if (isOther()) {
      const from = fromOf(date, Date.now());
      return others
        .conversations()
        ?.filter((each) => (folder === "" || each.folder === folder) && each.updatedAt >= from)
        .map(listedOf);
    }
    return home === "" ? all : all?.filter((session) => `=${session.home ?? ""}` === home);
  }),
);

/** Interval between requests of the list in milliseconds. */
const pollMillis = 2000;
/** Debounce delay for typing, in milliseconds. */
const typingMillis = 120;
/** Delay in milliseconds before a running request is indicated. */
const slowMillis = 300;

let revision = 0;
let requestCount = 0;
let watchers = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

function currentQuery(): SessionQuery {
  const { folder, date } = filters();
  return { q: text().trim(), folder, from: fromOf(date, Date.now()) };
}

/** isOfText reports whether the list shows the sessions for the current text and filters. */
export function isOfText(): boolean {
  return isOther() || listQuery() === JSON.stringify(currentQuery());
}

const isWatched = () => watchers > 0 && document.visibilityState === "visible";

/** requestLater requests the list again after a delay, while it is visible. */
function requestLater(millis: number): void {
  clearTimeout(timer);
  timer = isWatched() ? setTimeout(() => void refresh(), millis) : undefined;
}

function addKnown(list: readonly CLISession[]): void {
  const newFolders = list.map((session) => session.folder ?? "").filter((folder) => folder !== "");
  const allFolders = [...new Set([...folders(), ...newFolders])];
  if (allFolders.length !== folders().length) setFolders(allFolders);
  const allHomes = [...new Set([...homes(), ...list.map((session) => session.home ?? "")])];
  if (allHomes.length !== homes().length) setHomes(allHomes);
}

/** refresh requests the list now. */
export async function refresh(): Promise<void> {
  const mine = ++requestCount;
  clearTimeout(timer);
  clearTimeout(slowTimer);
  const query = currentQuery();
  const key = JSON.stringify(query);
  const isKnown = key === listQuery() && matches() !== undefined;
  if (!isKnown || failure() !== "") slowTimer = setTimeout(() => setSlow(true), slowMillis);
  try {
    const answer = await actions.cliSessions({ ...query, ...(isKnown && { since: revision }) });
    if (mine !== requestCount) return;
    revision = answer.revision;
    batch(() => {
      if (answer.sessions || !isKnown) {
        const list = answer.sessions ?? [];
        addKnown(list);
        setMatches(list);
        setListQuery(key);
        // New sessions appear at the top: the selection must not move to them.
        if (!sessions()?.some((session) => keyOf(session) === selected())) {
          const first = sessions()?.[0];
          setSelected(first ? keyOf(first) : "");
        }
      }
      setCounting(answer.reading ?? false);
      setGap(answer.failure ?? "");
      setFailure("");
    });
  } catch (thrown) {
    if (mine !== requestCount) return;
    setFailure(toAppError(thrown).message);
  }
  clearTimeout(slowTimer);
  setSlow(false);
  requestLater(pollMillis);
}

/** searchSessions sets the query; the request starts after a pause in typing. */
export function searchSessions(to: string): void {
  batch(() => {
    setText(to);
    others.searchConversations(to);
    setSelected("");
  });
  requestCount++;
  requestLater(to.trim() === "" ? 0 : typingMillis);
}

/** filterSessions changes the filters. */
export function filterSessions(to: Partial<SessionFilters>): void {
  batch(() => {
    setFilters({ ...filters(), ...to });
    others.chooseProgram(isOther() ? (filters().home.slice(1) as OtherProgram) : "");
    setSelected("");
  });
  void refresh();
}

/** watchSessions keeps the list up to date until the returned function is called. */
export function watchSessions(): () => void {
  watchers++;
  const onVisible = () => (isWatched() ? void refresh() : clearTimeout(timer));
  document.addEventListener("visibilitychange", onVisible);
  void refresh();
  void others.loadConversations();
  return () => {
    watchers--;
    document.removeEventListener("visibilitychange", onVisible);
    if (watchers > 0) return;
    clearTimeout(timer);
    clearTimeout(slowTimer);
    setSlow(false);
    // A response that arrives later doesn't start the timer again.
    requestCount++;
  };
}

/** The saved scroll position: the key of the top row, and the offset within that row in pixels. */
let scrollState: { key: string; into: number } | undefined;

/** saveSessionScroll saves the scroll position of the list. */
export function saveSessionScroll(at: typeof scrollState): void {
  scrollState = at;
}

/** savedSessionScroll returns the saved scroll position. */
export function savedSessionScroll(): typeof scrollState {
  return scrollState;
}
