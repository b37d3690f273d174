// Whether the inspector is open, on which tab, and how wide it is. Beside the
// chat it comes back as it was left; over the chat, in a narrow window, it
// begins closed.
//
//   openInspector(tab, session)   opens it by the user's hand: the focus goes in
//   closeInspector()              gives the focus back to what opens it

import { batch, createEffect, createRoot, createSignal } from "solid-js";
import { unwrap } from "solid-js/store";
import { actions } from "./actions";
import { createPreference } from "./preference";
import { useStore } from "./store";

/** The tabs, in their order. */
export const inspectorTabs = ["changes", "sessions", "terminal", "protocol"] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** Below this width of the window the inspector lies over the chat. */
const overlayBelow = 1100;
export const inspectorWidth = { min: 340, normal: 420, changes: 572 } as const;
/** The chat keeps this much beside it. */
const mainKeeps = 440;
/** It never takes more of the window than this. */
const mostShare = 0.6;

const asTab = (text: string | undefined) => inspectorTabs.find((each) => each === text);

const kept = createRoot(() => {
  const [tab, setTab] = createPreference("voxpilot.inspector", "?");
  const [last, setLast] = createPreference("voxpilot.inspector-tab", "changes");
  const [width, setWidth] = createPreference("voxpilot.inspector-width", "?");
  // This window may be another than the one that was left: the settings know.
  const state = useStore();
  createEffect(() => {
    if (!state.ready) return;
    if (tab() === "?") setTab(state.settings.inspectorTab ?? "");
    if (width() === "?") setWidth(String(state.settings.inspectorWidth ?? 0));
  });
  return { tab, setTab, last, setLast, width, setWidth };
});
const [over, setOver] = createSignal(false);
const [changesOf, setChangesOf] = createSignal("");
let entering = false;

/** The session whose changes are shown; "" is all of the chat. */
export { changesOf, setChangesOf };

/** The changes were shown since it was opened: the tabs stay under the pointer when another follows. */
const [wasWide, setWasWide] = createSignal(false);

/** normalWidth is how wide it is where the user has not chosen. */
export function normalWidth(): number {
  return wasWide() || inspectorTab() === "changes" ? inspectorWidth.changes : inspectorWidth.normal;
}

/** clampInspector keeps a width where the design allows it, in a window of which the sidebar takes a part. */
export function clampInspector(width: number, appWidth: number, sidebar: number): number {
  const most = Math.max(inspectorWidth.min, Math.min(appWidth * mostShare, appWidth - sidebar - mainKeeps));
  return Math.round(Math.min(most, Math.max(inspectorWidth.min, width || normalWidth())));
}

const query = () => window.matchMedia(`(max-width: ${overlayBelow - 1}px)`);

/** isOverlay says whether the window is too narrow for the inspector to stand beside the chat. */
export function isOverlay(): boolean {
  return query().matches;
}

/**
 * onOverlay calls back when that changes; the function it returns ends that.
 * An inspector that has the focus stays open, so that the focus is not lost.
 */
export function onOverlay(changed: () => void): () => void {
  const now = query();
  const onChange = () => {
    const aside = document.querySelector<HTMLElement>(".inspector");
    const within = aside?.contains(document.activeElement) === true;
    batch(() => {
      if (within) show(isOverlay());
      changed();
    });
    // Its edge, which is dragged, is only there beside the chat.
    if (within && !document.querySelector(".inspector")?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(".inspector [role=tab][aria-selected=true]")?.focus();
    }
  };
  now.addEventListener("change", onChange);
  return () => now.removeEventListener("change", onChange);
}

function save(): void {
  const settings = unwrap(useStore()).settings;
  const inspectorTab = asTab(kept.tab()) ?? "";
  const inspectorWidth = Number(kept.width()) || 0;
  if ((settings.inspectorTab ?? "") === inspectorTab && (settings.inspectorWidth ?? 0) === inspectorWidth)
    return;
  actions
    .saveSettings({ ...settings, inspectorTab, inspectorWidth })
    .catch((thrown) => actions.log("warn", `inspector: ${thrown.message}`));
}

function show(overlay: boolean): void {
  if (overlay) setOver(true);
  else kept.setTab(inspectorTab());
}

/** isOpen says whether the inspector is to be seen. */
export function isOpen(overlay: boolean): boolean {
  return overlay ? over() : asTab(kept.tab()) !== undefined;
}

/** inspectorTab is the tab that is shown, or would be. */
export function inspectorTab(): InspectorTab {
  return asTab(kept.last()) ?? "changes";
}

/** setInspectorTab shows another tab of an inspector that is open. */
export function setInspectorTab(tab: InspectorTab): void {
  batch(() => {
    if (inspectorTab() === "changes" || tab === "changes") setWasWide(true);
    kept.setLast(tab);
    if (asTab(kept.tab())) kept.setTab(tab);
  });
  save();
}

/** setOpen opens or closes it, and leaves the focus where it is. */
export function setOpen(overlay: boolean, open: boolean): void {
  if (open) show(overlay);
  else if (overlay) setOver(false);
  else kept.setTab("");
  if (!open) setWasWide(false);
  if (!overlay) save();
}

/** openInspector opens it, on a tab and with a session's changes where they are given. */
export function openInspector(tab: InspectorTab = inspectorTab(), session = ""): void {
  const overlay = isOverlay();
  batch(() => {
    if (tab === "changes") setChangesOf(session);
    if (isOpen(overlay)) {
      setInspectorTab(tab);
      queueMicrotask(() =>
        document.querySelector<HTMLElement>(".inspector [role=tab][aria-selected=true]")?.focus(),
      );
      return;
    }
    kept.setLast(tab);
    entering = true;
    setOpen(overlay, true);
  });
}

/** entered says once whether it was opened by hand, so that the focus is to go in. */
export function entered(): boolean {
  const was = entering;
  entering = false;
  return was;
}

/** closeInspector gives the focus back to what opens it. */
export function closeInspector(overlay = isOverlay()): void {
  setOpen(overlay, false);
  queueMicrotask(() => document.querySelector<HTMLElement>(".show-inspector")?.focus());
}

/** savedWidth is the width that the user chose; 0 where the tab decides. */
export const savedWidth = (): number => Number(kept.width()) || 0;
/** setSavedWidth is for while it is dragged, keepWidth for when it is let go. */
export const setSavedWidth = (width: number): void => {
  kept.setWidth(String(width));
};
export const saveWidth = save;
