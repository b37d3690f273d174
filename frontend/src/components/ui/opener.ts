// A dialog that is opened by a state change has no trigger to return the focus to, so createOpener
// records the focused element.

/**
 * isFocusTaken reports whether any element has the focus. When an overlay closes because the user clicked outside of
 * it, the clicked element may have the focus.
 */
export function isFocusTaken(): boolean {
  const at = document.activeElement;
  return at !== null && at !== document.body;
}

/**
 * createOpener returns callbacks for a dialog: `opened` records the focused element, and `closed` returns
 * the focus to it.
 */
export function createOpener() {
  let opener: HTMLElement | undefined;
  return {
    /** Must be called before the focus moves. */
    opened: () => {
      const at = document.activeElement;
      // A menu entry disappears with its menu, so the menu's button is recorded instead.
      const menu = at?.closest("[role=menu]");
      const button = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : at;
      opener = button instanceof HTMLElement && button !== document.body ? button : undefined;
    },
    /**
     * Returns the focus to the recorded element once the dialog is removed, or calls `otherwise` if that
     * element no longer exists.
     */
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
