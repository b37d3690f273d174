import { Dialog as Kobalte } from "@kobalte/core/dialog";
import type { JSX } from "solid-js";
import { messages } from "../../i18n";
import { Button } from "./Button";
import { createOpener } from "./opener";
import "./dialog.css";

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  body: string;
  /** Label of the button that confirms the action, a verb. */
  confirm: string;
  /** Label of the button that cancels the action, a verb; set if "Cancel" would be unclear. */
  cancel?: string;
  onConfirm: () => void;
  onClose: () => void;
  /** Content between the text and the buttons. */
  children?: JSX.Element;
}

/**
 * ConfirmDialog asks the user to confirm an action. Cancel has the initial focus, Escape
 * cancels, and closing restores the focus.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  let cancel: HTMLButtonElement | undefined;
  const opener = createOpener();
  // Whether the user has confirmed: the action may then remove the element that opened the dialog.
  let confirmed = false;
  const close = () => {
    confirmed = false;
    props.onClose();
  };
  return (
    <Kobalte open={props.open} onOpenChange={(open) => !open && close()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            class="dialog"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              confirmed = false;
              opener.opened();
              cancel?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (!confirmed) opener.closed();
            }}
          >
            <Kobalte.Title class="dialog-title">{props.title}</Kobalte.Title>
            <Kobalte.Description class="muted">{props.body}</Kobalte.Description>
            {props.children}
            <div class="dialog-acts">
              <Button large ref={cancel} onClick={close}>
                {props.cancel ?? messages.common.cancel}
              </Button>
              <Button
                large
                look="primary"
                onClick={() => {
                  confirmed = true;
                  props.onConfirm();
                }}
              >
                {props.confirm}
              </Button>
            </div>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}
