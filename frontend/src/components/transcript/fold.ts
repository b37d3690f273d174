// How a block folds when its work is done: it lingers, its body shrinks, and
// only then it is closed. It does not fold under a user who is in it.

import { onCleanup } from "solid-js";
import { isUsed, milliseconds } from "./motion";

export interface FoldOptions {
  details(): HTMLDetailsElement;
  body(): HTMLElement | undefined;
  mayFold(): boolean;
  onFolded(): void;
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
