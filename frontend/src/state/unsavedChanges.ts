// What a page of the settings would lose if it were left: forms that are open,
// and a field whose text is not saved yet. The screen asks before it goes.

import { createSignal, onCleanup, onMount } from "solid-js";

/** A form that is open. */
export interface OpenForm {
  /** Whether anything in it was changed. */
  changed(): boolean;
  /** Closes it; absent where the page is nothing without it. */
  close?: () => void;
}

const open: OpenForm[] = [];

/** openForm is the form that was opened last. */
export const openForm = (): OpenForm | undefined => open.at(-1);

/** changedForm is an open form that holds what was typed and not saved. */
export const changedForm = (): OpenForm | undefined => open.findLast((form) => form.changed());

const [pendingDiscard, setPendingDiscard] = createSignal<{ then: () => void }>();

/** pendingDiscard is what goes on once the user lets go of what was typed. */
export { pendingDiscard };

/** confirmDiscard goes on at once if nothing is lost by it; else the screen asks first. */
export function confirmDiscard(then: () => void): void {
  if (changedForm()) setPendingDiscard({ then });
  else then();
}

/** answerDiscard ends the question; with what was asked about it goes on. */
export function answerDiscard(goesOn: boolean): void {
  const then = pendingDiscard()?.then;
  setPendingDiscard(undefined);
  if (goesOn) then?.();
}

/** What trackForm returns: the ref of the form, and a way to say that something in it was changed. */
export interface TrackedForm {
  (element: HTMLFormElement): void;
  /** Something was changed that the form itself does not see: what a menu outside of it sets. */
  touch(): void;
}

/** trackForm has a form asked about before the page is left. */
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
