// Which chat's folder is asked about. One sheet serves the whole window: the
// banner of a chat, its connection and the palette lead to it.

import { createSignal } from "solid-js";

const [reviewed, setReviewed] = createSignal<string>();

/** reviewed is the chat whose request the user looks at; undefined while the sheet is closed. */
export { reviewed };

/** reviewTrust asks whether to trust the folder of a chat. */
export const reviewTrust = (chatId: string): void => void setReviewed(chatId);

/** closeTrust closes the sheet; the request stays. */
export const closeTrust = (): void => void setReviewed(undefined);

/**
 * whenFree calls back once no dialog or panel is open; the function it returns
 * takes that back.
 */
export function whenFree(then: () => void): () => void {
  const isFree = () => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") === null;
  const observer = new MutationObserver(() => look());
  // Opening a chat moves the focus into its composer first.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isFree()) return;
      observer.disconnect();
      then();
    });
  };
  // What is open over the window is a child of the body.
  observer.observe(document.body, { childList: true });
  look();
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
