// The context menus of the window, but for those of lists that have their own:
// one menu, opened where it is asked for, by a click or by the keys for it.

import { DropdownMenu } from "@kobalte/core/dropdown-menu";
import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { isMac } from "../../lib/platform";
import { MenuGroups } from "../ui/Menu";
import { isFocusTaken } from "../ui/opener";
import { select } from "./clipboard";
import { isField, menuAt, type PlaceMenu } from "./entries";
import "../ui/menu.css";

const isMenuKey = (event: KeyboardEvent) =>
  event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);

/** ContextMenus hears every request for a context menu that nobody has taken. */
export function ContextMenus() {
  const [menu, setMenu] = createSignal<PlaceMenu>();
  const [open, setOpen] = createSignal(false);
  const [at, setAt] = createSignal({ x: 0, y: 0 });
  let content: HTMLDivElement | undefined;
  let opener: Element | null = null;
  /** The keys for it were pressed, and no pointer since. */
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
    // In the menu itself there is nothing to ask for.
    if (target.closest("[role=menu]")) {
      event.preventDefault();
      return;
    }
    const found = menuAt(target);
    if (!found) {
      // macOS has a menu of its own; only the one for fields is of use.
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
  /** What is chosen is done once the focus is back where it was. */
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
    // A click beside the menu has put the focus where it belongs.
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
