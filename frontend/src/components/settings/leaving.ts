// What a page of the settings would lose if it were left: forms that are open,
// and a field whose text is not saved yet. The screen asks before it goes.

import { onCleanup, onMount } from "solid-js";

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

/** keepForm has a form asked about before the page is left; the ref of the form is what it returns. */
export function keepForm(close?: () => void): (element: HTMLFormElement) => void {
  let changed = false;
  const form: OpenForm = { changed: () => changed, close };
  onMount(() => {
    open.push(form);
    onCleanup(() => open.splice(open.indexOf(form), 1));
  });
  return (element) => {
    const onChange = () => {
      changed = true;
    };
    element.addEventListener("input", onChange);
    element.addEventListener("change", onChange);
    element.addEventListener("click", (event) => {
      if ((event.target as Element).closest("[role=switch]")) onChange();
    });
  };
}
