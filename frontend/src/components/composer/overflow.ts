// Hides parts of the composer's bar if space is short.

import { onCleanup, onMount } from "solid-js";

/**
 * createOverflow sets "tight" on a bar whose labels don't all fit: optional labels are then hidden, and the
 * buttons keep their accessible names.
 */
export function createOverflow(bar: () => HTMLElement): void {
  const fit = () => {
    const element = bar();
    element.classList.remove("tight");
    const isCut = [...element.querySelectorAll<HTMLElement>(".pick .lbl")].some(
      (label) => label.scrollWidth > label.clientWidth && label.clientWidth < maxLabel,
    );
    element.classList.toggle("tight", isCut || element.scrollWidth > element.clientWidth);
  };
  onMount(() => {
    const sizes = new ResizeObserver(fit);
    sizes.observe(bar());
    const words = new MutationObserver(fit);
    words.observe(bar(), { childList: true, subtree: true, characterData: true });
    onCleanup(() => {
      sizes.disconnect();
      words.disconnect();
    });
  });
}

/** Maximum width of a label (composer.css). */
const maxLabel = 160;
