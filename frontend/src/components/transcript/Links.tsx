import { createSignal, onCleanup } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { isOpenable } from "../../lib/markdown";
import { actions } from "../../state/actions";
import { ConfirmDialog } from "../ui/ConfirmDialog";

/**
 * createLinks intercepts clicks on links within an element and shows a link's target before following it.
 * Mentioned files are passed to `openFile`.
 */
export function createLinks(openFile?: (path: string, line: number) => void) {
  const [link, setLink] = createSignal("");
  const [asking, setAsking] = createSignal(false);
  const onClick = (event: MouseEvent) => {
    if (event.type === "auxclick" && event.button !== 1) return;
    const target = event.target as Element;
    const file = target.closest<HTMLElement>(".file-link");
    if (file) {
      openFile?.(file.dataset.path ?? "", Number(file.dataset.line ?? 0));
      return;
    }
    const anchor = target.closest("a");
    if (!anchor) return;
    event.preventDefault();
    const href = anchor.getAttribute("href") ?? "";
    if (!isOpenable(href)) return;
    setLink(href);
    setAsking(true);
  };
  return {
    ref: (element: HTMLElement) => {
      element.addEventListener("click", onClick);
      element.addEventListener("auxclick", onClick);
      onCleanup(() => {
        element.removeEventListener("click", onClick);
        element.removeEventListener("auxclick", onClick);
      });
    },
    question: () => (
      <ConfirmDialog
        open={asking()}
        title={messages.chat.openLink.title}
        body={messages.chat.openLink.body(visibleText(link()))}
        confirm={messages.chat.openLink.confirm(link().startsWith("mailto:"))}
        onConfirm={() => {
          setAsking(false);
          actions.openURL(link()).catch((thrown) => actions.log("warn", `open a link: ${thrown.message}`));
        }}
        onClose={() => setAsking(false)}
      />
    ),
  };
}
