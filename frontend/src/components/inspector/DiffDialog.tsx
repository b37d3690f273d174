// A dialog that shows a diff, on top of the screen or another dialog.

import { Dialog as Kobalte } from "@kobalte/core/dialog";
import X from "lucide-solid/icons/x";
import { createMemo, Show } from "solid-js";
import { messages } from "../../i18n";
import { parseDiff } from "../../lib/diff";
import { useStore } from "../../state/store";
import { Button, IconButton } from "../ui/Button";
import { createOpener } from "../ui/opener";
import { DiffRows } from "./DiffRows";
import "../ui/dialog.css";
import "../ui/sheet.css";
import "./changes.css";

const t = messages.inspector.changes;

/** The content of a dialog. */
export interface DiffDialogContent {
  title: string;
  lead: string;
  path: string;
  /** The unified diff; undefined while it is loaded. */
  diff?: string;
  /** Shown instead of a diff. */
  reason?: string;
}

/** DiffDialog is a dialog with a diff. It is open while it has content. */
export function DiffDialog(props: { of: DiffDialogContent | undefined; onClose(): void }) {
  const state = useStore();
  const opener = createOpener();
  // The last content remains visible while the dialog closes.
  const last = createMemo((before: DiffDialogContent | undefined) => props.of ?? before);
  const rows = createMemo(() => parseDiff(last()?.diff ?? ""));
  let close: HTMLButtonElement | undefined;
  return (
    <Kobalte open={props.of !== undefined} onOpenChange={(open) => !open && props.onClose()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Kobalte.Content
            class="dialog sheet diff-dialog"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              close?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              opener.closed();
            }}
          >
            <header>
              <div class="grow">
                <Kobalte.Title>{last()?.title}</Kobalte.Title>
                <Kobalte.Description>{last()?.lead}</Kobalte.Description>
              </div>
              <IconButton icon={X} label={messages.undo.close} onClick={props.onClose} />
            </header>
            <Show
              when={rows().length > 0}
              fallback={
                <p class="diff-dialog-state" role="status">
                  {last()?.reason || t.comparing}
                </p>
              }
            >
              <DiffRows
                rows={rows()}
                path={last()?.path ?? ""}
                label={last()?.title ?? ""}
                split={false}
                wrap={state.settings.wrapDiff === true}
                onWidth={() => {}}
                onKeyDown={() => {}}
                control={() => {}}
              />
            </Show>
            <footer>
              <div class="acts">
                <Button
                  large
                  ref={(button) => {
                    close = button;
                  }}
                  onClick={props.onClose}
                >
                  {messages.undo.close}
                </Button>
              </div>
            </footer>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}
