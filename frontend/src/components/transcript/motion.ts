// Shared helpers for animations in a transcript: durations, and elements that must not move.

/** milliseconds returns the value of a duration token in milliseconds. With reduced motion, it returns 0. */
export function milliseconds(element: Element, token: string): number {
  const value = getComputedStyle(element).getPropertyValue(token).trim();
  const number = Number.parseFloat(value) || 0;
  // The CSS minifier may write 900ms as .9s.
  return value.endsWith("ms") ? number : number * 1000;
}

/** isUsed reports whether the user's focus or selection is inside an element. */
export function isUsed(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return !!selection && !selection.isCollapsed && selection.containsNode(element, true);
}

export interface JoinsOptions {
  lineAt(key: string): HTMLElement | null;
  /** Returns the key of the fold that absorbed a line. */
  foldOf(key: string): string | undefined;
}

/**
 * createJoins animates the collapse of lines into a fold; lines that the user has opened or is using
 * don't move.
 */
export function createJoins(options: JoinsOptions) {
  let pictures: { fold: string; line: HTMLElement }[] = [];
  const isOpen = (line: Element) => line.getAttribute("aria-expanded") === "true";
  const pictureOf = (line: HTMLElement) => {
    const picture = document.createElement("div");
    picture.className = line.className;
    picture.append(...line.cloneNode(true).childNodes);
    return picture;
  };
  return {
    /**
     * note clones the lines with the given keys while they are still in the DOM. A fold is about to absorb these lines.
     */
    note(keys: readonly string[]) {
      pictures = keys.flatMap((key) => {
        const fold = options.foldOf(key);
        const line = options.lineAt(key);
        if (!fold || !line || isOpen(line) || isUsed(line)) return [];
        return { fold, line: pictureOf(line) };
      });
    },
    /** move shows the clones below their folds and shrinks them. */
    move() {
      const all = pictures;
      pictures = [];
      for (const key of new Set(all.map(({ fold }) => fold))) {
        const line = options.lineAt(key);
        if (!line?.parentElement || isOpen(line)) continue;
        shrink(
          line.parentElement,
          all.flatMap((each) => (each.fold === key ? each.line : [])),
        );
      }
    },
  };
}

function shrink(fold: HTMLElement, lines: readonly HTMLElement[]): void {
  const time = milliseconds(fold, "--t-base");
  if (time === 0 || !fold.animate) return;
  const room = document.createElement("div");
  room.className = "joining";
  room.setAttribute("aria-hidden", "true");
  room.append(...lines);
  fold.append(room);
  const easing = getComputedStyle(fold).getPropertyValue("--ease-out").trim() || "ease-out";
  const frames = [{ height: `${room.offsetHeight}px` }, { height: "0px" }];
  const gone = () => room.remove();
  room.animate(frames, { duration: time, easing }).finished.then(gone, gone);
}
