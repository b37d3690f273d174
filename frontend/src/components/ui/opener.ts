// A dialog that is opened by state has no button of its own to give the focus
// back to, so it remembers where the focus was.

/** isFocusTaken reports whether something has the focus: a click beside what closes gives it away. */
export function isFocusTaken(): boolean {
  const at = document.activeElement;
  return at !== null && at !== document.body;
}

/** createOpener remembers where the focus was when a dialog opened. */
export function createOpener() {
  let opener: HTMLElement | undefined;
  return {
    /** To be called while the focus has not moved yet. */
    opened: () => {
      const at = document.activeElement;
      // An entry of a menu goes with the menu, so its button stands for it.
      const menu = at?.closest("[role=menu]");
      const button = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : at;
      opener = button instanceof HTMLElement && button !== document.body ? button : undefined;
    },
    /** Gives the focus back once the dialog is gone; or else does what is given. */
    closed: (otherwise?: () => void) => {
      const to = opener;
      opener = undefined;
      setTimeout(() => {
        if (to?.isConnected) to.focus();
        else otherwise?.();
      });
    },
  };
}
