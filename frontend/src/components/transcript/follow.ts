// Whether a list follows its end. Any movement up by the user lets go of it,
// however small; only a movement down that reaches the end takes it up again.
// What the list itself scrolls, and what the browser must when the content
// shrinks, are no movements. No time is looked at, only places and intents.

/** Where a scroller stands, and the farthest it can stand. */
export interface Stand {
  top: number;
  most: number;
}

/** A difference below this is the rounding of a place. */
const leastMove = 1;
/** How near to the end counts as the end, for the same reason. */
const nearEnd = 2;

/** Follow is the state of one list. */
export class Follow {
  /** The end stays in view while content comes. */
  follows: boolean;
  /** Where the scroller was put, or seen, last. */
  private last = 0;
  /** The farthest that the user could scroll in the frame on screen; content may have come since. */
  private reach = Number.POSITIVE_INFINITY;
  /** The last input moves up: what moves down now is not the user. */
  private isUp = false;
  /** The user holds the scrollbar; the end is followed on release, unless the drag has led away from it. */
  private grabbed?: { toEnd: boolean };

  constructor(follows: boolean) {
    this.follows = follows;
  }

  /** put notes where the list itself has scrolled to. */
  put(top: number): void {
    this.last = top;
  }

  /** painted notes the farthest place of the frame that is shown next. */
  painted(most: number): void {
    this.reach = most;
  }

  /** up is an input that scrolls the list up: it lets go before anything moves. */
  up(): void {
    this.isUp = true;
    this.follows = false;
  }

  /** free is any other input. */
  free(): void {
    this.isUp = false;
  }

  /** grab begins a drag of the scrollbar: a list that goes to its end meanwhile takes each step of the drag back. */
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

  private isAtEnd(now: Stand): boolean {
    return now.top >= Math.min(this.reach, now.most) - nearEnd;
  }

  /** moved returns how far the user scrolled since the last look, and decides what is followed. */
  moved(now: Stand): number {
    const by = now.top - this.last;
    if (Math.abs(by) < leastMove) return 0;
    this.last = now.top;
    // Where the content shrank, the browser goes back to its end.
    if (by < 0 && now.top > now.most - leastMove) return 0;
    const isToEnd = by > 0 && !this.isUp && this.isAtEnd(now);
    if (by < 0) this.follows = false;
    if (this.grabbed) this.grabbed.toEnd = by > 0 && (isToEnd || this.grabbed.toEnd);
    else if (isToEnd) this.follows = true;
    return by;
  }
}

const upKeys = new Set(["ArrowUp", "PageUp", "Home"]);

/** isUpKey reports whether a key scrolls up where nothing else takes it. */
export function isUpKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return event.key === "Home" && !event.altKey;
  return upKeys.has(event.key) || (event.key === " " && event.shiftKey);
}

/** isInside reports whether an element is in a box that scrolls within the scroller, and that moves first. */
export function isInside(from: EventTarget | null, scroller: Element): boolean {
  let each = from instanceof Element ? from : null;
  for (; each && each !== scroller; each = each.parentElement) {
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return true;
  }
  return each === null;
}

/** What is told of the user's inputs. */
export interface Inputs {
  /** Something scrolls up what the input is given to. */
  up(at: EventTarget | null): void;
  /** The scrollbar is pressed. */
  grab(): void;
  /** The scrollbar is let go of. */
  release(): void;
  /** It is any other input. */
  free(): void;
}

/** How wide a scrollbar is that lies over the content and takes no width from it. */
const overlayWidth = 16;

/** isOnBar reports whether a pointer is on the scrollbar of a scroller. */
function isOnBar(event: PointerEvent, scroller: HTMLElement): boolean {
  const width = scroller.offsetWidth - scroller.clientWidth || overlayWidth;
  return event.target === scroller && event.clientX >= scroller.getBoundingClientRect().right - width;
}

/** watchRelease calls back once, when the pointer that presses a scrollbar is released, wherever that is. */
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
  // An engine may keep the release to itself, as it does all of the drag.
  window.addEventListener("pointermove", (event) => event.buttons === 0 && end(), options);
}

/** watchInputs tells of what the user does in a scroller. */
export function watchInputs(scroller: HTMLElement, { up, grab, release, free }: Inputs): void {
  const passive = { passive: true };
  const fields = "input, textarea, select, [contenteditable]";
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.defaultPrevented) return; // it zooms, or is taken
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
