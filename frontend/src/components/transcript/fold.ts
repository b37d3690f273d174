// Collapses a finished block: after a delay, its body shrinks, and then the block closes. It doesn't
// collapse while the user's focus or selection is in it.

import { onCleanup } from "solid-js";
import { isUsed, milliseconds } from "./motion";

export interface FoldOptions {
  details(): HTMLDetailsElement;
  body(): HTMLElement | undefined;
  mayFold(): boolean;
  onFolded(): void;
}

/** createFold returns two functions: one collapses a block, the other cancels the collapse. */
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
    // Reading the height forces a layout, so that the change to 0 is animated.
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
