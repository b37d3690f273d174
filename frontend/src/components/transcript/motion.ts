// What moving parts of a transcript share: how long, and what must not move.

/** milliseconds reads a duration token, which is 0 where motion is reduced. */
export function milliseconds(element: Element, token: string): number {
  const value = getComputedStyle(element).getPropertyValue(token).trim();
  const number = Number.parseFloat(value) || 0;
  // A build may write 900ms as .9s.
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
  /** The key of the fold that took a line in. */
  foldOf(key: string): string | undefined;
}

/** createJoins shrinks the room of lines that go into a fold; what the user has open or uses does not move. */
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
    /** note takes pictures of lines while they are still in the page. */
    note(keys: readonly string[]) {
      pictures = keys.flatMap((key) => {
        const fold = options.foldOf(key);
        const line = options.lineAt(key);
        if (!fold || !line || isOpen(line) || isUsed(line)) return [];
        return { fold, line: pictureOf(line) };
      });
    },
    /** move shrinks them below their folds. */
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
