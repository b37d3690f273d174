// Unsaved changes in forms and fields that would be lost on leaving a settings page. The screen asks the user
// before leaving.

import { createSignal, onCleanup, onMount } from "solid-js";

/** An open form. */
export interface OpenForm {
  /** Reports whether the form has unsaved changes. */
  changed(): boolean;
  /** Closes the form; absent if the form is the whole page. */
  close?: () => void;
}

const open: OpenForm[] = [];

/** openForm returns the form that was opened last, or undefined if no form is open. */
export const openForm = (): OpenForm | undefined => open.at(-1);

/** changedForm returns the most recently opened form that has unsaved changes, or undefined if there is none. */
export const changedForm = (): OpenForm | undefined => open.findLast((form) => form.changed());

const [pendingDiscard, setPendingDiscard] = createSignal<{ then: () => void }>();

/** pendingDiscard holds the action to run once the user agrees to discard the changes. */
export { pendingDiscard };

/**
 * confirmDiscard runs an action now if there are no unsaved changes. Otherwise, the action runs only after the user
 * has agreed to discard them.
 */
export function confirmDiscard(then: () => void): void {
  if (changedForm()) setPendingDiscard({ then });
  else then();
}

/** answerDiscard closes the confirmation and, if the user agrees, runs the pending action. */
export function answerDiscard(goesOn: boolean): void {
  const then = pendingDiscard()?.then;
  setPendingDiscard(undefined);
  if (goesOn) then?.();
}

/** The result of trackForm: a ref callback for the form, with a method that marks the form as changed. */
export interface TrackedForm {
  (element: HTMLFormElement): void;
  /**
   * Marks a change that the form's own events don't report, for example a choice in a menu outside the
   * form.
   */
  touch(): void;
}

/** trackForm registers a form as open until the calling component is disposed. `close` closes the form. */
export function trackForm(close?: () => void): TrackedForm {
  let changed = false;
  const form: OpenForm = { changed: () => changed, close };
  onMount(() => {
    open.push(form);
    onCleanup(() => open.splice(open.indexOf(form), 1));
  });
  const touch = () => {
    changed = true;
  };
  const ref = (element: HTMLFormElement) => {
    element.addEventListener("input", touch);
    element.addEventListener("change", touch);
    element.addEventListener("click", (event) => {
      if ((event.target as Element).closest("[role=switch]")) touch();
    });
  };
  return Object.assign(ref, { touch });
}
