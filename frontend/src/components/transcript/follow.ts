// Decides whether a list follows its end. The list stops when the user scrolls up, however little, and
// resumes only when the user scrolls down to the end. Scrolling by the list itself doesn't count, nor
// does scrolling by the browser when the content shrinks. The decision depends only on positions and
// inputs, not on time.

/** A scroller's current and maximum scroll positions. */
export interface ScrollPosition {
  top: number;
  max: number;
}

/** Minimum movement in pixels; anything smaller is a rounding error. */
const minMove = 1;
/** Distance from the end in pixels that still counts as being at the end, to allow for rounding errors. */
const nearEnd = 2;

/** Follow decides whether a list follows its end. */
export class Follow {
  /** The last known scroll position. */
  private last = 0;
  /** Maximum scroll position in the frame on screen. More content may have arrived after that frame. */
  private reach = Number.POSITIVE_INFINITY;
  /** Whether the user's last input scrolls up. If so, downward movement isn't caused by the user. */
  private isUp = false;
  /** Set during a scrollbar drag. toEnd is true if the list will follow its end after the drag. */
  private grabbed?: { toEnd: boolean };

  /** `changed` is called when `follows` changes. */
  constructor(
    private isFollowing: boolean,
    private readonly changed: (follows: boolean) => void = () => {},
  ) {}

  /** Whether the end stays in view as content arrives. */
  get follows(): boolean {
    return this.isFollowing;
  }

  set follows(follows: boolean) {
    if (follows === this.isFollowing) return;
    this.isFollowing = follows;
    this.changed(follows);
  }

  /** put records a scroll position set by the list itself. */
  put(top: number): void {
    this.last = top;
  }

  /** painted records the maximum scroll position of the frame that is about to be shown. */
  painted(most: number): void {
    this.reach = most;
  }

  /** up handles an input that scrolls up. The list stops following its end before anything moves. */
  up(): void {
    this.isUp = true;
    this.follows = false;
  }

  /** free handles any input that neither scrolls up nor presses the scrollbar. */
  free(): void {
    this.isUp = false;
  }

  /**
   * grab starts a scrollbar drag. The list doesn't follow its end during the drag, because that would
   * revert each step.
   */
  grab(): void {
    this.isUp = false;
    this.grabbed ??= { toEnd: this.follows };
    this.follows = false;
  }

  /** release ends the drag. The list then follows its end if the drag ended at the end. */
  release(): void {
    if (this.grabbed?.toEnd) this.follows = true;
    this.grabbed = undefined;
  }

  private isAtEnd(now: ScrollPosition): boolean {
    return now.top >= Math.min(this.reach, now.max) - nearEnd;
  }

  /** moved returns the distance that the user has scrolled since the last call, and updates the state. */
  moved(now: ScrollPosition): number {
    const by = now.top - this.last;
    if (Math.abs(by) < minMove) return 0;
    this.last = now.top;
    // If the content shrank, the browser scrolls to its new end.
    if (by < 0 && now.top > now.max - minMove) return 0;
    const isToEnd = by > 0 && !this.isUp && this.isAtEnd(now);
    if (by < 0) this.follows = false;
    if (this.grabbed) this.grabbed.toEnd = by > 0 && (isToEnd || this.grabbed.toEnd);
    else if (isToEnd) this.follows = true;
    return by;
  }
}

const upKeys = new Set(["ArrowUp", "PageUp", "Home"]);

/** isUpKey reports whether a key scrolls up by default in browsers. */
export function isUpKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return event.key === "Home" && !event.altKey;
  return upKeys.has(event.key) || (event.key === " " && event.shiftKey);
}

/**
 * isInside reports whether an input event at `from` doesn't scroll `scroller`, at least at first. This is the case if
 * `from` is in a nested scrollable element, which scrolls first, or outside of `scroller`.
 */
export function isInside(from: EventTarget | null, scroller: Element): boolean {
  let each = from instanceof Element ? from : null;
  for (; each && each !== scroller; each = each.parentElement) {
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return true;
  }
  return each === null;
}

/** Callbacks for the user's inputs that affect scrolling. */
export interface Inputs {
  /** Called for an input that scrolls up; `at` is the input's target. */
  up(at: EventTarget | null): void;
  /** Called when the user presses the scrollbar. */
  grab(): void;
  /** Called when the user releases the scrollbar. */
  release(): void;
  /** Called for any input that neither scrolls up nor presses the scrollbar. */
  free(): void;
}

/** Width in pixels of an overlay scrollbar, which takes no space in the layout. */
const overlayWidth = 16;

/** isOnBar reports whether a pointer event is on a scroller's scrollbar. */
function isOnBar(event: PointerEvent, scroller: HTMLElement): boolean {
  const width = scroller.offsetWidth - scroller.clientWidth || overlayWidth;
  return event.target === scroller && event.clientX >= scroller.getBoundingClientRect().right - width;
}

/**
 * watchRelease calls `release` once when the pointer that pressed a scrollbar is released, even outside
 * of the scrollbar.
 */
function watchRelease(release: () => void): void {
  const over = new AbortController();
  const options = { capture: true, passive: true, signal: over.signal };
  const end = () => {
    over.abort();
    release();
  };
  window.addEventListener("pointerup", end, options);
  window.addEventListener("pointercancel", end, options);
  window.addEventListener("blur", (event) => event.target === window && end(), options);
  // Some engines dispatch no pointer events during the drag, not even for the release: the first move without
  // a pressed button then ends the drag.
  window.addEventListener("pointermove", (event) => event.buttons === 0 && end(), options);
}

/** watchInputs reports the user's inputs in a scroller through the callbacks. */
export function watchInputs(scroller: HTMLElement, { up, grab, release, free }: Inputs): void {
  const passive = { passive: true };
  const fields = "input, textarea, select, [contenteditable]";
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.defaultPrevented) return; // the event zooms, or is already handled
      if (event.deltaY < 0 && !event.shiftKey) up(event.target);
      else if (event.deltaY > 0) free();
    },
    passive,
  );
  scroller.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const isField = event.target instanceof Element && event.target.closest(fields) !== null;
    if (isUpKey(event) && !isField) up(event.target);
    else free();
  });
  let touched = 0;
  const onTouch = (event: TouchEvent) => {
    const at = event.touches[0]?.clientY ?? 0;
    if (event.type === "touchmove" && at > touched) up(event.target);
    else free();
    touched = at;
  };
  scroller.addEventListener("touchstart", onTouch, passive);
  scroller.addEventListener("touchmove", onTouch, passive);
  const onPress = (event: PointerEvent) => {
    if (!isOnBar(event, scroller)) return free();
    grab();
    watchRelease(release);
  };
  scroller.addEventListener("pointerdown", onPress, passive);
}
