// Icons are Lucide's, one import each, drawn with our own size and stroke.

import type { LucideIcon } from "lucide-solid";
import { createMemo, createRenderEffect, type JSX, untrack } from "solid-js";
import { Dynamic, render } from "solid-js/web";

export interface IconProps {
  of: LucideIcon;
  /** 14 in rows, 20 in the first run; 16 otherwise. */
  size?: "sm" | "lg";
  class?: string;
}

const drawn = new Map<LucideIcon, Element>();

/**
 * copyOf is an icon of its own. Lucide draws each icon once: what follows its
 * properties there takes 17 kB for each icon that is seen, and a row has three.
 */
function copyOf(icon: LucideIcon): Element {
  let svg = drawn.get(icon);
  if (!svg) {
    const page = document.createElement("div");
    const dispose = untrack(() =>
      render(() => <Dynamic component={icon} strokeWidth={1.75} aria-hidden="true" />, page),
    );
    svg = page.firstElementChild?.cloneNode(true) as Element;
    dispose();
    drawn.set(icon, svg);
  }
  return svg.cloneNode(true) as Element;
}

/** Icon draws a Lucide icon; it is hidden from screen readers, so what it says must be said in words too. */
export function Icon(props: IconProps): JSX.Element {
  let known: LucideIcon | undefined;
  const svg = createMemo<Element | undefined>((was) => {
    const icon = props.of;
    if (icon === known) return was;
    known = icon;
    return copyOf(icon);
  });
  createRenderEffect(() => {
    svg()?.setAttribute("class", ["i", props.size, props.class].filter(Boolean).join(" "));
  });
  return <>{svg()}</>;
}
