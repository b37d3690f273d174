import { Dialog as Kobalte } from "@kobalte/core/dialog";
import X from "lucide-solid/icons/x";
import type { JSX } from "solid-js";
import { messages } from "../../i18n";
import { IconButton } from "../ui/Button";
import { createOpener } from "../ui/opener";

const t = messages.review;

export interface FilesDrawerProps {
  open: boolean;
  onClose(): void;
  /** Renders the content; `close` is the button that closes the drawer. */
  children: (close: JSX.Element) => JSX.Element;
}

/** FilesDrawer shows the list of files on top of the diffs in a narrow window. */
export function FilesDrawer(props: FilesDrawerProps) {
  const opener = createOpener();
  let content: HTMLElement | undefined;
  return (
    <Kobalte open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="scrim rv-scrim" />
        <Kobalte.Content
          ref={content}
          class="rv-drawer rv-files"
          aria-label={t.filesAndCommit}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            opener.opened();
            // The rows of files are rendered only after the list has been measured.
            content?.focus();
            requestAnimationFrame(() =>
              requestAnimationFrame(() =>
                content?.querySelector<HTMLElement>("[role=treeitem][tabindex='0'], input")?.focus(),
              ),
            );
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            opener.closed();
          }}
        >
          <Kobalte.Title class="sr">{t.filesAndCommit}</Kobalte.Title>
          {props.children(<IconButton icon={X} label={t.closeFiles} onClick={() => props.onClose()} />)}
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte>
  );
}
