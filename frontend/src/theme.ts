// How the window looks: the root attributes that the tokens hang on. The first
// paint has them from public/before-paint.js, which reads what is left here in
// localStorage; from then on they follow the settings and the system.

import { createEffect, onCleanup } from "solid-js";
import { followSystem, type Look, wear } from "./appearance";
import { useStore } from "./state/store";

const kept = "voxpilot.look";

/** hasKeptLook tells whether the window was ever loaded before. */
export function hasKeptLook(): boolean {
  try {
    return localStorage.getItem(kept) !== null;
  } catch {
    return false;
  }
}

/** followLook keeps the root attributes right for as long as its owner lives. */
export function followLook(): void {
  const state = useStore();
  const look = (): Look => ({
    theme: state.settings.theme,
    contrast: state.settings.contrast,
    motion: state.settings.motion,
    text: state.settings.textSize,
    code: state.settings.codeFont ?? "",
  });
  createEffect(() => {
    if (!state.ready) return;
    wear(look());
    try {
      localStorage.setItem(kept, JSON.stringify(look()));
    } catch {
      // The next start then begins with the system's choice.
    }
  });
  onCleanup(followSystem(look));
}
