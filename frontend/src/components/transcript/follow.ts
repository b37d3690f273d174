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
    if (by < 0) this.follows = false;
    else if (!this.isUp && this.isAtEnd(now)) this.follows = true;
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
  /** It is any other input. */
  free(): void;
}

/** watchInputs tells of what the user does in a scroller. */
export function watchInputs(scroller: HTMLElement, { up, free }: Inputs): void {
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
  scroller.addEventListener("pointerdown", free, passive);
}
