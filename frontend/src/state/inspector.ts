// State of the inspector: open or closed, tab and width. Beside the chat, it reopens as the user left it;
// as an overlay, in a narrow window, it starts closed.
//
//   openInspector(tab, session)   opens it for the user and focuses it
//   closeInspector()              returns the focus to the button that opens it

import { batch, createEffect, createRoot, createSignal } from "solid-js";
import { unwrap } from "solid-js/store";
import { actions } from "./actions";
import { createPreference } from "./preference";
import { useStore } from "./store";

/** The tabs in display order. */
export const inspectorTabs = ["changes", "sessions", "terminal", "protocol"] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** Below this window width in pixels, the inspector overlays the chat. */
const overlayBelow = 1100;
export const inspectorWidth = { min: 340, normal: 420, changes: 572 } as const;
/** Minimum width in pixels of the chat beside the inspector. */
const minChatWidth = 440;
/** Maximum share of the window's width that the inspector may take. */
const maxShare = 0.6;

const asTab = (text: string | undefined) => inspectorTabs.find((each) => each === text);

const preferences = createRoot(() => {
  const [tab, setTab] = createPreference("voxpilot.inspector", "?");
  const [last, setLast] = createPreference("voxpilot.inspector-tab", "changes");
  const [width, setWidth] = createPreference("voxpilot.inspector-width", "?");
  // If local storage has no values, for example in a new window, the settings provide them.
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

/**
 * A file for which the Changes tab shows the message that each line comes from. `line` is the line to
 * scroll to, or 0 for none.
 */
export interface BlameTarget {
  path: string;
  line: number;
}

const [blameTarget, setBlameTarget] = createSignal<BlameTarget>();

/**
 * blameTarget is the file that openBlame requested, or undefined if there is none. changesOf is the
 * session whose changes are shown, or "" for the whole chat.
 */
export { blameTarget, changesOf, setBlameTarget, setChangesOf };

/**
 * Whether the Changes tab has been shown since the inspector was opened. If so, the inspector keeps that
 * tab's width, so that the tabs don't move under the pointer.
 */
const [wasWide, setWasWide] = createSignal(false);

/** normalWidth returns the default width, which applies if the user has chosen no width. */
export function normalWidth(): number {
  return wasWide() || inspectorTab() === "changes" ? inspectorWidth.changes : inspectorWidth.normal;
}

/**
 * clampInspector limits a width to the range that the design allows for the given widths of the window and the
 * sidebar. A width of 0 means the default width.
 */
export function clampInspector(width: number, appWidth: number, sidebar: number): number {
  const most = Math.max(inspectorWidth.min, Math.min(appWidth * maxShare, appWidth - sidebar - minChatWidth));
  return Math.round(Math.min(most, Math.max(inspectorWidth.min, width || normalWidth())));
}

const query = () => window.matchMedia(`(max-width: ${overlayBelow - 1}px)`);

/** isOverlay reports whether the window is too narrow to show the inspector beside the chat. */
export function isOverlay(): boolean {
  return query().matches;
}

/**
 * onOverlay calls `changed` when the result of isOverlay changes, and returns a function that unsubscribes.
 * An inspector that has the focus stays open, so that the focus isn't lost.
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
    // The inspector's draggable edge, which may have had the focus, exists only beside the chat.
    if (within && !document.querySelector(".inspector")?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(".inspector [role=tab][aria-selected=true]")?.focus();
    }
  };
  now.addEventListener("change", onChange);
  return () => now.removeEventListener("change", onChange);
}

function save(): void {
  const settings = unwrap(useStore()).settings;
  const inspectorTab = asTab(preferences.tab()) ?? "";
  const inspectorWidth = Number(preferences.width()) || 0;
  if ((settings.inspectorTab ?? "") === inspectorTab && (settings.inspectorWidth ?? 0) === inspectorWidth)
    return;
  actions
    .saveSettings({ ...settings, inspectorTab, inspectorWidth })
    .catch((thrown) => actions.log("warn", `inspector: ${thrown.message}`));
}

function show(overlay: boolean): void {
  if (overlay) setOver(true);
  else preferences.setTab(inspectorTab());
}

/** isOpen reports whether the inspector is visible. */
export function isOpen(overlay: boolean): boolean {
  return overlay ? over() : asTab(preferences.tab()) !== undefined;
}

/** inspectorTab returns the selected tab, even while the inspector is closed. */
export function inspectorTab(): InspectorTab {
  return asTab(preferences.last()) ?? "changes";
}

/** setInspectorTab selects a tab of an open inspector. */
export function setInspectorTab(tab: InspectorTab): void {
  batch(() => {
    if (inspectorTab() === "changes" || tab === "changes") setWasWide(true);
    preferences.setLast(tab);
    if (asTab(preferences.tab())) preferences.setTab(tab);
  });
  save();
}

/** setOpen opens or closes the inspector without moving the focus. */
export function setOpen(overlay: boolean, open: boolean): void {
  if (open) show(overlay);
  else if (overlay) setOver(false);
  else preferences.setTab("");
  if (!open) setWasWide(false);
  if (!overlay) save();
}

/**
 * openInspector opens the inspector and focuses it, optionally on a given tab and with the changes of one
 * session.
 */
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
    preferences.setLast(tab);
    entering = true;
    setOpen(overlay, true);
  });
}

/** openBlame opens the Changes tab at a line of a file and shows the message that each line comes from. */
export function openBlame(path: string, line: number): void {
  openInspector("changes");
  setBlameTarget({ path, line });
}

/**
 * takeEntered reports whether the user has just opened the inspector, which then takes the focus. Only the first call
 * after the inspector was opened returns true.
 */
export function takeEntered(): boolean {
  const was = entering;
  entering = false;
  return was;
}

/** closeInspector closes the inspector and returns the focus to the button that opens it. */
export function closeInspector(overlay = isOverlay()): void {
  setOpen(overlay, false);
  queueMicrotask(() => document.querySelector<HTMLElement>(".show-inspector")?.focus());
}

/** savedWidth returns the width that the user chose, or 0 if the tab determines it. */
export const savedWidth = (): number => Number(preferences.width()) || 0;
/** setSavedWidth applies a width while the user drags the edge; saveWidth stores the final width. */
export const setSavedWidth = (width: number): void => {
  preferences.setWidth(String(width));
};
export const saveWidth = save;
