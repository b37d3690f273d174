import { createSignal, onCleanup } from "solid-js";
import { words } from "../../i18n";
import { seen } from "../../lib/format";
import { isOpenable } from "../../lib/markdown";
import { actions } from "../../state/actions";
import { Ask } from "../ui/Dialog";

/**
 * createLinks intercepts the links within an element and shows their target before following them.
 * Mentions of files are passed to openFile.
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
      <Ask
        open={asking()}
        title={words.chat.openLink.title}
        body={words.chat.openLink.body(seen(link()))}
        confirm={words.chat.openLink.confirm(link().startsWith("mailto:"))}
        onConfirm={() => {
          setAsking(false);
          actions.openURL(link()).catch((thrown) => actions.log("warn", `open a link: ${thrown.message}`));
        }}
        onClose={() => setAsking(false)}
      />
    ),
  };
}
