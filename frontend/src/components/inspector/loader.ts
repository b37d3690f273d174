// What a tab asks the app for: the newest answer, whether it is waited for, and
// why it did not come.

import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { actions } from "../../state/actions";
import { raw, useStore } from "../../state/store";

/** For a shorter wait nothing is said. */
const saidAfter = 300;

export interface Loaded<T> {
  value(): T | undefined;
  failure(): string;
  /** It takes long enough to say so. */
  isSlow(): boolean;
  again(): void;
}

/**
 * createLoaded asks anew whenever the key changes, and forgets the last answer,
 * which was about something else. An answer that is the same changes nothing.
 */
export function createLoaded<T>(
  key: () => string,
  ask: () => Promise<T>,
  same: (a: T, b: T) => boolean = () => false,
): Loaded<T> {
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
    timer = setTimeout(() => setSlow(true), saidAfter);
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
  return { value, failure, isSlow, again };
}

/** How long a chat is quiet before what is shown of it is asked for again, and how long at most that waits. */
const quietMillis = 400;
const mostMillis = 2000;

/** onWork calls back after tool calls of a chat began, changed or ended, not too often. */
export function onWork(chatId: string, changed: () => void): void {
  const state = useStore();
  const rev = createMemo(() => `${state.pages[chatId]?.rev ?? 0} ${state.chats[chatId]?.turnState ?? ""}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  let seen = workOf(chatId);
  const look = () => {
    timer = undefined;
    since = 0;
    const now = workOf(chatId);
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
        timer = setTimeout(look, Math.max(0, Math.min(quietMillis, since + mostMillis - Date.now())));
      },
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(timer));
}

/** workOf is a mark of what tool calls of a chat are known and how each stands. */
function workOf(chatId: string): string {
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

/** tried runs what a button does, and says why it failed in the log of the app. */
export function tried(work: Promise<unknown>, fail: (message: string) => void): void {
  fail("");
  work.catch((thrown) => {
    actions.log("warn", `inspector: ${thrown.message}`);
    fail(thrown.message);
  });
}
