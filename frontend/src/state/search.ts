// What is searched for. It outlives the screen: whoever comes back from a
// result finds the list as it was left, with its pages, its place and what was
// selected. It is looked for again only where chats have changed meanwhile.

import { batch, createSignal } from "solid-js";
import { asAppError, type SearchQuery } from "../bridge";
import { actions } from "./actions";
import { type DateFilter, fromOf, type Group, groupsOf, grown } from "./hits";
import { FewHits, type Hits, MaxHits } from "./types";

/** What narrows a search; "" and "any" do not. */
export interface Filters {
  folder: string;
  who: NonNullable<SearchQuery["who"]>;
  of: NonNullable<SearchQuery["of"]>;
  date: DateFilter;
}

export const noFilters: Filters = { folder: "", who: "", of: "", date: "any" };

const [text, setText] = createSignal("");
const [filters, setFilters] = createSignal(noFilters);

export interface Found {
  /** What it is of. */
  query: string;
  groups: Group[];
  total: number;
  /** In how many chats all of them are; 0 where nobody knows. */
  chats: number;
  capped: boolean;
  /** What to ask for to get more; "" where there is none. */
  more: string;
  /** Chats of an earlier version are still being read. */
  reading: boolean;
}

const [found, setFound] = createSignal<Found>();
const [failure, setFailure] = createSignal("");
const [busy, setBusy] = createSignal(false);
const [slow, setSlow] = createSignal(false);
const [selected, setSelected] = createSignal("");
const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set());

export { busy, failure, filters, found, opened, selected, setSelected, slow, text };

/** Where the list was left: the row at its top, and how far into it. */
let place: { key: string; into: number } | undefined;
/** What the chats were when the list was asked for that is there. */
let madeOf = "";
/** What the chats are now. */
let chatsNow = () => "";

/** saveScroll notes where the list is left. */
export function saveScroll(at: typeof place): void {
  clearTimeout(timer);
  place = at;
}

/** savedScroll is where the list was left. */
export function savedScroll(): typeof place {
  return place;
}

/** How long the user may still be typing. */
const typingMillis = 120;
/** When a search is made again while chats are still being read. */
const againMillis = 2000;
/** From when on it is said that a search runs. */
const slowMillis = 300;
/** How many pages are brought again at most. */
const mostPages = 20;
/** How many hits of one chat are brought at once. */
const chatPage = 50;

let asked = 0;
/** The search from the beginning that runs. */
let running: Promise<void> | undefined;
/** Which list it is, whatever pages are brought to it. */
let list = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

function working(is: boolean): void {
  clearTimeout(slowTimer);
  setBusy(is);
  if (is) slowTimer = setTimeout(() => setSlow(true), slowMillis);
  else setSlow(false);
}

function asking(): SearchQuery {
  const { folder, who, of, date } = filters();
  return { q: text().trim(), folder, who, of, from: fromOf(date, Date.now()) };
}

const foundOf = (query: string, page: Hits, groups: Group[]): Found => ({
  query,
  groups,
  total: page.total,
  chats: page.chats ?? 0,
  capped: page.capped ?? false,
  more: page.more ?? "",
  reading: page.reading ?? false,
});

/** attempt does one thing at a time: what was asked for before is of no use any more. */
async function attempt(work: (isMine: () => boolean) => Promise<void>): Promise<void> {
  const mine = ++asked;
  working(true);
  try {
    await work(() => mine === asked);
    if (mine === asked) batch(() => working(false));
  } catch (thrown) {
    if (mine !== asked) return;
    batch(() => {
      setFailure(asAppError(thrown).message);
      working(false);
    });
  }
}

/**
 * run searches from the beginning. The pages that are there are brought again,
 * and shown together, where it is the same search as before.
 */
async function run(keep: boolean): Promise<void> {
  const query = asking();
  const chats = chatsNow();
  clearTimeout(timer);
  list++;
  if (query.q === "") {
    asked++;
    batch(() => {
      setFound(undefined);
      setFailure("");
      working(false);
    });
    return;
  }
  const mine = attempt(async (isMine) => {
    const old = keep ? (found()?.groups ?? []) : [];
    const first = await actions.search(query);
    let page = first;
    let groups = groupsOf(page);
    for (let n = 1; isMine() && page.more && groups.length < old.length && n < mostPages; n++) {
      page = await actions.search({ ...query, before: page.more });
      groups = groupsOf(page, groups);
    }
    for (const { chatId, hits } of old.filter((group) => opened().has(group.chatId))) {
      let group = groups.find((each) => each.chatId === chatId);
      for (let n = 1; isMine() && group?.more && group.hits.length < hits.length && n < mostPages; n++) {
        group = await inChat(query, group);
        groups = replaced(groups, group);
      }
    }
    if (!isMine()) return;
    madeOf = chats;
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

/** runLater searches again when more chats may have been read, and nothing else is being brought. */
function runLater(): void {
  timer = setTimeout(() => (busy() ? runLater() : void run(true)), againMillis);
}

const replaced = (groups: readonly Group[], by: Group): Group[] =>
  groups.map((group) => (group.chatId === by.chatId ? by : group));

async function inChat(query: SearchQuery, group: Group): Promise<Group> {
  return grown(
    group,
    await actions.search({ ...query, chat: group.chatId, before: group.more, limit: chatPage }),
  );
}

/** count goes on counting, behind the first page, which comes without. */
async function count(query: SearchQuery): Promise<void> {
  const mine = list;
  try {
    const { total, chats = 0, capped = false } = await actions.search({ ...query, count: 1 });
    const now = found();
    if (now && mine === list) setFound({ ...now, total, chats, capped });
  } catch {
    // "More than" stays true.
  }
}

/** search looks for other words, when no more are typed. */
export function search(to: string): void {
  batch(() => {
    setText(to);
    setSelected("");
    setOpened(new Set<string>());
  });
  place = undefined;
  asked++;
  clearTimeout(timer);
  timer = setTimeout(() => void run(false), to.trim() === "" ? 0 : typingMillis);
}

/** filter narrows the search. */
export function filter(to: Partial<Filters>): void {
  batch(() => {
    setFilters({ ...filters(), ...to });
    setSelected("");
    setOpened(new Set<string>());
  });
  place = undefined;
  void run(false);
}

/** refresh makes the same search once more. */
export function refresh(): void {
  void run(true);
}

/** isOfText tells whether the list is of what the field says. */
export function isOfText(): boolean {
  return found()?.query === text().trim();
}

/** resume is for a screen that shows the list again; chats tells what they are by now. */
export function resume(chats: () => string): void {
  chatsNow = chats;
  if (!isOfText()) void run(false);
  else if (chats() !== madeOf || found()?.reading) void run(true);
}

/** showMore brings the next page of chats. */
export function showMore(): void {
  const now = found();
  if (!now?.more || busy() || !isOfText()) return;
  void attempt(async (isMine) => {
    const page = await actions.search({ ...asking(), before: now.more });
    const latest = found();
    if (!isMine() || !latest) return;
    batch(() => {
      setFound({ ...latest, groups: groupsOf(page, latest.groups), more: page.more ?? "" });
      setFailure("");
    });
  });
}

/** showAll shows what is here of a chat, and brings the next page of it. */
export async function showAll(chatId: string): Promise<void> {
  if (!isOfText()) return;
  setOpened((old) => new Set([...old, chatId]));
  // What runs is not given up for a page of what it will replace.
  while (running) await running;
  if (!isOfText()) return;
  const group = found()?.groups.find((each) => each.chatId === chatId);
  if (!group?.more) return;
  await attempt(async (isMine) => {
    const more = await inChat(asking(), group);
    const latest = found();
    if (isMine() && latest) setFound({ ...latest, groups: replaced(latest.groups, more) });
  });
}
