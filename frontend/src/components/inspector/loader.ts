// Data that a tab loads from the app: the latest value, the loading state and the failure.

import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { actions } from "../../state/actions";
import { raw, useStore } from "../../state/store";

/** Time in milliseconds before a loading indicator is shown. */
const slowAfter = 300;

export interface Loader<T> {
  value(): T | undefined;
  failure(): string;
  /** Reports whether loading is taking long enough that a loading indicator should be shown. */
  isSlow(): boolean;
  reload(): void;
}

/**
 * createLoader returns a loader that calls `ask` immediately, and again whenever the key changes. When the key changes,
 * the old value is discarded first. A new value triggers no update if `same` reports that it equals the old one.
 */
export function createLoader<T>(
  key: () => string,
  ask: () => Promise<T>,
  same: (a: T, b: T) => boolean = () => false,
): Loader<T> {
  const [value, setValue] = createSignal<T | undefined>(undefined, {
    equals: (a, b) => a === b || (a !== undefined && b !== undefined && same(a, b)),
  });
  const [failure, setFailure] = createSignal("");
  const [isSlow, setSlow] = createSignal(false);
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = () => {
    const mine = ++asked;
    clearTimeout(timer);
    timer = setTimeout(() => setSlow(true), slowAfter);
    const settle = (done: () => void) => {
      if (mine !== asked) return;
      clearTimeout(timer);
      setSlow(false);
      done();
    };
    ask().then(
      (answer) =>
        settle(() => {
          setFailure("");
          setValue(() => answer);
        }),
      (thrown) => settle(() => setFailure(thrown.message)),
    );
  };
  createEffect(
    on(key, () => {
      setValue(undefined);
      setFailure("");
      again();
    }),
  );
  onCleanup(() => {
    asked++;
    clearTimeout(timer);
  });
  return { value, failure, isSlow, reload: again };
}

/**
 * Delay in milliseconds between the last activity in a chat and the check for changes in its tool calls. During
 * continuous activity, a check takes place every maxWaitMillis.
 */
const quietMillis = 400;
const maxWaitMillis = 2000;

/**
 * onToolActivity calls `changed`, at a limited rate, after a chat's tool calls have started, changed or
 * ended.
 */
export function onToolActivity(chatId: string, changed: () => void): void {
  const state = useStore();
  const rev = createMemo(() => `${state.pages[chatId]?.rev ?? 0} ${state.chats[chatId]?.turnState ?? ""}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  let seen = toolFingerprint(chatId);
  const look = () => {
    timer = undefined;
    since = 0;
    const now = toolFingerprint(chatId);
    if (now === seen) return;
    seen = now;
    changed();
  };
  createEffect(
    on(
      rev,
      () => {
        since ||= Date.now();
        clearTimeout(timer);
        timer = setTimeout(look, Math.max(0, Math.min(quietMillis, since + maxWaitMillis - Date.now())));
      },
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(timer));
}

/**
 * toolFingerprint returns a string that changes when one of a chat's loaded tool calls starts, ends or gets a new
 * diff, and when the chat's turn state changes.
 */
function toolFingerprint(chatId: string): string {
  let [tools, open, versions] = [0, 0, 0];
  const { items, contents, chats } = raw();
  for (const item of Object.values(items)) {
    if (item.chatId !== chatId || !item.tool) continue;
    tools++;
    if (item.open) open++;
  }
  for (const content of Object.values(contents)) {
    if (content.chatId === chatId && content.type === "diff") versions += content.version;
  }
  return `${tools} ${open} ${versions} ${chats[chatId]?.turnState}`;
}

/**
 * runLogged waits for a button's action. If the action fails, it logs the error and passes the error's
 * message to `fail`.
 */
export function runLogged(work: Promise<unknown>, fail: (message: string) => void): void {
  fail("");
  work.catch((thrown) => {
    actions.log("warn", `inspector: ${thrown.message}`);
    fail(thrown.message);
  });
}
