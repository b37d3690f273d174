// Notices changes on disk while the review is open.

import { createEffect, on, onCleanup } from "solid-js";
import { api } from "../bridge";

/** Pause in milliseconds between two checks. */
export const diskMillis = 2000;
/** A pause lasts at least this many times as long as the check and the reload before it. */
const pauseShare = 10;
/** Pause in milliseconds after a failed check, for example if the folder was removed. */
const failedMillis = 30_000;

/**
 * watchDisk calls `changed` after files in the chat's folder, the index or the checked-out commit have changed. It
 * starts once the review is open, and checks nothing while the window is hidden. After a long check or reload, it
 * waits longer before the next check.
 */
export function watchDisk(chatId: string, isOpened: () => boolean, changed: () => Promise<void>): void {
  let known: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let isChecking = false;
  const check = async () => {
    clearTimeout(timer);
    if (isStopped || isChecking || document.visibilityState !== "visible") return;
    isChecking = true;
    const started = performance.now();
    let pause = diskMillis;
    try {
      const { state } = await api.reviewDisk(chatId);
      const isChanged = known !== undefined && state !== known;
      known = state;
      if (isChanged && !isStopped) await changed();
    } catch {
      pause = failedMillis;
    }
    isChecking = false;
    pause = Math.max(pause, pauseShare * (performance.now() - started));
    if (!isStopped) timer = setTimeout(check, pause);
  };
  const onVisible = () => void check();
  createEffect(
    on(isOpened, (opened) => {
      if (!opened) return;
      document.addEventListener("visibilitychange", onVisible);
      void check();
    }),
  );
  onCleanup(() => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisible);
  });
}
