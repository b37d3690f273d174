// What the transcript and the composer of the chat on screen know of each
// other: whether the request that waits is in view, and how to get to it.

import { createSignal } from "solid-js";

const [rejectedIn, setRejectedIn] = createSignal("");

/** wasRejected says whether the chat on screen rests because its user rejected something. */
export function wasRejected(chatId: string): boolean {
  return rejectedIn() === chatId;
}

/** setRejected says that it does, or with "" that it does not. */
export function setRejected(chatId: string): void {
  setRejectedIn(chatId);
}

interface HiddenRequest {
  chatId: string;
  askId: string;
  show(): void;
}

const [unseen, setUnseen] = createSignal<HiddenRequest | undefined>();

/** hiddenRequest is the request of a chat that waits out of view. */
export function hiddenRequest(chatId: string): string | undefined {
  const now = unseen();
  return now?.chatId === chatId ? now.askId : undefined;
}

/** showRequest brings it into view. */
export function showRequest(chatId: string): void {
  const now = unseen();
  if (now?.chatId === chatId) now.show();
}

/** setHiddenRequest says that a request is out of view, or none with undefined. */
export function setHiddenRequest(value: HiddenRequest | undefined): void {
  setUnseen(value);
}

const [sent, setSent] = createSignal("");

/** sentItem is the message that the user sent last, until the transcript has shown it. */
export { sent as sentItem };

/** setSentItem says which message the user just sent; "" once it is shown. */
export function setSentItem(itemId: string): void {
  setSent(itemId);
}

/** What the user wants to see of a session: its newest block, or main's newest words. */
export interface ViewRequest {
  chatId: string;
  session: string;
  /** The newest block that was held before the one that is to come, "" for none; left out, the newest there is is shown. */
  after?: string;
}

const [requestedView, setRequestedView] = createSignal<ViewRequest | undefined>();

/** requestedView is what the transcript is to show, until it has. */
export { requestedView };

/** requestView asks the transcript to show something; with undefined it is shown. */
export function requestView(value: ViewRequest | undefined): void {
  setRequestedView(value);
}
