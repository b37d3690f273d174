import { words } from "../../words";

export const sidebarWidth = { min: 220, max: 360, normal: 264 } as const;

/** clampWidth keeps a width where the design allows it; 0 is the normal one. */
export function clampWidth(width: number | undefined): number {
  if (!width) return sidebarWidth.normal;
  return Math.min(sidebarWidth.max, Math.max(sidebarWidth.min, Math.round(width)));
}

export interface ResizerProps {
  width: number;
  /** Called while it is dragged. */
  onWidth: (width: number) => void;
  /** Called once the user has let go. */
  onDone: () => void;
}

/** Resizer is the sidebar's edge: drag it, move it with the arrow keys, double-click for the normal width. */
export function Resizer(props: ResizerProps) {
  const set = (width: number, done = true) => {
    props.onWidth(clampWidth(width));
    if (done) props.onDone();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no thematic break.
    <div
      class="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={words.shell.resizeSidebar}
      aria-valuemin={sidebarWidth.min}
      aria-valuemax={sidebarWidth.max}
      aria-valuenow={props.width}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(event.clientX, false);
      }}
      onPointerUp={() => props.onDone()}
      onDblClick={() => set(sidebarWidth.normal)}
      onKeyDown={(event) => {
        const to = {
          ArrowLeft: props.width - 8,
          ArrowRight: props.width + 8,
          Home: sidebarWidth.min,
          End: sidebarWidth.max,
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        set(to);
      }}
    />
  );
}
