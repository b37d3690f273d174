// Reports the window's focus to the app, which shows no notifications while the window is in front.

import { createEffect, createSignal, on, onCleanup } from "solid-js";
import { call } from "../bridge";
import { language } from "../i18n";
import { screen } from "./screen";

const inFront = () => document.visibilityState === "visible" && document.hasFocus();

/** createFocusReporter reports to the app whether the window is in front and which chat it shows. */
export function createFocusReporter(): void {
  const [front, setFront] = createSignal(inFront());
  // On a blur event, document.hasFocus may not have changed yet.
  const look = (event: Event) => setFront(event.type !== "blur" && inFront());
  const from = [
    [window, "focus"],
    [window, "blur"],
    [document, "visibilitychange"],
  ] as const;
  for (const [target, type] of from) {
    target.addEventListener(type, look);
    onCleanup(() => target.removeEventListener(type, look));
  }
  const chat = () => {
    const now = screen();
    return now.name === "chat" ? now.id : "";
  };
  createEffect(
    on([front, chat], ([isFront, id]) => {
      // A failure is ignored, because the state is reported again at the next change.
      call("Looking", isFront, id, language).catch(() => {});
    }),
  );
}
