// The context menu of all elements that don't provide another one. It opens at the pointer or, if the keyboard was
// used, at the focused element.

import { DropdownMenu } from "@kobalte/core/dropdown-menu";
import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { isMac } from "../../lib/platform";
import { MenuGroups } from "../ui/Menu";
import { isFocusTaken } from "../ui/opener";
import { select } from "./clipboard";
import { type ContextMenu, isField, menuAt } from "./entries";
import "../ui/menu.css";

const isMenuKey = (event: KeyboardEvent) =>
  event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);

/** ContextMenus handles every contextmenu event that no other component handles. */
export function ContextMenus() {
  const [menu, setMenu] = createSignal<ContextMenu>();
  const [open, setOpen] = createSignal(false);
  const [at, setAt] = createSignal({ x: 0, y: 0 });
  let content: HTMLDivElement | undefined;
  let opener: Element | null = null;
  /** Whether the keyboard was used to request the last menu. */
  let byKey = false;

  const onKeyDown = (event: KeyboardEvent) => {
    byKey = isMenuKey(event);
  };
  const onPointerDown = () => {
    byKey = false;
  };
  const onContextMenu = (event: MouseEvent) => {
    if (event.defaultPrevented) return;
    const target = byKey ? document.activeElement : event.target;
    if (!(target instanceof Element)) return;
    // A menu has no context menu.
    if (target.closest("[role=menu]")) {
      event.preventDefault();
      return;
    }
    const found = menuAt(target);
    if (!found) {
      // On macOS, the native menu is only useful in fields.
      if (isMac && !isField(target)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const box = target.getBoundingClientRect();
    opener = document.activeElement;
    setAt(
      byKey
        ? { x: box.left + 8, y: box.top + Math.min(box.height, 28) }
        : { x: event.clientX, y: event.clientY },
    );
    setMenu(found);
    setOpen(true);
  };
  onMount(() => {
    window.addEventListener("keydown", onKeyDown, true);
    window.addEventListener("pointerdown", onPointerDown, true);
    window.addEventListener("contextmenu", onContextMenu);
    onCleanup(() => {
      window.removeEventListener("keydown", onKeyDown, true);
      window.removeEventListener("pointerdown", onPointerDown, true);
      window.removeEventListener("contextmenu", onContextMenu);
    });
  });

  let chosen: (() => void) | undefined;
  /** The menu's entries. The action of a selected entry runs only after the focus has been restored. */
  const groups = () =>
    (menu()?.groups ?? []).map((group) => ({
      ...group,
      entries: group.entries.map((entry) => ({
        ...entry,
        onSelect: () => {
          chosen = entry.onSelect;
        },
      })),
    }));
  const closed = () => {
    const { part } = menu() ?? {};
    const then = chosen;
    chosen = undefined;
    // A click outside the menu has already moved the focus.
    if (!then && isFocusTaken()) return;
    if (part?.field.isConnected) select(part);
    else if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) {
      opener.focus({ preventScroll: true });
    }
    then?.();
  };
  return (
    <DropdownMenu
      open={open()}
      onOpenChange={setOpen}
      getAnchorRect={at}
      placement="bottom-start"
      gutter={2}
      slide
      modal={false}
    >
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={content}
          class="pop menu"
          aria-label={menu()?.label}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            closed();
          }}
        >
          <Show when={menu()}>
            <MenuGroups groups={groups()} />
          </Show>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}
