// Whether the inspector is open, and how wide it is. Beside the chat it comes
// back as it was left; over the chat, in a narrow window, it begins closed.

import { createRoot, createSignal } from "solid-js";
import { createKept } from "../shell/kept";

/** Below this width of the window the inspector lies over the chat. */
export const overlayBelow = 1100;
export const inspectorWidth = { min: 340, normal: 420 } as const;
/** The chat keeps this much beside it. */
const mainKeeps = 440;
/** It never takes more of the window than this. */
const mostShare = 0.6;

/** clampInspector keeps a width where the design allows it, in a window of which the sidebar takes a part. */
export function clampInspector(width: number, appWidth: number, sidebar: number): number {
  const most = Math.max(inspectorWidth.min, Math.min(appWidth * mostShare, appWidth - sidebar - mainKeeps));
  return Math.round(Math.min(most, Math.max(inspectorWidth.min, width || inspectorWidth.normal)));
}

const kept = createRoot(() => ({
  open: createKept("voxpilot.inspector", "closed"),
  width: createKept("voxpilot.inspector-width", "0"),
}));
const [over, setOver] = createSignal(false);

const query = () => window.matchMedia(`(max-width: ${overlayBelow - 1}px)`);

/** isOverlay says whether the window is too narrow for the inspector to stand beside the chat. */
export function isOverlay(): boolean {
  return query().matches;
}

/** onOverlay calls back when that changes; the function it returns ends that. */
export function onOverlay(changed: () => void): () => void {
  const now = query();
  now.addEventListener("change", changed);
  return () => now.removeEventListener("change", changed);
}

/** isOpen says whether the inspector is to be seen. */
export function isOpen(overlay: boolean): boolean {
  return overlay ? over() : kept.open[0]() === "open";
}

/** setOpen opens or closes it. */
export function setOpen(overlay: boolean, open: boolean): void {
  if (overlay) setOver(open);
  else kept.open[1](open ? "open" : "closed");
}

export const keptWidth = (): number => Number(kept.width[0]());
export const setKeptWidth = (width: number): void => {
  kept.width[1](String(width));
};
