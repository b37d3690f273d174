// Finds text in the visible chat. The matches come from the database, because most of a long chat isn't
// in the DOM. Matches in the DOM are highlighted.

import ChevronDown from "lucide-solid/icons/chevron-down";
import ChevronUp from "lucide-solid/icons/chevron-up";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, on, onCleanup, onMount } from "solid-js";
import { messages } from "../../i18n";
import { clear, rangesOf, show as showMarks } from "../../lib/marks";
import { actions } from "../../state/actions";
import { foundMatch, wantedMatch } from "../../state/match";
import { useStore } from "../../state/store";
import type { Matches as FoundMatches } from "../../state/types";
import { IconButton } from "../ui/Button";
import { type Match, Matches, type SearchStart } from "./matches";
import { rangeAt, scrollIntoView, textOf } from "./matchReveal";
import "./find-bar.css";

/** Delay in milliseconds between a DOM change and updating the highlights. */
const markMillis = 60;

/** Distance in pixels beyond the view within which matches are highlighted. */
const markDistance = 300;

/** Minimum distance in pixels between the current match and the upper edge of the view. */
const edgeDistance = 24;

/**
 * createFind returns the state of the find bar and functions to open and close it. Closing it restores
 * the focus.
 */
export function createFind() {
  const [isOpen, setOpen] = createSignal(false);
  const [requestCount, setRequestCount] = createSignal(0);
  let opener: Element | null = null;
  return {
    isOpen,
    /** Number of requests to open the find bar, including those made while it is open. */
    requestCount,
    open: () => {
      if (!isOpen()) opener = document.activeElement;
      setOpen(true);
      setRequestCount((n) => n + 1);
    },
    close: () => {
      setOpen(false);
      const main = document.querySelector<HTMLElement>(".main .composer textarea");
      const back = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (back ? (opener as HTMLElement) : main)?.focus({ preventScroll: true });
    },
  };
}

export interface FindBarProps {
  chatId: string;
  find: ReturnType<typeof createFind>;
  /** The element that contains the transcript. */
  frame: HTMLElement;
  /** Returns the position to search from, and the ID of the item at that position, if there is one. */
  from(): { pos: number; itemId?: string };
  /** Scrolls part of a row into view. */
  show(key: string, part: Range): void;
}

/** FindBar renders the search field, the number of matches and the navigation buttons. */
export function FindBar(props: FindBarProps) {
  const state = useStore();
  let field!: HTMLInputElement;
  let overlay!: HTMLDivElement;
  const [text, setText] = createSignal("");
  const [found, setFound] = createSignal<FoundMatches>();
  const matches = createMemo(() => new Matches(found()?.places));
  const [at, setAt] = createSignal(-1);
  const current = createMemo(() => matches().at(at()));
  const [failure, setFailure] = createSignal("");
  /** The current match if it still has to be scrolled into view. */
  let due: Match | undefined;

  const marks = () => {
    timer = undefined;
    const log = props.frame.querySelector("[role=log]");
    if (!log || text() === "") {
      clear(overlay);
      return;
    }
    const match = current();
    const parts = match ? [...log.querySelectorAll(`[data-item="${CSS.escape(match.item.itemId)}"]`)] : [];
    const now = match && rangeOf(match, parts);
    const [part] = parts;
    // The match can be scrolled into view only after its text has been loaded and its row expanded.
    if (due && due === match && now && part && wantedMatch()?.itemId !== match.item.itemId) {
      due = undefined;
      scrollIntoView(now);
      const key = part.closest<HTMLElement>(".entry")?.dataset.key;
      if (key !== undefined) props.show(key, now);
    }
    const isNow = (range: Range) =>
      range.startContainer === now?.startContainer && range.startOffset === now.startOffset;
    const ranges = inView(log).flatMap((entry) => rangesOf(entry, text()));
    showMarks({ ranges: ranges.filter((range) => !isNow(range)), now }, overlay);
  };
  /** inView returns the rows in or near the view. Matches are highlighted only in these rows. */
  const inView = (log: Element) => {
    const frame = props.frame.getBoundingClientRect();
    return [...log.querySelectorAll(":scope > .entry")].filter((entry) => {
      const box = entry.getBoundingClientRect();
      return box.bottom >= frame.top - markDistance && box.top <= frame.bottom + markDistance;
    });
  };
  /**
   * rangeOf returns the DOM range of a match, or undefined if the match isn't in the DOM. If the match is known to be
   * in a body of the item, such as a command's output, its position in that body determines the range.
   */
  const rangeOf = (match: Match, parts: Element[]) => {
    const { itemId } = match.item;
    const found = foundMatch();
    const isOf =
      found?.match.itemId === itemId && found.match.find === text() && found.match.nth === match.nth;
    const spot = isOf ? found.location : undefined;
    if (spot?.contentId) return rangeAt(spot.contentId, spot.offset, text());
    if (textOf(itemId)) return textRange(match);
    const mine = parts
      .flatMap((part) => rangesOf(part, text()))
      .filter(({ startContainer: node }) => !(spot && node.parentElement?.closest(".tool-out")));
    return mine[Math.min(spot?.nth ?? match.nth, mine.length - 1)];
  };
  /**
   * textRange returns the DOM range of a match in an item's text, and caches the range while its nodes
   * are in the DOM. If a match isn't in the DOM, it is rendered only if it is the current one.
   */
  const textRange = (match: Match) => {
    const isHere = held?.match === match && held.range.toString().toLowerCase() === text().toLowerCase();
    if (isHere && held?.range.startContainer.isConnected) return held.range;
    const isWanted = due === match && wantedMatch()?.itemId !== match.item.itemId;
    const range = textOf(match.item.itemId)?.reveal(text(), match.nth, !isWanted);
    held = range && { match, range };
    return range;
  };
  let held: { match: Match; range: Range } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const markSoon = () => {
    timer ??= setTimeout(marks, markMillis);
  };

  const go = (to: number) => {
    const { total } = matches();
    if (total === 0) return;
    setAt((to + total) % total);
    const match = current();
    if (!match) return;
    due = match;
    const { itemId, pos, parentId } = match.item;
    actions.showMatch(props.chatId, itemId, pos, {
      parentId,
      find: text(),
      nth: match.nth,
      keepFocus: true,
    });
    markSoon();
  };

  const scroller = () => props.frame.querySelector(".scroll") ?? props.frame;
  /** The query that the current matches belong to. */
  let sought = "";
  /**
   * Returns the point from which to search for the query `q`: the current match of the previous query (`was`) or, if
   * there was none, the first visible text.
   */
  const from = (q: string, was: Match | undefined): SearchStart => {
    const seen = was ? { pos: was.item.pos, itemId: was.item.itemId } : props.from();
    const of = textOf(seen.itemId);
    const letter = was
      ? of?.positionOf(sought, was.nth)
      : of?.positionAt(scroller().getBoundingClientRect().top + edgeDistance);
    return { ...seen, before: of?.countBefore(q, letter ?? 0) ?? 0 };
  };

  let searches = 0;
  /** Whether a search is running. Once it ends, only the latest of the queries typed in the meantime is run. */
  let isBusy = false;
  let next: { jump: boolean } | undefined;
  const look = (jump: boolean) => {
    if (isBusy) {
      next = { jump: jump || !!next?.jump };
      return;
    }
    const mine = ++searches;
    const q = text();
    if (q === "") {
      setFound(undefined);
      setAt(-1);
      markSoon();
      return;
    }
    isBusy = true;
    const answered = () => {
      isBusy = false;
      const waits = next;
      next = undefined;
      // A newer search replaces this result and takes over the jump to the first match.
      if (waits && mine === searches) look(waits.jump || jump);
      return mine === searches && text() === q;
    };
    actions.find(props.chatId, q).then(
      (result) => {
        if (!answered()) return;
        const was = current();
        const begin = from(q, was);
        setFailure("");
        setFound(result);
        sought = q;
        if (jump && result.total > 0) go(matches().next(begin));
        else setAt(matches().numberOf(was));
        markSoon();
      },
      (thrown) => {
        if (answered()) setFailure(thrown.message);
      },
    );
  };

  const onInput = () => {
    setText(field.value);
    setFailure("");
    look(true);
  };
  // Searches again when a turn starts or ends.
  createEffect(
    on(
      () => state.chats[props.chatId]?.turnState,
      () => text() !== "" && look(false),
      { defer: true },
    ),
  );
  createEffect(on(wantedMatch, markSoon, { defer: true }));
  createEffect(
    on(props.find.requestCount, () => {
      field.focus();
      field.select();
    }),
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    const inField = event.target === field;
    if (event.key === "F3" || (event.key === "Enter" && inField)) {
      event.preventDefault();
      go(at() + (event.shiftKey ? -1 : 1));
    } else if (event.key === "Escape" && !event.defaultPrevented) {
      const target = event.target as Element | null;
      if (!inField && !target?.closest?.(".findbar")) return;
      event.preventDefault();
      event.stopPropagation();
      props.find.close();
    }
  };
  onMount(() => {
    const observer = new MutationObserver(markSoon);
    observer.observe(scroller(), { childList: true, characterData: true, subtree: true });
    const onScroll = () => markSoon();
    window.addEventListener("keydown", onKeyDown, { capture: true });
    props.frame.addEventListener("scroll", onScroll, { capture: true });
    onCleanup(() => {
      searches++; // discards pending results
      observer.disconnect();
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      props.frame.removeEventListener("scroll", onScroll, { capture: true });
      clearTimeout(timer);
      clear(overlay);
    });
  });

  const says = () => {
    const result = found();
    if (failure()) return failure();
    if (!result || text() === "") return "";
    if (matches().total === 0) return messages.chat.find.none;
    return messages.chat.find.count(at() + 1, result.total, !!result.capped);
  };
  return (
    <>
      <div class="find-marks" aria-hidden="true" ref={overlay} />
      {/* biome-ignore lint/a11y/useSemanticElements: older webviews don't support the search element. */}
      <div class="findbar" role="search" aria-label={messages.chat.find.label}>
        <input
          ref={field}
          class="find-field"
          type="search"
          spellcheck={false}
          aria-label={messages.chat.find.field}
          placeholder={messages.chat.find.field}
          onInput={onInput}
        />
        <span class="num subtle" role="status">
          {says()}
        </span>
        <IconButton small icon={ChevronUp} label={messages.chat.find.previous} onClick={() => go(at() - 1)} />
        <IconButton small icon={ChevronDown} label={messages.chat.find.next} onClick={() => go(at() + 1)} />
        <IconButton small icon={X} label={messages.chat.find.close} onClick={() => props.find.close()} />
      </div>
    </>
  );
}
