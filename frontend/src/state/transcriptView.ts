// State shared by the transcript and the composer of the visible chat: the request out of view, the message
// just sent, the session part to show, and whether a rejection left the chat idle.

import { createSignal } from "solid-js";

const [rejectedIn, setRejectedIn] = createSignal("");

/** wasRejected reports whether the given chat is visible and has become idle because a request was rejected. */
export function wasRejected(chatId: string): boolean {
  return rejectedIn() === chatId;
}

/** setRejected records the ID of the visible chat if a rejection left it idle, otherwise "". */
export function setRejected(chatId: string): void {
  setRejectedIn(chatId);
}

interface HiddenRequest {
  chatId: string;
  requestId: string;
  show(): void;
}

const [unseen, setUnseen] = createSignal<HiddenRequest | undefined>();

/**
 * hiddenRequest returns the ID of a chat's pending request if the request is out of view, otherwise
 * undefined.
 */
export function hiddenRequest(chatId: string): string | undefined {
  const now = unseen();
  return now?.chatId === chatId ? now.requestId : undefined;
}

/** showRequest scrolls a chat's pending request into view if it is hidden. */
export function showRequest(chatId: string): void {
  const now = unseen();
  if (now?.chatId === chatId) now.show();
}

/** setHiddenRequest records the request that is out of view, or undefined if there is none. */
export function setHiddenRequest(value: HiddenRequest | undefined): void {
  setUnseen(value);
}

const [sent, setSent] = createSignal("");

/** sentItem is the ID of the message that the user sent last, or "" once the transcript has shown it. */
export { sent as sentItem };

/** setSentItem records the ID of the message just sent, or "" once the transcript has shown it. */
export function setSentItem(itemId: string): void {
  setSent(itemId);
}

/** The part of a session to show: its newest block or, for the main session, its latest message. */
export interface ViewRequest {
  chatId: string;
  session: string;
  /**
   * ID of a block. The transcript waits for a newer block and shows that; if `after` is "", it waits for the
   * first block. If `after` is absent, the transcript shows the newest block immediately.
   */
  after?: string;
}

const [requestedView, setRequestedView] = createSignal<ViewRequest | undefined>();

/** requestedView is the part that the transcript should show, or undefined once it has shown that part. */
export { requestedView };

/** requestView requests that the transcript show a part; undefined clears the request. */
export function requestView(value: ViewRequest | undefined): void {
  setRequestedView(value);
}
