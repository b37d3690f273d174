// Decides whether a list follows its end. Any scrolling up by the user, however small, stops it; only
// scrolling down to the end resumes it. The list's own scrolling, and the browser's when the content
// shrinks, don't count. Only positions and inputs matter, not time.

/** A scroller's position and its maximum. */
export interface ScrollPosition {
  top: number;
  max: number;
}

/** Smaller differences are rounding errors. */
const minMove = 1;
/** Distance that counts as being at the end, for the same reason. */
const nearEnd = 2;

/** Follow holds the state of one list. */
export class Follow {
  /** Whether the end stays in view as content arrives. */
  follows: boolean;
  /** The last known scroll position. */
  private last = 0;
  /** Maximum scroll position of the frame on screen; content may have arrived since. */
  private reach = Number.POSITIVE_INFINITY;
  /** Whether the last input scrolls up: movement down isn't the user's then. */
  private isUp = false;
  /** Set during a scrollbar drag; on release the list follows its end unless the drag has left it. */
  private grabbed?: { toEnd: boolean };

  constructor(follows: boolean) {
    this.follows = follows;
  }

  /** put records a scroll position set by the list itself. */
  put(top: number): void {
    this.last = top;
  }

  /** painted records the maximum position of the next frame. */
  painted(most: number): void {
    this.reach = most;
  }

  /** up handles an input that scrolls up: it stops following before anything moves. */
  up(): void {
    this.isUp = true;
    this.follows = false;
  }

  /** free handles any other input. */
  free(): void {
    this.isUp = false;
  }

  /**
   * grab starts a scrollbar drag: a list that scrolled to its end meanwhile would revert each step of the
   * drag.
   */
  grab(): void {
    this.isUp = false;
    this.grabbed ??= { toEnd: this.follows };
    this.follows = false;
  }

  /** release ends the drag. */
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

/** isUpKey reports whether a key scrolls up by default. */
export function isUpKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return event.key === "Home" && !event.altKey;
  return upKeys.has(event.key) || (event.key === " " && event.shiftKey);
}

/** isInside reports whether an element is inside a nested scroll box, which scrolls first. */
export function isInside(from: EventTarget | null, scroller: Element): boolean {
  let each = from instanceof Element ? from : null;
  for (; each && each !== scroller; each = each.parentElement) {
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return true;
  }
  return each === null;
}

/** Callbacks for the user's inputs. */
export interface Inputs {
  /** An input scrolls up at the target. */
  up(at: EventTarget | null): void;
  /** The scrollbar is pressed. */
  grab(): void;
  /** The scrollbar is released. */
  release(): void;
  /** Any other input. */
  free(): void;
}

/** Width of an overlay scrollbar, which takes no layout width. */
const overlayWidth = 16;

/** isOnBar reports whether a pointer is on the scrollbar of a scroller. */
function isOnBar(event: PointerEvent, scroller: HTMLElement): boolean {
  const width = scroller.offsetWidth - scroller.clientWidth || overlayWidth;
  return event.target === scroller && event.clientX >= scroller.getBoundingClientRect().right - width;
}

/** watchRelease calls back once when the pointer that presses a scrollbar is released anywhere. */
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
  // Some engines dispatch no release event, and none during the drag.
  window.addEventListener("pointermove", (event) => event.buttons === 0 && end(), options);
}

/** watchInputs reports the user's inputs in a scroller. */
export function watchInputs(scroller: HTMLElement, { up, grab, release, free }: Inputs): void {
  const passive = { passive: true };
  const fields = "input, textarea, select, [contenteditable]";
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.defaultPrevented) return; // zooms, or is handled
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
