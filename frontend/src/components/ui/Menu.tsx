import { DropdownMenu } from "@kobalte/core/dropdown-menu";
import { createSignal, Index, type JSX, Show } from "solid-js";
import "./menu.css";

export interface MenuEntry {
  label: string;
  icon?: JSX.Element;
  /** Secondary text on the right. */
  fact?: string;
  /** Whether the entry has a check mark because it is active. */
  checked?: boolean;
  /** Whether the entry is unavailable but still shown. */
  disabled?: boolean;
  onSelect: () => void;
}

export interface MenuProps {
  label: string;
  trigger: JSX.Element;
  triggerClass: string;
  /** Groups are separated by a line; each may have a caption. */
  groups: { caption?: string; entries: MenuEntry[] }[];
  placement?: "bottom-start" | "bottom-end" | "top-start" | "top-end";
  title?: string;
}

/** stopKeyRepeat prevents the key that selects an entry from reaching the element focused next. */
export function stopKeyRepeat(event: KeyboardEvent): void {
  if (event.key === "Enter" || event.key === " ") event.preventDefault();
}

/** MenuGroups renders the entries of a menu or context menu. */
export function MenuGroups(props: { groups: MenuProps["groups"] }) {
  return (
    // Index preserves the elements of an open menu when their text changes.
    <Index each={props.groups}>
      {(group, index) => (
        <>
          <Show when={index > 0}>
            <DropdownMenu.Separator class="hr" />
          </Show>
          <DropdownMenu.Group>
            <Show when={group().caption}>
              <DropdownMenu.GroupLabel as="div" class="cap">
                {group().caption}
              </DropdownMenu.GroupLabel>
            </Show>
            <Index each={group().entries}>
              {(entry) => (
                <DropdownMenu.Item
                  class="opt"
                  classList={{ on: entry().checked }}
                  disabled={entry().disabled}
                  onKeyDown={stopKeyRepeat}
                  onSelect={() => entry().onSelect()}
                  aria-current={entry().checked ? "true" : undefined}
                >
                  {entry().icon}
                  <span class="trunc">{entry().label}</span>
                  <Show when={entry().fact}>
                    <span class="r">{entry().fact}</span>
                  </Show>
                </DropdownMenu.Item>
              )}
            </Index>
          </DropdownMenu.Group>
        </>
      )}
    </Index>
  );
}

/** Menu is a button that opens a list of actions or choices. */
export function Menu(props: MenuProps) {
  let chosen: (() => void) | undefined;
  const [isOpen, setOpen] = createSignal(false);
  // Selecting an entry runs its action once the menu has restored the focus, because the action may open
  // a dialog.
  const groups = () =>
    props.groups.map((group) => ({
      ...group,
      entries: group.entries.map((entry) => ({
        ...entry,
        onSelect: () => {
          chosen = entry.onSelect;
        },
      })),
    }));
  return (
    <DropdownMenu
      placement={props.placement ?? "bottom-start"}
      gutter={4}
      modal={false}
      onOpenChange={setOpen}
    >
      <DropdownMenu.Trigger
        class={props.triggerClass}
        aria-label={props.label}
        // The tooltip would cover the list.
        title={isOpen() ? undefined : props.title}
      >
        {props.trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          class="pop menu"
          onCloseAutoFocus={() => {
            const then = chosen;
            chosen = undefined;
            if (then) queueMicrotask(then);
          }}
        >
          <MenuGroups groups={groups()} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}
