import { Popover as Kobalte } from "@kobalte/core/popover";
import type { JSX } from "solid-js";
import "./menu.css";

export interface PopoverProps {
  label: string;
  trigger: JSX.Element;
  triggerClass: string;
  /** Value of the trigger's `data-state`. */
  state?: string;
  title: string;
  class?: string;
  placement?: "bottom-start" | "bottom-end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: JSX.Element;
}

/**
 * Popover is a button that opens a small panel. The focus moves into the panel, to the element with
 * `data-autofocus` if there is one, and returns to the button afterward.
 */
export function Popover(props: PopoverProps) {
  let content: HTMLDivElement | undefined;
  return (
    <Kobalte
      placement={props.placement ?? "bottom-end"}
      gutter={6}
      open={props.open}
      onOpenChange={props.onOpenChange}
    >
      <Kobalte.Trigger
        as="button"
        class={props.triggerClass}
        aria-label={props.label}
        data-state={props.state}
      >
        {props.trigger}
      </Kobalte.Trigger>
      <Kobalte.Portal>
        <Kobalte.Content
          ref={content}
          class={`pop panel ${props.class ?? ""}`}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (content?.querySelector<HTMLElement>("[data-autofocus]") ?? content)?.focus();
          }}
        >
          <Kobalte.Title class="sr">{props.title}</Kobalte.Title>
          {props.children}
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte>
  );
}
