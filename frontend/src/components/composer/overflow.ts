// What the bar of the composer leaves out where it is short of room.

import { onCleanup, onMount } from "solid-js";

/**
 * createFit sets "tight" on a bar whose words do not all fit: the labels that
 * can be spared are hidden then, and their names are in the buttons' own.
 */
export function createFit(bar: () => HTMLElement): void {
  const fit = () => {
    const element = bar();
    element.classList.remove("tight");
    const isCut = [...element.querySelectorAll<HTMLElement>(".pick .lbl")].some(
      (label) => label.scrollWidth > label.clientWidth && label.clientWidth < mostLabel,
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

/** Labels are never wider than this (composer.css). */
const mostLabel = 160;
