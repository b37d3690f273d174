// State of the search. It outlives the screen, so that a user who returns from a result finds the list with its pages,
// scroll position and selection. The search then runs again only if chats, or the setting for the search in sessions,
// have changed in the meantime, or if the list may be incomplete because of indexing.

import { batch, createSignal } from "solid-js";
import { type SearchQuery, toAppError } from "../bridge";
import { actions } from "./actions";
import { appendPage, type DateFilter, fromOf, type Group, groupsOf, mergedGroups } from "./hits";
import { FewHits, type Hits, MaxHits } from "./types";

/** Search filters; "" and "any" mean no filter. */
export interface Filters {
  folder: string;
  who: NonNullable<SearchQuery["who"]>;
  of: NonNullable<SearchQuery["of"]>;
  date: DateFilter;
  /** Where to search; "" is everywhere. */
  where: "" | "chats" | "sessions";
}

export const noFilters: Filters = { folder: "", who: "", of: "", date: "any", where: "" };

const [text, setText] = createSignal("");
const [filters, setFilters] = createSignal(noFilters);

/** Results in the chats, or in the Copilot CLI's sessions. */
interface PartResults {
  groups: Group[];
  total: number;
  /** Number of matching chats or sessions; 0 if unknown. */
  chats: number;
  capped: boolean;
  /** Cursor of the next page, or "" if there is none. */
  more: string;
  /** Whether chats from an earlier version, or sessions, are still being indexed. */
  reading: boolean;
}

export interface SearchResults {
  /** The query of these results. */
  query: string;
  chats?: PartResults;
  /** undefined if sessions aren't searched. */
  sessions?: PartResults;
  /** The listed groups of both. */
  groups: Group[];
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
/** Reports whether the user has switched the search in sessions on. */
let hasSessions = () => false;

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
/** Delay in milliseconds before the search is repeated while chats or sessions are still being indexed. */
const retryMillis = 2000;
/** Delay in milliseconds before a running search is indicated. */
const slowMillis = 300;
/** Maximum number of pages loaded again when a search is repeated. */
const maxPages = 20;
/** Number of results in each request for more results in one chat or session. */
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

const partOf = (page: Hits, groups: Group[]): PartResults => ({
  groups,
  total: page.total,
  chats: page.chats ?? 0,
  capped: page.capped ?? false,
  more: page.more ?? "",
  reading: page.reading ?? false,
});

const resultsOf = (query: string, chats?: PartResults, sessions?: PartResults): SearchResults => ({
  query,
  chats,
  sessions,
  groups: mergedGroups(
    { groups: chats?.groups ?? [], isCut: !!chats?.more },
    { groups: sessions?.groups ?? [], isCut: !!sessions?.more },
  ),
});

/** hasMore reports whether more chats or sessions can be loaded. */
export const hasMore = () => !!found()?.chats?.more || !!found()?.sessions?.more;
/** isReading reports whether a later search may find more, because chats or sessions are still being indexed. */
export const isReading = () => !!found()?.chats?.reading || !!found()?.sessions?.reading;

type Find = (query: SearchQuery) => Promise<Hits>;

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
  const { where } = filters();
  const mine = attempt(async (isMine) => {
    const before = keep ? found() : undefined;
    const asksSessions = hasSessions() && where !== "chats";
    const part = (find: Find, old: PartResults | undefined) =>
      firstPages(find, query, old?.groups ?? [], isMine);
    const [inChats, inSessions] = await Promise.all([
      where === "sessions" && hasSessions() ? undefined : part(actions.search, before?.chats),
      asksSessions ? part(actions.searchSessions, before?.sessions) : undefined,
    ]);
    if (!isMine()) return;
    listVersion = chats;
    batch(() => {
      setFound(resultsOf(query.q, inChats, inSessions));
      setFailure("");
    });
    if (inChats?.capped && inChats.total >= FewHits && inChats.total < MaxHits) void count(query);
    if (isReading()) runLater();
  });
  running = mine;
  await mine;
  if (running === mine) running = undefined;
}

/**
 * firstPages returns the first page of results, and as many further pages and results of expanded groups as are in `old`,
 * the list that they replace.
 */
async function firstPages(
  find: Find,
  query: SearchQuery,
  old: readonly Group[],
  isMine: () => boolean,
): Promise<PartResults> {
  const first = await find(query);
  let page = first;
  let groups = groupsOf(page);
  for (let n = 1; isMine() && page.more && groups.length < old.length && n < maxPages; n++) {
    page = await find({ ...query, before: page.more });
    groups = groupsOf(page, groups);
  }
  for (const { key, hits } of old.filter((group) => opened().has(group.key))) {
    let group = groups.find((each) => each.key === key);
    for (let n = 1; isMine() && group?.more && group.hits.length < hits.length && n < maxPages; n++) {
      group = await inGroup(query, group);
      groups = replaced(groups, group);
    }
  }
  return { ...partOf(first, groups), more: page.more ?? "" };
}

/**
 * runLater repeats the search after a delay, once nothing else is loading, because more chats or sessions may
 * be indexed by then.
 */
function runLater(): void {
  timer = setTimeout(() => (busy() ? runLater() : void run(true)), retryMillis);
}

const replaced = (groups: readonly Group[], by: Group): Group[] =>
  groups.map((group) => (group.key === by.key ? by : group));

/** inGroup loads more results of one chat or session. */
async function inGroup(query: SearchQuery, group: Group): Promise<Group> {
  const { chatId, cliSession, home, more } = group;
  const page = await (cliSession
    ? actions.searchSessions({ ...query, session: cliSession, home, before: more, limit: chatPage })
    : actions.search({ ...query, chat: chatId, before: more, limit: chatPage }));
  return appendPage(group, page);
}

/** count replaces the capped totals of the first page with those of a search that has a higher limit. */
async function count(query: SearchQuery): Promise<void> {
  const mine = list;
  try {
    const { total, chats = 0, capped = false } = await actions.search({ ...query, count: 1 });
    const now = found();
    if (now?.chats && mine === list) setFound({ ...now, chats: { ...now.chats, total, chats, capped } });
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
 * the current state of the chats, and `searchesSessions` reports whether the search in sessions is on.
 */
export function resume(chats: () => string, searchesSessions: () => boolean): void {
  hasSessions = searchesSessions;
  chatsVersion = () => `${searchesSessions()}\n${chats()}`;
  if (!isOfText()) void run(false);
  else if (chatsVersion() !== listVersion || isReading()) void run(true);
}

/** nextPage adds the next page to a part of the results. */
async function nextPage(find: Find, part: PartResults | undefined): Promise<PartResults | undefined> {
  if (!part?.more) return part;
  const page = await find({ ...currentQuery(), before: part.more });
  return { ...part, groups: groupsOf(page, part.groups), more: page.more ?? "" };
}

/** showMore loads the next page of chats and sessions. */
export function showMore(): void {
  const now = found();
  if (!now || !hasMore() || busy() || !isOfText()) return;
  void attempt(async (isMine) => {
    const [chats, sessions] = await Promise.all([
      nextPage(actions.search, now.chats),
      nextPage(actions.searchSessions, now.sessions),
    ]);
    const latest = found();
    if (!isMine() || !latest) return;
    // The totals may have been counted in the meantime.
    const { total = 0, chats: counted = 0, capped = false } = latest.chats ?? {};
    batch(() => {
      setFound(resultsOf(latest.query, chats && { ...chats, total, chats: counted, capped }, sessions));
      setFailure("");
    });
  });
}

/** showAll expands a chat or session to all its loaded results and loads the next page of them. */
export async function showAll(key: string): Promise<void> {
  if (!isOfText()) return;
  setOpened((old) => new Set([...old, key]));
  // A running search is about to replace the list, so the next page is requested only afterward.
  while (running) await running;
  if (!isOfText()) return;
  const group = found()?.groups.find((each) => each.key === key);
  if (!group?.more) return;
  await attempt(async (isMine) => {
    const more = await inGroup(currentQuery(), group);
    const latest = found();
    if (!isMine() || !latest) return;
    const [chats, sessions] = [latest.chats, latest.sessions].map(
      (part) => part && { ...part, groups: replaced(part.groups, more) },
    );
    setFound(resultsOf(latest.query, chats, sessions));
  });
}
