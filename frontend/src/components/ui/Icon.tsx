// Lucide icons, imported individually and drawn in the size and stroke width of the design.

import type { LucideIcon } from "lucide-solid";
import { createMemo, createRenderEffect, type JSX, untrack } from "solid-js";
import { Dynamic, render } from "solid-js/web";

export interface IconProps {
  of: LucideIcon;
  /** 14 px in rows, 20 px in the first run; default 16 px. */
  size?: "sm" | "lg";
  class?: string;
}

const iconElements = new Map<LucideIcon, Element>();

/**
 * copyOf returns a clone of an icon. Each Lucide icon is rendered only once, because the reactive properties of a
 * rendered icon take 17 kB of memory, and a row has three icons.
 */
function copyOf(icon: LucideIcon): Element {
  let svg = iconElements.get(icon);
  if (!svg) {
    const page = document.createElement("div");
    const dispose = untrack(() =>
      render(() => <Dynamic component={icon} strokeWidth={1.75} aria-hidden="true" />, page),
    );
    svg = page.firstElementChild?.cloneNode(true) as Element;
    dispose();
    iconElements.set(icon, svg);
  }
  return svg.cloneNode(true) as Element;
}

/** iconElement returns a Lucide icon for elements that are built without components. */
export function iconElement(icon: LucideIcon, look: string): Element {
  const svg = copyOf(icon);
  svg.setAttribute("class", `i ${look}`);
  return svg;
}

/**
 * Icon renders a Lucide icon. It is hidden from screen readers, so its meaning must also be given as
 * text.
 */
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
