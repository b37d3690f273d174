// A list of rows of any height, of which only those near the view are in the
// page. It keeps what is read where it is while rows come and go above and
// below it, and follows the end until the user scrolls up (follow.ts).

import {
  createEffect,
  createMemo,
  createSignal,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
} from "solid-js";
import { type Anchor, offBy, partAt, shifted } from "./anchor";
import { Drawings, DrawingsContext } from "./drawing";
import { Follow, isInside, watchInputs } from "./follow";

/** Within this distance of the end there is no need for a way there. */
const endDistance = 48;
/** How far beyond the view rows are kept in the page. */
const overscan = 700;
/** How far beyond the view a long text is drawn before a frame is shown, and after it. */
const drawnNow = 150;
const drawnSoon = 1000;
/** How often a change may cause another before the next frame goes on with it. */
const mostRounds = 12;
/** How near to the first and to the last row others are asked for. */
const edgeDistance = 1200;
/** How far beyond the view rows are near; letting go of others asks for none again. */
const nearDistance = 2 * edgeDistance;
/** How many heights of rows that are not in the list are remembered. */
const mostHeights = 2000;
/** How much of a row may be out of view for it to count as seen: less than the row of buttons at its end. */
const unseenAtMost = 40;

/** Where a list stood, to stand there again. */
export interface Place {
  glued: boolean;
  anchor?: Anchor;
}

/** What the owner of a list may do with it. */
export interface ListControl {
  toEnd(): void;
  toKey(key: string): void;
  /** Brings a part of a row into view; one that is in view stays where it is. */
  toPart(key: string, part: Element | Range): void;
  /** Keeps a row where it is while it changes its height, even at the end. */
  hold(key: string): void;
  atEnd(): boolean;
  /** The key of the first row that is seen. */
  firstSeen(): string | undefined;
  /** The keys of the first and the last row that are seen or near to the view. */
  near(): readonly [string | undefined, string | undefined];
  /** Whether a row is in view: all of it, or as much as fits. */
  isSeen(key: string): boolean;
}

export interface VirtualListProps {
  keys: string[];
  /** Changes with what the rows are made of, also where that is more of the same row. */
  bounds: string;
  /** The height of a row that was never seen. */
  estimate(key: string): number;
  children(key: string): JSX.Element;
  label: string;
  place?: Place;
  onPlace?(place: Place): void;
  /** Whether nothing comes after the last row: only then there is an end to follow. */
  ends: boolean;
  onNearTop(): void;
  onNearEnd(): void;
  /** Rows came or went, and what is read stands where it was. */
  onRows(): void;
  control(control: ListControl): void;
  /** More room stands above a row that does not go on from the one before. */
  isApart?(key: string): boolean;
  /** Stands above the first row. */
  head?: JSX.Element;
  /** Stands below the last one. */
  foot?: JSX.Element;
}

export function VirtualList(props: VirtualListProps) {
  let scroller!: HTMLDivElement;
  let list!: HTMLDivElement;

  const heights = new Map<string, number>();
  const rows = new Map<string, HTMLElement>();
  const [layout, setLayout] = createSignal(0);
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(0);
  const [atEnd, setAtEnd] = createSignal(true);
  let gap = 16;
  let lead = 0;
  // Where a place is not here any more, the end is.
  let anchor = props.keys.includes(props.place?.anchor?.key ?? "") ? props.place?.anchor : undefined;
  const follow = new Follow(props.ends && (props.place?.glued !== false || !anchor));
  const drawings = new Drawings(() => settle());
  /** A hidden list has no place; it gets back the one that it had. */
  let wasHidden = false;
  let keysBefore = props.keys;

  /** offsets[i] is where row i begins; the last one is where the list ends. */
  const offsets = createMemo(() => {
    layout();
    const keys = props.keys;
    const out = new Float64Array(keys.length + 1);
    let at = 0;
    for (let i = 0; i < keys.length; i++) {
      out[i] = at;
      const key = keys[i] as string;
      at += (heights.get(key) ?? props.estimate(key)) + gap;
    }
    out[keys.length] = Math.max(0, at - gap);
    return out;
  });

  const indexAt = (y: number) => {
    const all = offsets();
    let [low, high] = [0, Math.max(0, props.keys.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((all[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const range = createMemo(
    () => {
      const view = height() || 800;
      const from = indexAt(top() - lead - overscan);
      const to = Math.min(props.keys.length, indexAt(top() - lead + view + overscan) + 1);
      return [from, to] as const;
    },
    undefined,
    { equals: (a, b) => a[0] === b[0] && a[1] === b[1] },
  );
  const shown = createMemo(() => props.keys.slice(...range()));
  const before = () => offsets()[range()[0]] ?? 0;
  const after = () => (offsets()[props.keys.length] ?? 0) - ((offsets()[range()[1]] ?? 0) - gap);

  const seenTop = () => scroller.getBoundingClientRect().top;

  /** noteAnchor remembers which row is read now, and how far below the edge it begins. */
  const noteAnchor = () => {
    const edge = seenTop();
    for (const key of shown()) {
      const row = rows.get(key);
      const box = row?.getBoundingClientRect();
      if (row && box && box.height > 0 && box.bottom > edge && box.top < edge + scroller.clientHeight) {
        anchor = { key, offset: box.top - edge, part: partAt(row, edge) };
        return;
      }
    }
    // A long leap ends where no row is drawn yet: the offsets say which it is.
    const at = indexAt(scroller.scrollTop - lead);
    const key = props.keys[at];
    if (key !== undefined) anchor = { key, offset: lead + (offsets()[at] ?? 0) - scroller.scrollTop };
  };

  /** isHeld reports whether the row that is held on to is in view still. */
  const isHeld = () => {
    const box = anchor && rows.get(anchor.key)?.getBoundingClientRect();
    const edge = seenTop();
    return !!box && box.height > 0 && box.bottom > edge && box.top < edge + scroller.clientHeight;
  };

  const most = () => scroller.scrollHeight - scroller.clientHeight;
  const distance = () => most() - scroller.scrollTop;

  const scrollTo = (y: number) => {
    scroller.scrollTop = y;
    follow.put(scroller.scrollTop);
    setTop(scroller.scrollTop);
  };

  /** noteMove takes in what the user has scrolled, which an event may not have told yet. */
  const noteMove = () => {
    const followed = follow.follows;
    const by = follow.moved({ top: scroller.scrollTop, most: most() });
    if (by === 0) return;
    if (followed && !follow.follows) noteAnchor();
    else if (anchor) anchor = shifted(anchor, by);
  };

  /** measureShown takes the heights of the rows that are drawn; true where one is news. */
  const measureShown = () => {
    let news = false;
    for (const key of shown()) {
      const size = rows.get(key)?.getBoundingClientRect().height ?? 0;
      if (size === 0 || heights.get(key) === size) continue;
      heights.set(key, size);
      news = true;
    }
    if (news) setLayout((n) => n + 1);
    return news;
  };

  /** restore scrolls to where the list should stand; true where it was elsewhere. */
  const restore = () => {
    const before = scroller.scrollTop;
    if (follow.follows) {
      // A list that is shorter than its frame has no distance to go, and its rows are at the top.
      if (distance() >= 0.5) scrollTo(scroller.scrollHeight);
      else scrollTo(before);
    } else if (anchor) {
      const off = offBy(anchor, rows.get(anchor.key), seenTop());
      const at = off === undefined ? props.keys.indexOf(anchor.key) : -1;
      if (off !== undefined && Math.abs(off) >= 0.5) scrollTo(before + off);
      else if (at >= 0) scrollTo(lead + (offsets()[at] ?? 0) - anchor.offset);
    }
    return Math.abs(scroller.scrollTop - before) >= 0.5;
  };

  /** isShown reports whether the list has a place on the screen. */
  const isShown = () => {
    const isHidden = height() > 0 && scroller.clientHeight === 0;
    if (wasHidden && !isHidden) follow.put(scroller.scrollTop);
    wasHidden = isHidden;
    return !isHidden;
  };

  /**
   * settle puts the list where it should stand after a change. To scroll draws
   * other rows, whose heights are news again, until nothing moves.
   */
  const settle = () => {
    if (!isShown()) return;
    noteMove();
    follow.follows &&= props.ends;
    measureLead();
    for (let round = 0; round < mostRounds; round++) {
      const news = measureShown();
      const moved = restore();
      const edge = seenTop();
      const drew = drawings.draw(edge - drawnNow, edge + scroller.clientHeight + drawnNow);
      if (!moved && !news && !drew) break;
    }
    follow.put(scroller.scrollTop);
    // What cannot stand where it did, since the end is nearer, is read where it stands.
    const off = anchor && offBy(anchor, rows.get(anchor.key), seenTop());
    if (!follow.follows && Math.abs(off ?? 0) >= 1) noteAnchor();
    setAtEnd(props.ends && distance() <= endDistance);
    drawSoon();
  };

  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** drawSoon draws a slice of what is around the view once the next frame is shown, and so on until all is there. */
  const drawSoon = () => {
    frame ||= requestAnimationFrame(() => {
      timer = setTimeout(() => {
        frame = 0;
        const edge = seenTop();
        if (drawings.drawSlice(edge - drawnSoon, edge + scroller.clientHeight + drawnSoon)) settle();
      });
    });
  };

  const onScroll = () => {
    if (!isShown()) return;
    noteMove();
    // Rows that come into the page push others: the anchor is from before.
    if (!isHeld()) noteAnchor();
    setTop(scroller.scrollTop);
    settle();
    follow.painted(most());
    noteAnchor();
    askForMore();
  };

  /** letGo stops following the end for an input that scrolls up, before the next piece of text takes the list back there. */
  const letGo = (from: EventTarget | null) => {
    // A box within moves first: where the list moves after it, its place tells.
    if (scroller.scrollTop <= 0 || isInside(from, scroller)) return;
    if (follow.follows) noteAnchor();
    follow.up();
  };
  /** askForMore asks for what comes before and after the rows, where the view is near to it. */
  const askForMore = () => {
    if (scroller.scrollTop < edgeDistance) props.onNearTop();
    if (!props.ends && distance() < edgeDistance) props.onNearEnd();
  };

  /** keepAnchor finds another row to hold on to where the one that was held is gone. */
  const keepAnchor = (before: readonly string[]) => {
    if (!anchor || follow.follows) return;
    const here = new Set(props.keys);
    const from = before.indexOf(anchor.key);
    if (here.has(anchor.key) || from < 0) return;
    const high = (at: number) => (heights.get(before[at] as string) ?? 0) + gap;
    for (let [at, offset] = [from, anchor.offset]; at < before.length; offset += high(at++)) {
      const key = before[at] as string;
      if (here.has(key)) {
        anchor = { key, offset };
        return;
      }
    }
    for (let [at, offset] = [from - 1, anchor.offset]; at >= 0; at--) {
      offset -= high(at);
      const key = before[at] as string;
      if (here.has(key)) {
        anchor = { key, offset };
        return;
      }
    }
  };

  /** forgetHeights keeps what is remembered of rows that are gone in bounds. */
  const forgetHeights = () => {
    if (heights.size <= props.keys.length + mostHeights) return;
    const here = new Set(props.keys);
    for (const key of heights.keys()) if (!here.has(key)) heights.delete(key);
  };

  const observer = new ResizeObserver((entries) => {
    if (entries.some((entry) => entry.target === scroller) && scroller.clientHeight > 0) {
      setHeight(scroller.clientHeight);
      measure();
    }
    settle();
    follow.painted(most());
  });

  /** measureLead takes what stands above the first row: padding, and the head where there is one. */
  const measureLead = () => {
    const first = list.querySelector<HTMLElement>(":scope > .space, :scope > .entry");
    if (first) lead = first.getBoundingClientRect().top - list.getBoundingClientRect().top;
  };
  const measure = () => {
    gap = Number.parseFloat(getComputedStyle(list).rowGap) || 0;
    measureLead();
    setLayout((n) => n + 1);
  };

  const register = (key: string, row: HTMLElement) => {
    rows.set(key, row);
    observer.observe(row);
    onCleanup(() => {
      observer.unobserve(row);
      if (rows.get(key) === row) rows.delete(key);
    });
  };

  const jump = (key: string) => {
    const at = props.keys.indexOf(key);
    if (at < 0) return;
    follow.follows = false;
    anchor = { key, offset: gap };
    scrollTo((offsets()[at] ?? 0) + lead - anchor.offset);
    settle();
  };

  props.control({
    toEnd() {
      follow.follows = true;
      setTop(offsets()[props.keys.length] ?? 0);
      settle();
    },
    toKey: jump,
    toPart(key, part) {
      const row = rows.get(key);
      if (!row) return;
      const edge = seenTop();
      const box = part.getBoundingClientRect();
      follow.follows = false;
      const element = part instanceof Element ? part : part.startContainer.parentElement;
      const isIn = box.top >= edge + gap && box.bottom <= edge + scroller.clientHeight - gap;
      const room = Math.max(gap, Math.min(scroller.clientHeight / 4, scroller.clientHeight - box.height));
      const by = isIn ? 0 : box.top - edge - room;
      const held = element && { element, offset: element.getBoundingClientRect().top - edge };
      anchor = shifted({ key, offset: row.getBoundingClientRect().top - edge, part: held ?? undefined }, by);
      restore();
      settle();
    },
    hold(key) {
      const row = rows.get(key);
      if (!row) return;
      follow.follows = false;
      anchor = { key, offset: row.getBoundingClientRect().top - seenTop() };
    },
    atEnd,
    near() {
      const view = [top() - lead - nearDistance, top() - lead + (height() || 800) + nearDistance] as const;
      return [props.keys[indexAt(view[0])], props.keys[indexAt(view[1])]];
    },
    firstSeen: () => anchor?.key ?? props.keys[indexAt(top() - lead)],
    isSeen(key) {
      layout();
      const at = props.keys.indexOf(key);
      if (at < 0) return false;
      const begins = lead + (offsets()[at] ?? 0);
      const ends = lead + (offsets()[at + 1] ?? 0) - gap;
      const seen = Math.min(ends, top() + height()) - Math.max(begins, top());
      return seen >= Math.min(ends - begins, height()) - unseenAtMost;
    },
  });

  onMount(() => {
    measure();
    setHeight(scroller.clientHeight);
    observer.observe(scroller);
    watchInputs(scroller, { up: letGo, free: () => follow.free() });
    settle();
    askForMore();
  });
  // Rows that come or go change what stands above; what is read stays.
  createEffect(
    on(
      [() => props.keys, () => props.bounds],
      ([now]) => {
        noteMove();
        follow.follows &&= props.ends;
        keepAnchor(keysBefore);
        keysBefore = now;
        forgetHeights();
        settle();
        props.onRows();
        askForMore();
      },
      { defer: true },
    ),
  );
  onCleanup(() => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    const { key, offset } = anchor ?? {};
    props.onPlace?.({
      glued: follow.follows,
      anchor: key === undefined || offset === undefined ? undefined : { key, offset },
    });
  });

  return (
    <div class="scroll" ref={scroller} onScroll={onScroll}>
      <div class="transcript" role="log" aria-live="off" aria-label={props.label} ref={list}>
        {props.head}
        <Show when={range()[0] > 0}>
          <div class="space" style={{ height: `${before() - gap}px` }} />
        </Show>
        <DrawingsContext.Provider value={drawings}>
          <For each={shown()}>
            {(key) => (
              <div
                class="entry"
                classList={{ apart: props.isApart?.(key) === true }}
                data-key={key}
                ref={(row) => register(key, row)}
              >
                {props.children(key)}
              </div>
            )}
          </For>
        </DrawingsContext.Provider>
        <Show when={range()[1] < props.keys.length}>
          <div class="space" style={{ height: `${Math.max(0, after() - gap)}px` }} />
        </Show>
        {props.foot}
      </div>
    </div>
  );
}
