// Hides parts of the composer's bar when space is tight.

import { onCleanup, onMount } from "solid-js";

/**
 * createOverflow sets the "tight" class on a bar whose labels don't all fit. Optional labels are then
 * hidden, but the buttons keep their accessible names.
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

/** Maximum width of a label in pixels (see composer.css). */
const maxLabel = 160;
