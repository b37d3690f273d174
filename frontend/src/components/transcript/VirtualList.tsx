// A virtualized list of rows of any height. It keeps the visible content in place while rows are added
// and removed above and below it, and follows the end until the user scrolls up (see follow.ts). Rows with an end of
// the selection stay rendered, because a browser shortens a selection if its ends are removed.

import { createEffect, createMemo, createSignal, on, onCleanup, onMount } from "solid-js";
import { afterFrame } from "../../lib/frames";
import { sameList } from "../../lib/lists";
import { moveTo, offsetError, partAt, shifted } from "./anchor";
import { Drawings, DrawingsContext } from "./drawing";
import { Follow, isInside, watchInputs } from "./follow";
import type { VirtualListProps } from "./list";
import { createRows } from "./rows";
import { Sequence } from "./Sequence";
import { createSelection } from "./selection";
import "./transcript.css";

/** The button that scrolls to the end is hidden if the view is at most this many pixels from the end. */
const endDistance = 48;
/** Distance in pixels beyond the view within which rows are rendered. */
const overscan = 700;
/**
 * Long texts within this distance of the view, in pixels, are rendered before the next frame is drawn. Texts within
 * prerenderDistance are rendered after it.
 */
const renderDistance = 150;
const prerenderDistance = 1000;
/** Maximum number of layout rounds per frame; remaining work waits for the next frame. */
const maxRounds = 12;
/** Distance in pixels from the first or last row within which more rows are requested. */
const edgeDistance = 1200;
/**
 * Rows within this distance of the view, in pixels, count as near and aren't evicted. The distance is larger than
 * edgeDistance, so that evicted rows aren't immediately requested again.
 */
const nearDistance = 2 * edgeDistance;
/**
 * A row counts as seen if at most this many pixels of its height are hidden. The value is less than the height of the
 * buttons at the row's end.
 */
const maxHidden = 40;

/** Prefix of the cells that stand for gaps. No row's key starts with it. */
const gapPrefix = "\0";

export function VirtualList(props: VirtualListProps) {
  let scroller!: HTMLDivElement;
  let list!: HTMLDivElement;

  const rows = createRows(() => props.keys, props.estimate);
  const drawn = new Map<string, HTMLElement>();
  // If the row at the stored position no longer exists, the list starts at its end or, if the end isn't
  // loaded, at its first row.
  let anchor = props.keys.includes(props.scrollState?.anchor?.key ?? "")
    ? props.scrollState?.anchor
    : undefined;
  const [follows, setFollows] = createSignal(props.ends && (props.scrollState?.follows !== false || !anchor));
  const follow = new Follow(follows(), setFollows);
  /** beginning returns the estimated initial scroll position, so that rows far from it are never rendered. */
  const beginning = () => {
    if (follow.follows) return rows.end();
    return anchor ? Math.max(0, rows.start(props.keys.indexOf(anchor.key)) - anchor.offset) : 0;
  };
  const [top, setTop] = createSignal(beginning());
  const [height, setHeight] = createSignal(0);
  const [atEnd, setAtEnd] = createSignal(true);
  let lead = 0;
  const drawings = new Drawings(() => settle(), follows);
  /** Whether the list was hidden. A hidden list loses its scroll position, which is restored afterward. */
  let wasHidden = false;
  let keysBefore = props.keys;

  const range = createMemo(
    () => {
      const view = height() || 800;
      const from = rows.indexAt(top() - lead - overscan);
      const to = Math.min(props.keys.length, rows.indexAt(top() - lead + view + overscan) + 1);
      return [from, to] as const;
    },
    undefined,
    { equals: (a, b) => a[0] === b[0] && a[1] === b[1] },
  );
  const selection = createSelection({ props, list: () => list, rowOf: (key) => drawn.get(key) });
  /** The indexes of the rendered rows, in order. */
  const shownAt = createMemo<readonly number[]>(
    () => {
      const [from, to] = range();
      const held = selection.held();
      const apart = held.length === 0 ? [] : held.map((key) => props.keys.indexOf(key));
      const isApart = (at: number) => at >= 0 && (at < from || at >= to);
      const near = Array.from({ length: to - from }, (_, n) => from + n);
      return [...new Set([...apart.filter(isApart), ...near])].sort((a, b) => a - b);
    },
    [],
    { equals: sameList },
  );
  const shown = createMemo(() => shownAt().map((at) => props.keys[at] as string), [], { equals: sameList });
  /** The index of the first row of each gap between the rendered rows, and the index after its last row, by cell. */
  const gaps = createMemo(() => {
    const out = new Map<string, readonly [number, number]>();
    const all = shownAt();
    let next = 0;
    for (const at of [...all, props.keys.length]) {
      const name = at === props.keys.length ? "end" : next === 0 ? "start" : (props.keys[next - 1] as string);
      if (at > next) out.set(`${gapPrefix}${name}`, [next, at]);
      next = at + 1;
    }
    return out;
  });
  /** The keys of the rendered rows, and the gaps between them. */
  const cells = createMemo(
    () => {
      const byStart = new Map([...gaps()].map(([cell, [from]]) => [from, cell]));
      const all = shownAt();
      const out: string[] = byStart.has(0) && all[0] !== 0 ? [byStart.get(0) as string] : [];
      for (const at of all) {
        out.push(props.keys[at] as string);
        const gap = byStart.get(at + 1);
        if (gap !== undefined) out.push(gap);
      }
      return out;
    },
    [],
    { equals: sameList },
  );
  const spaceOf = (cell: string) => {
    const [from, to] = gaps().get(cell) ?? [0, 0];
    const end = to === props.keys.length ? rows.end() : rows.start(to) - rows.gap();
    return Math.max(0, end - rows.start(from));
  };

  const seenTop = () => scroller.getBoundingClientRect().top;

  /** noteAnchor records the first visible row and its offset from the upper edge of the view. */
  const noteAnchor = () => {
    const edge = seenTop();
    for (const key of shown()) {
      const row = drawn.get(key);
      const box = row?.getBoundingClientRect();
      if (row && box && box.height > 0 && box.bottom > edge && box.top < edge + scroller.clientHeight) {
        anchor = { key, offset: box.top - edge, part: partAt(row, edge) };
        return;
      }
    }
    // After a long jump, no row is rendered yet at the new position, so the row is found by its offset.
    const at = rows.indexAt(scroller.scrollTop - lead);
    const key = props.keys[at];
    if (key !== undefined) anchor = { key, offset: lead + rows.start(at) - scroller.scrollTop };
  };

  /** isHeld reports whether the anchor row is still in view. */
  const isHeld = () => {
    const box = anchor && drawn.get(anchor.key)?.getBoundingClientRect();
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

  /**
   * noteMove handles the user's scrolling since the last call. It doesn't wait for the scroll event,
   * which may arrive later.
   */
  const noteMove = () => {
    const followed = follow.follows;
    const by = follow.moved({ top: scroller.scrollTop, max: most() });
    if (by === 0) return;
    if (followed && !follow.follows) noteAnchor();
    else if (anchor) anchor = shifted(anchor, by);
  };

  /** measureShown measures the rendered rows and returns whether a height changed. */
  const measureShown = () =>
    rows.measure(shown().map((key) => [key, drawn.get(key)?.getBoundingClientRect().height ?? 0]));

  /** restore scrolls to the target position and returns whether the scroll position changed. */
  const restore = () => {
    const before = scroller.scrollTop;
    if (follow.follows) {
      // If the rows don't fill the view, the list can't scroll and shows them at the top.
      if (distance() >= 0.5) scrollTo(scroller.scrollHeight);
      else scrollTo(before);
    } else if (anchor) {
      const off = offsetError(anchor, drawn.get(anchor.key), seenTop());
      const at = off === undefined ? props.keys.indexOf(anchor.key) : -1;
      if (off !== undefined && Math.abs(off) >= 0.5) scrollTo(before + off);
      else if (at >= 0) scrollTo(lead + rows.start(at) - anchor.offset);
    }
    return Math.abs(scroller.scrollTop - before) >= 0.5;
  };

  /** isShown reports whether the list is visible. */
  const isShown = () => {
    const isHidden = height() > 0 && scroller.clientHeight === 0;
    if (wasHidden && !isHidden) follow.put(scroller.scrollTop);
    wasHidden = isHidden;
    return !isHidden;
  };

  /**
   * settle restores the position after a change. Scrolling causes other rows to be rendered, which may move the content
   * again, so settle repeats the steps until nothing moves, at most maxRounds times.
   */
  const settle = () => {
    if (!isShown()) return;
    noteMove();
    follow.follows &&= props.ends;
    measureLead();
    for (let round = 0; round < maxRounds; round++) {
      const news = measureShown();
      const moved = restore();
      const edge = seenTop();
      const drew = drawings.draw(edge - renderDistance, edge + scroller.clientHeight + renderDistance);
      if (!moved && !news && !drew) break;
    }
    follow.put(scroller.scrollTop);
    // If the content can't return to its position because the list has become too short, the new position
    // becomes the anchor.
    const off = anchor && offsetError(anchor, drawn.get(anchor.key), seenTop());
    if (!follow.follows && Math.abs(off ?? 0) >= 1) noteAnchor();
    setAtEnd(props.ends && distance() <= endDistance);
    drawSoon();
  };

  let callOff: (() => void) | undefined;
  /**
   * drawSoon renders a slice of the long texts around the view after the next frame, and repeats this
   * until all text around the view is rendered.
   */
  const drawSoon = () => {
    callOff ??= afterFrame(() => {
      callOff = undefined;
      const edge = seenTop();
      if (drawings.drawSlice(edge - prerenderDistance, edge + scroller.clientHeight + prerenderDistance))
        settle();
    });
  };

  const onScroll = () => {
    if (!isShown()) return;
    noteMove();
    selection.note();
    // setTop renders other rows, which may push the visible ones away, so the anchor is recorded first.
    if (!isHeld()) noteAnchor();
    setTop(scroller.scrollTop);
    settle();
    follow.painted(most());
    noteAnchor();
    askForMore();
  };

  /**
   * stopFollowing is called when the user scrolls up. The list then no longer follows its end, so new text doesn't
   * scroll it down.
   */
  const stopFollowing = (from: EventTarget | null) => {
    // A nested scroll box scrolls first. If the list scrolls after it, onScroll handles that.
    if (scroller.scrollTop <= 0 || isInside(from, scroller)) return;
    if (follow.follows) noteAnchor();
    follow.up();
  };
  let releasing = 0;
  /**
   * grab leaves scrolling to the user while they drag the scrollbar. During the drag, the list's height is
   * fixed, because Chromium reverts any step of a drag that coincides with a height change.
   */
  const grab = () => {
    cancelAnimationFrame(releasing);
    noteMove();
    noteAnchor();
    follow.grab();
    list.style.height = `${list.offsetHeight}px`;
  };
  /** release waits for the last step of the drag, which arrives with the next frame. */
  const release = () => {
    releasing = requestAnimationFrame(() => {
      noteMove();
      follow.release();
      list.style.height = "";
      settle();
    });
  };
  onCleanup(() => cancelAnimationFrame(releasing));

  /** askForMore requests earlier or later rows if the view is near an edge. */
  const askForMore = () => {
    if (scroller.scrollTop < edgeDistance) props.onNearTop();
    if (!props.ends && distance() < edgeDistance) props.onNearEnd();
  };

  /** keepAnchor selects another anchor row if the current one was removed. */
  const keepAnchor = (before: readonly string[]) => {
    if (!anchor || follow.follows) return;
    const here = new Set(props.keys);
    if (!here.has(anchor.key))
      anchor = moveTo(anchor, before, here, (key) => rows.height(key) + rows.gap()) ?? anchor;
  };

  const observer = new ResizeObserver((entries) => {
    if (entries.some((entry) => entry.target === scroller) && scroller.clientHeight > 0) {
      setHeight(scroller.clientHeight);
      measure();
    }
    settle();
    follow.painted(most());
  });

  /** measureLead measures the space above the first row: padding and an optional head. */
  const measureLead = () => {
    const first = list.querySelector<HTMLElement>(":scope > .space, :scope > .entry");
    if (first) lead = first.getBoundingClientRect().top - list.getBoundingClientRect().top;
  };
  const measure = () => {
    rows.setGap(Number.parseFloat(getComputedStyle(list).rowGap) || 0);
    measureLead();
  };

  const register = (key: string, row: HTMLElement) => {
    drawn.set(key, row);
    observer.observe(row);
    onCleanup(() => {
      observer.unobserve(row);
      if (drawn.get(key) === row) drawn.delete(key);
    });
  };

  const jump = (key: string) => {
    const at = props.keys.indexOf(key);
    if (at < 0) return;
    follow.follows = false;
    anchor = { key, offset: rows.gap() };
    scrollTo(rows.start(at) + lead - anchor.offset);
    settle();
  };

  props.control({
    toEnd() {
      follow.follows = true;
      setTop(rows.end());
      settle();
    },
    toStart() {
      const [key] = props.keys;
      if (key === undefined) return;
      follow.follows = false;
      anchor = { key, offset: lead };
      scrollTo(0);
      settle();
    },
    page(step) {
      if (step < 0) stopFollowing(scroller);
      else follow.free();
      scroller.scrollTop += step * (scroller.clientHeight - maxHidden);
    },
    toKey: jump,
    toPart(key, part) {
      const row = drawn.get(key);
      if (!row) return;
      const edge = seenTop();
      const box = part.getBoundingClientRect();
      follow.follows = false;
      const element = part instanceof Element ? part : part.startContainer.parentElement;
      const isIn = box.top >= edge + rows.gap() && box.bottom <= edge + scroller.clientHeight - rows.gap();
      const room = Math.max(
        rows.gap(),
        Math.min(scroller.clientHeight / 4, scroller.clientHeight - box.height),
      );
      const by = isIn ? 0 : box.top - edge - room;
      const held = element && { element, offset: element.getBoundingClientRect().top - edge };
      anchor = shifted({ key, offset: row.getBoundingClientRect().top - edge, part: held ?? undefined }, by);
      restore();
      settle();
    },
    keepPosition(key) {
      const row = drawn.get(key);
      if (!row) return;
      follow.follows = false;
      anchor = { key, offset: row.getBoundingClientRect().top - seenTop() };
    },
    atEnd,
    near() {
      const view = [top() - lead - nearDistance, top() - lead + (height() || 800) + nearDistance] as const;
      return [props.keys[rows.indexAt(view[0])], props.keys[rows.indexAt(view[1])]];
    },
    held: selection.held,
    firstSeen: () => anchor?.key ?? props.keys[rows.indexAt(top() - lead)],
    isSeen(key) {
      const at = props.keys.indexOf(key);
      if (at < 0) return false;
      const begins = lead + rows.start(at);
      const ends = lead + rows.start(at + 1) - rows.gap();
      const seen = Math.min(ends, top() + height()) - Math.max(begins, top());
      return seen >= Math.min(ends - begins, height()) - maxHidden;
    },
  });

  onMount(() => {
    measure();
    setHeight(scroller.clientHeight);
    observer.observe(scroller);
    watchInputs(scroller, { up: stopFollowing, grab, release, free: () => follow.free() });
    settle();
    askForMore();
  });
  // Added or removed rows change the height above the view; the visible content stays in place.
  createEffect(
    on(
      [() => props.keys, () => props.bounds],
      ([now]) => {
        noteMove();
        follow.follows &&= props.ends;
        keepAnchor(keysBefore);
        keysBefore = now;
        rows.forget();
        settle();
        props.onRows();
        askForMore();
      },
      { defer: true },
    ),
  );
  onCleanup(() => {
    observer.disconnect();
    callOff?.();
    const { key, offset } = anchor ?? {};
    props.onScrollState?.({
      follows: follow.follows,
      anchor: key === undefined || offset === undefined ? undefined : { key, offset },
    });
  });

  return (
    <div class="scroll" ref={scroller} onScroll={onScroll}>
      <div class="transcript" role="log" aria-live="off" aria-label={props.label} ref={list}>
        {props.head}
        <DrawingsContext.Provider value={drawings}>
          <Sequence each={cells()}>
            {(cell) =>
              cell.startsWith(gapPrefix) ? (
                <div class="space" style={{ height: `${spaceOf(cell)}px` }} />
              ) : (
                <div
                  class="entry"
                  classList={{ apart: props.isApart?.(cell) === true }}
                  data-key={cell}
                  ref={(row) => register(cell, row)}
                >
                  {props.children(cell)}
                </div>
              )
            }
          </Sequence>
        </DrawingsContext.Provider>
        {props.foot}
      </div>
    </div>
  );
}
