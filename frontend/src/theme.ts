// How the window looks: the root attributes that the tokens hang on. The first
// paint has them from public/before-paint.js, which reads what is left here in
// localStorage; from then on they follow the settings and the system.

import { createEffect, onCleanup } from "solid-js";
import { useStore } from "./state/store";
import { textSizeOf } from "./state/textSize";

const kept = "voxpilot.look";

export interface Look {
  theme: string;
  contrast: string;
  motion: string;
  text: string;
}

/** attributes are the root's attributes for a look, given what the system wants. */
export function attributes(look: Look, system: { dark: boolean; more: boolean }) {
  return {
    theme: look.theme === "light" || look.theme === "dark" ? look.theme : system.dark ? "dark" : "light",
    contrast: look.contrast === "more" || (look.contrast !== "normal" && system.more) ? "more" : "normal",
    motion: look.motion === "full" || look.motion === "reduced" ? look.motion : undefined,
    text: textSizeOf(look.text),
  };
}

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
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const more = window.matchMedia("(prefers-contrast: more)");
  const apply = (look: Look) => {
    const root = document.documentElement;
    const { theme, contrast, motion, text } = attributes(look, { dark: dark.matches, more: more.matches });
    root.dataset.theme = theme;
    root.dataset.contrast = contrast;
    root.dataset.text = text;
    if (motion) root.dataset.motion = motion;
    else delete root.dataset.motion;
  };
  const look = (): Look => ({
    theme: state.settings.theme,
    contrast: state.settings.contrast,
    motion: state.settings.motion,
    text: state.settings.textSize,
  });
  createEffect(() => {
    if (!state.ready) return;
    apply(look());
    try {
      localStorage.setItem(kept, JSON.stringify(look()));
    } catch {
      // The next start then begins with the system's choice.
    }
  });
  const follow = () => apply(look());
  for (const query of [dark, more]) {
    query.addEventListener("change", follow);
    onCleanup(() => query.removeEventListener("change", follow));
  }
}
