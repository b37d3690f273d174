// How a block folds when its work is done: it lingers, its body shrinks, and
// only then it is closed. It does not fold under a user who is in it.

import { onCleanup } from "solid-js";

export interface FoldOptions {
  details(): HTMLDetailsElement;
  body(): HTMLElement | undefined;
  mayFold(): boolean;
  onFolded(): void;
}

/** milliseconds reads a duration token, which is 0 where motion is reduced. */
function milliseconds(element: Element, token: string): number {
  const value = getComputedStyle(element).getPropertyValue(token).trim();
  const number = Number.parseFloat(value) || 0;
  // A build may write 900ms as .9s.
  return value.endsWith("ms") ? number : number * 1000;
}

/** isUsed says whether the user's focus or selection is inside an element. */
function isUsed(element: HTMLElement): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return !!selection && !selection.isCollapsed && selection.containsNode(element, true);
}

/** createFold gives what folds a block, and what takes that back. */
export function createFold(options: FoldOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    const body = options.body();
    if (!body) return;
    body.classList.remove("folding");
    body.style.removeProperty("height");
  };
  const close = () => {
    clear();
    options.details().open = false;
    options.onFolded();
  };
  const shrink = () => {
    const details = options.details();
    const body = options.body();
    if (!options.mayFold() || !body || !details.isConnected || isUsed(details)) return;
    const time = milliseconds(details, "--t-collapse");
    if (time === 0) {
      close();
      return;
    }
    body.style.height = `${body.offsetHeight}px`;
    body.classList.add("folding");
    // Reading the height makes the first one count, so that the change to 0 moves.
    void body.offsetHeight;
    body.style.height = "0px";
    timer = setTimeout(close, time);
  };
  onCleanup(clear);
  return {
    start() {
      clear();
      timer = setTimeout(shrink, milliseconds(options.details(), "--t-linger"));
    },
    cancel: clear,
  };
}
