// Icons are Lucide's, one import each, drawn with our own size and stroke.

import type { LucideIcon } from "lucide-solid";
import { Dynamic } from "solid-js/web";

export interface IconProps {
  of: LucideIcon;
  /** 14 in rows, 20 in the first run; 16 otherwise. */
  size?: "sm" | "lg";
  class?: string;
}

/** Icon draws a Lucide icon; it is hidden from screen readers, so what it says must be said in words too. */
export function Icon(props: IconProps) {
  return (
    <Dynamic
      component={props.of}
      class={["i", props.size, props.class].filter(Boolean).join(" ")}
      width={undefined}
      height={undefined}
      strokeWidth={1.75}
      aria-hidden="true"
    />
  );
}
