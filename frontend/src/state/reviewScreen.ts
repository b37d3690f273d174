// Opens and closes the Review screen.

import { go, screen } from "./screen";
import { raw } from "./store";

/** Maximum number of frames to wait until the chat is rendered and the focus can be restored. */
const maxFrames = 60;

/** Describes the element that opened the screen, so that it can be found after the chat has been rendered again. */
interface Opener {
  label: string;
  /** Key of the transcript's entry that contains the element. */
  row: string | undefined;
}

let opener: Opener | undefined;

/** openReview opens the Review screen with the changes of a source in a chat. */
export function openReview(chat: string, source = "chat"): void {
  const from = document.activeElement;
  const label = from?.getAttribute("aria-label") ?? "";
  const row = from?.closest<HTMLElement>(".entry")?.dataset.key;
  if (screen().name !== "review") opener = label === "" ? undefined : { label, row };
  go({ name: "review", chat, source });
}

/**
 * reviewTurn opens the Review screen with a turn's changes, or with all changes of the chat if the turn has no
 * snapshots.
 */
export function reviewTurn(chat: string, turn: string): void {
  const undo = raw().undos[turn];
  openReview(chat, undo?.state === "available" && undo.files ? `turn:${turn}` : "chat");
}

/** leaveReview returns to the chat and restores the focus to the element that opened the review. */
export function leaveReview(): void {
  const now = screen();
  if (now.name !== "review") return;
  const back = opener;
  opener = undefined;
  go({ name: "chat", id: now.chat }, () => back && focusAgain(back, maxFrames));
}

function focusAgain({ label, row }: Opener, frames: number): void {
  requestAnimationFrame(() => {
    const now = screen();
    if (now.name !== "chat") return;
    const inside =
      row === undefined ? document : document.querySelector(`.entry[data-key="${CSS.escape(row)}"]`);
    const button = inside?.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`);
    if (button) button.focus({ preventScroll: true });
    else if (frames > 0) focusAgain({ label, row }, frames - 1);
  });
}
