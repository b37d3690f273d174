// What the user looks at: while the window is in front, there is nothing to
// notify of.

import { createEffect, createSignal, on, onCleanup } from "solid-js";
import { call } from "../bridge";
import { language } from "../i18n";
import { screen } from "./screen";

const inFront = () => document.visibilityState === "visible" && document.hasFocus();

/** createFocusReporter tells the app whether the window is in front, and which chat it shows. */
export function createFocusReporter(): void {
  const [front, setFront] = createSignal(inFront());
  // A window that loses the focus may say so before the document knows.
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
      // What cannot be told now is told with the next change.
      call("Looking", isFront, id, language).catch(() => {});
    }),
  );
}
