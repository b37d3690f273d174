// What is searched for. It outlives the screen: whoever comes back from a
// result finds the list as it was left.

import { batch, createSignal } from "solid-js";
import { asAppError } from "../../bridge";
import { actions } from "../../state/actions";
import type { Hit } from "../../state/words";
import { type DateFilter, fromOf } from "./hits";

const [text, setText] = createSignal("");
const [folder, setFolder] = createSignal("");
const [date, setDate] = createSignal<DateFilter>("any");

export interface Found {
  /** What the hits are of. */
  query: string;
  hits: Hit[];
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
const [selected, setSelected] = createSignal("");
const [whole, setWhole] = createSignal<ReadonlySet<string>>(new Set());

export { busy, date, failure, folder, found, selected, setSelected, text, whole };

/** How long the user may still be typing. */
const typingMillis = 120;
/** When a search is made again while chats are still being read. */
const againMillis = 2000;

let asked = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

async function run(before: string): Promise<void> {
  const mine = ++asked;
  clearTimeout(timer);
  const query = text().trim();
  if (query === "") {
    batch(() => {
      setFound(undefined);
      setFailure("");
      setBusy(false);
    });
    return;
  }
  setBusy(true);
  try {
    const page = await actions.search(query, folder(), fromOf(date(), Date.now()), before);
    if (mine !== asked) return;
    batch(() => {
      const old = before === "" ? [] : (found()?.hits ?? []);
      setFound({
        query,
        hits: [...old, ...page.hits],
        total: page.total,
        chats: page.chats ?? 0,
        capped: page.capped ?? false,
        more: page.more ?? "",
        reading: page.reading ?? false,
      });
      setFailure("");
      setBusy(false);
    });
    // A list that was paged on is left as it is.
    if (page.reading && before === "") timer = setTimeout(() => void run(""), againMillis);
  } catch (thrown) {
    if (mine !== asked) return;
    batch(() => {
      setFailure(asAppError(thrown).message);
      setBusy(false);
    });
  }
}

/** search looks for other words, when no more are typed. */
export function search(to: string): void {
  batch(() => {
    setText(to);
    setSelected("");
    setWhole(new Set<string>());
  });
  asked++;
  clearTimeout(timer);
  timer = setTimeout(() => void run(""), to.trim() === "" ? 0 : typingMillis);
}

/** filter looks in one folder, or in all; and from a day on. */
export function filter(to: { folder?: string; date?: DateFilter }): void {
  batch(() => {
    if (to.folder !== undefined) setFolder(to.folder);
    if (to.date !== undefined) setDate(to.date);
    setSelected("");
  });
  void run("");
}

/** again makes the same search once more: chats may have changed meanwhile. */
export function again(): void {
  void run("");
}

/** stopSearching ends what waits to be searched for again. */
export function stopSearching(): void {
  clearTimeout(timer);
}

/** showMore brings the next page of hits. */
export function showMore(): void {
  const before = found()?.more;
  if (before && !busy()) void run(before);
}

/** showAll shows all hits of a chat. */
export function showAll(chatId: string): void {
  setWhole((old) => new Set([...old, chatId]));
}
