// A virtualized scrolling list for large numbers of rows, such as lines of a diff or of output, messages, or files.
// Rows are identified by index or, if `rowKey` is set, by key. If `follow` is set, the list scrolls to new rows, but
// only while the user is at its end.

import {
  createEffect,
  createMemo,
  createSignal,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  untrack,
} from "solid-js";

/** Maximum distance from the view, in pixels, at which rows are rendered. */
const overscan = 400;
/** The list follows its end if the view is at most this many pixels away from the end. */
const followDistance = 48;
/** Assumed height of the view, in pixels, before it is measured. */
const unmeasured = 800;

/** Functions with which the owner of a list controls it. */
export interface RowsControl {
  toEnd(): void;
  toTop(): void;
  /** Scrolls a row into view. */
  show(index: number): void;
  focus(): void;
  /** Returns the element of a rendered row. */
  row(index: number): HTMLElement | undefined;
  /** Returns the first visible row and how far the view is scrolled into it. */
  position(): RowsPosition;
  restorePosition(place: RowsPosition): void;
}

export interface RowsPosition {
  index: number;
  offset: number;
}

export interface RowsProps {
  count: number;
  /** Returns the height of a row in pixels for a given line height. */
  height(index: number, line: number): number;
  /**
   * If set, rows are measured, because they may be taller than `height` returns. They are measured again
   * whenever this value changes.
   */
  measure?: unknown;
  /**
   * Returns a row's key, which preserves the row's element and measured height when other rows are
   * inserted.
   */
  rowKey?(index: number): string;
  /**
   * Renders a row. A row with a key may move, so its content must depend on the key and not on its
   * initial index.
   */
  children(index: number, key: string): JSX.Element;
  class: string;
  classList?: Record<string, boolean>;
  role: "region" | "table" | "tree" | "list";
  /** Role of the element that contains the rows. */
  inner?: "rowgroup" | "presentation";
  label: string;
  id?: string;
  busy?: boolean;
  rowCount?: number;
  /** Minimum width of the rows, as CSS. */
  minWidth?: string;
  style?: JSX.CSSProperties;
  focusable?: boolean;
  follow?: boolean;
  onEnd?(atEnd: boolean): void;
  /** Called when the user scrolls close to the end. */
  onNear?(): void;
  onWidth?(width: number): void;
  onKeyDown?(event: KeyboardEvent): void;
  control?(control: RowsControl): void;
}

export function Rows(props: RowsProps) {
  let scroller!: HTMLDivElement;
  const drawn = new Map<number | string, HTMLElement>();
  const heights = new Map<number | string, number>();
  const keyOf = (index: number) => props.rowKey?.(index) ?? index;
  const [top, setTop] = createSignal(0);
  const [view, setView] = createSignal(unmeasured);
  const [line, setLine] = createSignal(18);
  const [measured, setMeasured] = createSignal(0);
  let glued = true;
  /** The focused element inside a row, recorded before the set of rendered rows changes. */
  let focused: HTMLElement | undefined;

  /**
   * offsets[i] is the position of the top of row i, in pixels. The last entry is the position of the end of
   * the list.
   */
  const offsets = createMemo(() => {
    measured();
    const out = new Float64Array(props.count + 1);
    const high = line();
    for (let i = 0, at = 0; i < props.count; i++) {
      at += heights.get(keyOf(i)) ?? props.height(i, high);
      out[i + 1] = at;
    }
    return out;
  });
  const indexAt = (y: number) => {
    const all = offsets();
    let [low, high] = [0, Math.max(0, props.count - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((all[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const range = createMemo(
    () => [indexAt(top() - overscan), Math.min(props.count, indexAt(top() + view() + overscan) + 1)] as const,
    undefined,
    { equals: (a, b) => a[0] === b[0] && a[1] === b[1] },
  );
  const shown = createMemo(() => {
    const [from, to] = range();
    const active = document.activeElement;
    for (const row of drawn.values()) if (row.contains(active)) focused = active as HTMLElement;
    return Array.from({ length: to - from }, (_, i) => keyOf(from + i));
  });
  const total = () => offsets()[props.count] ?? 0;

  const scrollTo = (y: number) => {
    scroller.scrollTop = y;
    setTop(scroller.scrollTop);
  };
  const noteEnd = () => {
    glued = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= followDistance;
    props.onEnd?.(glued);
  };
  /** measureDrawn measures the rendered rows and keeps the visible content in place. */
  const measureDrawn = () => {
    if (props.measure === undefined) return;
    const first = untrack(() => indexAt(scroller.scrollTop));
    const into = scroller.scrollTop - (untrack(offsets)[first] ?? 0);
    let news = false;
    for (const [key, row] of drawn) {
      const height = row.getBoundingClientRect().height;
      if (height === 0 || Math.abs((heights.get(key) ?? untrack(line)) - height) < 0.5) continue;
      heights.set(key, height);
      news = true;
    }
    if (!news) return;
    setMeasured((n) => n + 1);
    if (first > 0) scrollTo((untrack(offsets)[first] ?? 0) + into);
  };

  props.control?.({
    toEnd: () => {
      glued = true;
      scrollTo(scroller.scrollHeight);
    },
    toTop: () => scroller.scrollTo({ top: 0, left: 0 }),
    show: (index) => {
      const all = offsets();
      const [from, to] = [all[index] ?? 0, all[index + 1] ?? 0];
      if (from < scroller.scrollTop) scrollTo(from);
      else if (to > scroller.scrollTop + view()) scrollTo(to - view());
    },
    focus: () => scroller.focus(),
    row: (index) => drawn.get(keyOf(index)),
    position: () => {
      const index = indexAt(scroller.scrollTop);
      return { index, offset: scroller.scrollTop - (offsets()[index] ?? 0) };
    },
    restorePosition: (place) => scrollTo((offsets()[place.index] ?? 0) + place.offset),
  });

  let width = 0;
  const observer = new ResizeObserver(() => {
    setView(scroller.clientHeight || unmeasured);
    setLine(Number.parseFloat(getComputedStyle(scroller).lineHeight) || 18);
    if (scroller.clientWidth !== width) {
      width = scroller.clientWidth;
      props.onWidth?.(width);
      heights.clear();
      setMeasured((n) => n + 1);
    }
    if (props.follow && glued) scrollTo(scroller.scrollHeight);
  });
  onMount(() => {
    observer.observe(scroller);
    onCleanup(() => observer.disconnect());
  });
  createEffect(
    on(
      () => props.measure,
      () => {
        if (!props.rowKey) heights.clear();
        setMeasured((n) => n + 1);
      },
      { defer: true },
    ),
  );
  // If the focused row is removed, the focus moves to the list. This effect comes first, because the
  // following ones may change the rows again.
  createEffect(() => {
    shown();
    const lost = focused;
    focused = undefined;
    if (!lost || document.activeElement !== document.body) return;
    (lost.isConnected ? lost : scroller).focus({ preventScroll: true });
  });
  createEffect(() => {
    shown();
    measured();
    measureDrawn();
  });
  createEffect(
    on(total, () => {
      if (props.follow && glued) scrollTo(scroller.scrollHeight);
      else setTop(scroller.scrollTop);
    }),
  );

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: every role that its owner can set allows a label.
    // biome-ignore lint/a11y/noStaticElementInteractions: its owner sets its role.
    <div
      ref={scroller}
      class={`rows ${props.class}`}
      classList={props.classList}
      style={props.style}
      role={props.role}
      id={props.id}
      aria-label={props.label}
      aria-busy={props.busy || undefined}
      aria-rowcount={props.rowCount}
      tabindex={props.focusable ? 0 : undefined}
      onScroll={() => {
        setTop(scroller.scrollTop);
        noteEnd();
        if (props.onNear && total() - top() - view() < overscan) props.onNear();
      }}
      onKeyDown={(event) => props.onKeyDown?.(event)}
    >
      <div
        class="rows-all"
        role={props.inner}
        style={{ height: `${total()}px`, "min-width": props.minWidth }}
      >
        <div style={{ height: `${offsets()[range()[0]] ?? 0}px` }} role={props.inner && "presentation"} />
        <For each={shown()}>
          {(key, at) => (
            <div
              class="rows-one"
              role={props.inner && "presentation"}
              ref={(row) => {
                drawn.set(key, row);
                onCleanup(() => drawn.get(key) === row && drawn.delete(key));
              }}
            >
              {props.children(typeof key === "number" ? key : untrack(() => range()[0] + at()), String(key))}
            </div>
          )}
        </For>
      </div>
    </div>
  );
}
