export const sidebarWidth = { min: 220, max: 360, normal: 264 } as const;

import "./resizer.css";

/**
 * clampWidth limits the sidebar's width to the range allowed by the design. 0 and undefined mean the
 * default width.
 */
export function clampWidth(width: number | undefined): number {
  if (!width) return sidebarWidth.normal;
  return Math.min(sidebarWidth.max, Math.max(sidebarWidth.min, Math.round(width)));
}

export interface ResizerProps {
  label: string;
  class: string;
  /** The side of the window with the resizable part. */
  side: "left" | "right";
  width: number;
  min: number;
  max: number;
  normal: number;
  /** Called on every change, with a width between `min` and `max`. */
  onWidth: (width: number) => void;
  /** Called at the end of a drag and after every other change. */
  onDone: () => void;
}

/**
 * Resizer is the draggable edge of a part of the window. The arrow keys also move it, and a double-click
 * restores the default width.
 */
export function Resizer(props: ResizerProps) {
  const set = (width: number, done = true) => {
    props.onWidth(Math.min(props.max, Math.max(props.min, Math.round(width))));
    if (done) props.onDone();
  };
  /**
   * step returns the number of pixels by which the right arrow key changes the width: positive for a part on the left
   * of the window, negative for a part on the right.
   */
  const step = () => (props.side === "left" ? 8 : -8);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator isn't a thematic break.
    <div
      class={props.class}
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuemin={props.min}
      aria-valuemax={props.max}
      aria-valuenow={props.width}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        set(props.side === "left" ? event.clientX : window.innerWidth - event.clientX, false);
      }}
      onPointerUp={() => props.onDone()}
      onDblClick={() => set(props.normal)}
      onKeyDown={(event) => {
        const to = {
          ArrowLeft: props.width - step(),
          ArrowRight: props.width + step(),
          Home: props.min,
          End: props.max,
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        set(to);
      }}
    />
  );
}
