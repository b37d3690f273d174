// The completion list above the composer: files after "@", commands after "/". The focus stays in the
// text field, and the list follows the caret.

import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { recentCommands } from "../../state/recentCommands";
import type { Choice, FoundFiles } from "../../state/types";
import { matchingCommands, type Token, tokenAt } from "./token";

/** Maximum number of files in a response. */
const maxFiles = 50;
/** Keystrokes within this interval, in milliseconds, share one request. */
const debounceMillis = 60;
/** Delay in milliseconds before another request if the folder is still being indexed. */
const pollMillis = 400;

/** A completion option. */
export type Option =
  | { kind: "file"; path: string; marks: readonly number[] }
  | { kind: "command"; command: Choice };

interface Found {
  options: Option[];
  reading: boolean;
  failed: boolean;
}

export interface CompletionOptions {
  /** Searches for files that match the typed text. */
  files: (typed: string, limit: number) => Promise<FoundFiles>;
  field: () => HTMLTextAreaElement;
  text: Accessor<string>;
  commands: Accessor<Choice[]>;
  /** Replaces the token with the selected option. */
  onPick(option: Option, token: Token): void;
}

const same = (a: Token | undefined, b: Token | undefined) =>
  a?.kind === b?.kind && a?.typed === b?.typed && a?.from === b?.from && a?.to === b?.to;

/**
 * createCompletion returns the state of the completion list (the token at the caret and the options that complete it)
 * and the functions that control the list.
 */
export function createCompletion(props: CompletionOptions) {
  const [caret, setCaret] = createSignal(-1);
  const [dismissed, setDismissed] = createSignal(-1);
  const [chosen, setChosen] = createSignal(0);
  const [found, setFound] = createSignal<Found>();
  const [waiting, setWaiting] = createSignal(false);

  const token = createMemo(
    () => (caret() < 0 ? undefined : tokenAt(props.text(), Math.min(caret(), props.text().length))),
    undefined,
    { equals: same },
  );
  const wanted = () => {
    const now = token();
    return now && now.from !== dismissed() ? now : undefined;
  };
  // A dismissed list may open again after the caret has left its token.
  createEffect(() => {
    if (!token()) setDismissed(-1);
  });

  const files = createMemo(() => (wanted()?.kind === "file" ? wanted()?.typed : undefined));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requests = 0;
  let pickFirst = false;
  const ask = async (typed: string) => {
    const mine = ++requests;
    let answer: Found = { options: [], reading: false, failed: true };
    try {
      const { files, reading } = await props.files(typed, maxFiles);
      const options = files.map(({ path, marks }): Option => ({ kind: "file", path, marks: marks ?? [] }));
      answer = { options, reading: reading === true, failed: false };
    } catch {
      // The list shows the failure; the text isn't affected.
    }
    if (mine !== requests) return;
    setFound(answer);
    setWaiting(false);
    if (answer.reading && answer.options.length === 0) {
      timer = setTimeout(() => ask(typed), pollMillis);
    } else if (pickFirst && answer.options.length > 0) {
      pick(0);
    }
    pickFirst = false;
  };
  createEffect(
    on(files, (typed, before) => {
      clearTimeout(timer);
      requests++;
      pickFirst = false;
      if (typed === undefined) {
        setFound(undefined);
        setWaiting(false);
        return;
      }
      setWaiting(true);
      if (before === undefined) ask(typed);
      else timer = setTimeout(() => ask(typed), debounceMillis);
    }),
  );
  onCleanup(() => {
    clearTimeout(timer);
    requests++;
  });

  const options = createMemo((): Option[] => {
    const now = wanted();
    if (now?.kind === "command") {
      return matchingCommands(props.commands(), now.typed, recentCommands()).map((command) => ({
        kind: "command",
        command,
      }));
    }
    return now ? (found()?.options ?? []) : [];
  });
  // Whether the user moved to the active option. Otherwise it is active because it is the first one.
  let moved = false;
  createEffect(
    on(options, () => {
      moved = false;
      setChosen(0);
    }),
  );
  const isReading = () => wanted()?.kind === "file" && found()?.reading === true && options().length === 0;
  const hasFailed = () => wanted()?.kind === "file" && found()?.failed === true;

  function pick(at: number): void {
    const now = wanted();
    const option = options()[at];
    if (!now || !option) return;
    props.onPick(option, now);
  }

  /** Handles a key if the list uses it. Returns whether the key was handled. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!wanted() || event.ctrlKey || event.metaKey || event.altKey) return false;
    const all = options();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length > 0) {
      moved = true;
      setChosen((now) => (now + step + all.length) % all.length);
      return true;
    }
    if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      if (waiting() && !moved) {
        // The options are pending: the first one is picked when they arrive.
        pickFirst = true;
        return true;
      }
      if (all.length === 0) return false;
      pick(chosen());
      return true;
    }
    if (event.key === "Escape" && (all.length > 0 || isReading() || hasFailed())) {
      dismiss();
      return true;
    }
    return false;
  };
  const dismiss = () => setDismissed(token()?.from ?? -1);

  return {
    token: wanted,
    options,
    chosen,
    isOpen: () => options().length > 0,
    /** Whether the options for the typed text are still being searched for. */
    isBehind: waiting,
    isReading,
    hasFailed,
    pick,
    dismiss,
    onKey,
    /** Reads the caret position. Not called while an input method is composing. */
    follow: () => {
      const field = props.field();
      setCaret(field.selectionStart === field.selectionEnd ? field.selectionStart : -1);
    },
    /** Called when the text field has lost the focus. */
    leave: () => setCaret(-1),
  };
}

export type Completion = ReturnType<typeof createCompletion>;
