// The window's look: the root attributes that select the design tokens. For the first paint,
// public/before-paint.js sets them from the values stored here in localStorage; afterward they follow the
// settings and the system.

import { createEffect, onCleanup } from "solid-js";
import { type Appearance, applyAppearance, followSystem } from "./appearance";
import { useStore } from "./state/store";

const storageKey = "voxpilot.look";

/** hasSavedAppearance reports whether the window has been loaded before and has stored its appearance. */
export function hasSavedAppearance(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

/** followAppearance keeps the root attributes up to date until the calling component is disposed. */
export function followAppearance(): void {
  const state = useStore();
  const look = (): Appearance => ({
    theme: state.settings.theme,
    contrast: state.settings.contrast,
    motion: state.settings.motion,
    text: state.settings.textSize,
    code: state.settings.codeFont ?? "",
  });
  createEffect(() => {
    if (!state.ready) return;
    applyAppearance(look());
    try {
      localStorage.setItem(storageKey, JSON.stringify(look()));
    } catch {
      // Without storage, the first paint of the next start follows the system's preferences.
    }
  });
  onCleanup(followSystem(look));
}
