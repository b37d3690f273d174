import { Dialog as Kobalte } from "@kobalte/core/dialog";
import type { JSX } from "solid-js";
import { confirmDiscard } from "../../state/unsavedChanges";
import "./settings.css";

export interface FormDialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  /** Called after the dialog has closed, to restore the focus. */
  onClosed: () => void;
  children: JSX.Element;
}

/**
 * FormDialog is a dialog with a settings form. Its first field gets the focus. Escape closes the dialog, after a
 * confirmation if there are unsaved changes; a click outside doesn't close it.
 */
export function FormDialog(props: FormDialogProps) {
  let content: HTMLDivElement | undefined;
  return (
    <Kobalte open={props.open} onOpenChange={(open) => !open && confirmDiscard(props.onClose)}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            ref={content}
            class="dialog form-dialog"
            onInteractOutside={(event) => event.preventDefault()}
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              content?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              props.onClosed();
            }}
          >
            <Kobalte.Title class="dialog-title">{props.title}</Kobalte.Title>
            {props.children}
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}
