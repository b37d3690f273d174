// State of the search. It outlives the screen, so that a user who returns from a result finds the list
// with its pages, scroll position and selection. The search runs again only if chats have changed in the
// meantime.

import { batch, createSignal } from "solid-js";
import { type SearchQuery, toAppError } from "../bridge";
import { actions } from "./actions";
import { appendPage, type DateFilter, fromOf, type Group, groupsOf } from "./hits";
import { FewHits, type Hits, MaxHits } from "./types";

/** Search filters; "" and "any" mean no filter. */
export interface Filters {
  folder: string;
  who: NonNullable<SearchQuery["who"]>;
  of: NonNullable<SearchQuery["of"]>;
  date: DateFilter;
}

export const noFilters: Filters = { folder: "", who: "", of: "", date: "any" };

const [text, setText] = createSignal("");
const [filters, setFilters] = createSignal(noFilters);

export interface SearchResults {
  /** The query of these results. */
  query: string;
  groups: Group[];
  total: number;
  /** Number of matching chats; 0 if unknown. */
  chats: number;
  capped: boolean;
  /** Cursor of the next page, or "" if there is none. */
  more: string;
  /** Whether chats from an earlier version are still being indexed. */
  reading: boolean;
}

const [found, setFound] = createSignal<SearchResults>();
const [failure, setFailure] = createSignal("");
const [busy, setBusy] = createSignal(false);
const [slow, setSlow] = createSignal(false);
const [selected, setSelected] = createSignal("");
const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set());

export { busy, failure, filters, found, opened, selected, setSelected, slow, text };

/** The saved scroll position: the key of the top row, and the offset within that row in pixels. */
let scrollState: { key: string; into: number } | undefined;
/** The result of chatsVersion when the current list was requested. */
let listVersion = "";
/** Returns a value that identifies the current state of the chats. */
let chatsVersion = () => "";

/** saveScroll saves the scroll position of the list. */
export function saveScroll(at: typeof scrollState): void {
  clearTimeout(timer);
  scrollState = at;
}

/** savedScroll returns the saved scroll position. */
export function savedScroll(): typeof scrollState {
  return scrollState;
}

/** Debounce delay for typing, in milliseconds. */
const typingMillis = 120;
/** Delay in milliseconds before the search is repeated while chats are still being indexed. */
const retryMillis = 2000;
/** Delay in milliseconds before a running search is indicated. */
const slowMillis = 300;
/** Maximum number of pages loaded again when a search is repeated. */
const maxPages = 20;
/** Number of results in each request for more results of one chat. */
const chatPage = 50;

let requestCount = 0;
/** The running search for the first page. */
let running: Promise<void> | undefined;
/** Sequence number of the current list; it stays the same when more pages are loaded. */
let list = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

function setWorking(is: boolean): void {
  clearTimeout(slowTimer);
  setBusy(is);
  if (is) slowTimer = setTimeout(() => setSlow(true), slowMillis);
  else setSlow(false);
}

function currentQuery(): SearchQuery {
  const { folder, who, of, date } = filters();
  return { q: text().trim(), folder, who, of, from: fromOf(date, Date.now()) };
}

const foundOf = (query: string, page: Hits, groups: Group[]): SearchResults => ({
  query,
  groups,
  total: page.total,
  chats: page.chats ?? 0,
  capped: page.capped ?? false,
  more: page.more ?? "",
  reading: page.reading ?? false,
});

/**
 * attempt runs `work`, shows its progress and, if `work` fails, shows the failure. `work` receives the function
 * isMine, which returns false once a newer attempt has started.
 */
async function attempt(work: (isMine: () => boolean) => Promise<void>): Promise<void> {
  const mine = ++requestCount;
  setWorking(true);
  try {
    await work(() => mine === requestCount);
    if (mine === requestCount) batch(() => setWorking(false));
  } catch (thrown) {
    if (mine !== requestCount) return;
    batch(() => {
      setFailure(toAppError(thrown).message);
      setWorking(false);
    });
  }
}

/**
 * run searches from the beginning. If `keep` is set, it loads as many pages as are currently shown and then
 * replaces all of them in one step.
 */
async function run(keep: boolean): Promise<void> {
  const query = currentQuery();
  const chats = chatsVersion();
  clearTimeout(timer);
  list++;
  if (query.q === "") {
    requestCount++;
    batch(() => {
      setFound(undefined);
      setFailure("");
      setWorking(false);
    });
    return;
  }
  const mine = attempt(async (isMine) => {
    const old = keep ? (found()?.groups ?? []) : [];
    const first = await actions.search(query);
    let page = first;
    let groups = groupsOf(page);
    for (let n = 1; isMine() && page.more && groups.length < old.length && n < maxPages; n++) {
      page = await actions.search({ ...query, before: page.more });
      groups = groupsOf(page, groups);
    }
    for (const { chatId, hits } of old.filter((group) => opened().has(group.chatId))) {
      let group = groups.find((each) => each.chatId === chatId);
      for (let n = 1; isMine() && group?.more && group.hits.length < hits.length && n < maxPages; n++) {
        group = await inChat(query, group);
        groups = replaced(groups, group);
      }
    }
    if (!isMine()) return;
    listVersion = chats;
    batch(() => {
      setFound({ ...foundOf(query.q, first, groups), more: page.more ?? "" });
      setFailure("");
    });
    if (first.capped && first.total >= FewHits && first.total < MaxHits) void count(query);
    if (first.reading) runLater();
  });
  running = mine;
  await mine;
  if (running === mine) running = undefined;
}

/**
 * runLater repeats the search after a delay, once nothing else is loading, because more chats may be
 * indexed by then.
 */
function runLater(): void {
  timer = setTimeout(() => (busy() ? runLater() : void run(true)), retryMillis);
}

const replaced = (groups: readonly Group[], by: Group): Group[] =>
  groups.map((group) => (group.chatId === by.chatId ? by : group));

async function inChat(query: SearchQuery, group: Group): Promise<Group> {
  return appendPage(
    group,
    await actions.search({ ...query, chat: group.chatId, before: group.more, limit: chatPage }),
  );
}

/** count replaces the capped totals of the first page with those of a search that has a higher limit. */
async function count(query: SearchQuery): Promise<void> {
  const mine = list;
  try {
    const { total, chats = 0, capped = false } = await actions.search({ ...query, count: 1 });
    const now = found();
    if (now && mine === list) setFound({ ...now, total, chats, capped });
  } catch {
    // The capped totals stay. They are shown as "More than …", which remains true.
  }
}

/** search sets the query; the search starts after a pause in typing. */
export function search(to: string): void {
  batch(() => {
    setText(to);
    setSelected("");
    setOpened(new Set<string>());
  });
  scrollState = undefined;
  requestCount++;
  clearTimeout(timer);
  timer = setTimeout(() => void run(false), to.trim() === "" ? 0 : typingMillis);
}

/** filter changes the filters and searches again. */
export function filter(to: Partial<Filters>): void {
  batch(() => {
    setFilters({ ...filters(), ...to });
    setSelected("");
    setOpened(new Set<string>());
  });
  scrollState = undefined;
  void run(false);
}

/** refresh repeats the current search. */
export function refresh(): void {
  void run(true);
}

/** isOfText reports whether the list shows the results for the text in the search field. */
export function isOfText(): boolean {
  return found()?.query === text().trim();
}

/**
 * resume updates the list when the search screen is shown again; `chats` returns a value that identifies
 * the current state of the chats.
 */
export function resume(chats: () => string): void {
  chatsVersion = chats;
  if (!isOfText()) void run(false);
  else if (chats() !== listVersion || found()?.reading) void run(true);
}

/** showMore loads the next page of chats. */
export function showMore(): void {
  const now = found();
  if (!now?.more || busy() || !isOfText()) return;
  void attempt(async (isMine) => {
    const page = await actions.search({ ...currentQuery(), before: now.more });
    const latest = found();
    if (!isMine() || !latest) return;
    batch(() => {
      setFound({ ...latest, groups: groupsOf(page, latest.groups), more: page.more ?? "" });
      setFailure("");
    });
  });
}

/** showAll expands a chat to all its loaded results and loads the next page of them. */
export async function showAll(chatId: string): Promise<void> {
  if (!isOfText()) return;
  setOpened((old) => new Set([...old, chatId]));
  // A running search is about to replace the list, so the next page is requested only afterward.
  while (running) await running;
  if (!isOfText()) return;
  const group = found()?.groups.find((each) => each.chatId === chatId);
  if (!group?.more) return;
  await attempt(async (isMine) => {
    const more = await inChat(currentQuery(), group);
    const latest = found();
    if (isMine() && latest) setFound({ ...latest, groups: replaced(latest.groups, more) });
  });
}
