// What the transcript and the composer of the chat on screen know of each
// other: whether the request that waits is in view, and how to get to it.

import { createSignal } from "solid-js";

const [rejectedIn, setRejectedIn] = createSignal("");

/** wasRejected says whether the chat on screen rests because its user rejected something. */
export function wasRejected(chatId: string): boolean {
  return rejectedIn() === chatId;
}

/** noteRejected says that it does, or with "" that it does not. */
export function noteRejected(chatId: string): void {
  setRejectedIn(chatId);
}

interface Unseen {
  chatId: string;
  askId: string;
  show(): void;
}

const [unseen, setUnseen] = createSignal<Unseen | undefined>();

/** unseenAsk is the request of a chat that waits out of view. */
export function unseenAsk(chatId: string): string | undefined {
  const now = unseen();
  return now?.chatId === chatId ? now.askId : undefined;
}

/** showAsk brings it into view. */
export function showAsk(chatId: string): void {
  const now = unseen();
  if (now?.chatId === chatId) now.show();
}

/** noteUnseen says that a request is out of view, or none with undefined. */
export function noteUnseen(value: Unseen | undefined): void {
  setUnseen(value);
}

const [sent, setSent] = createSignal("");

/** sentItem is the message that the user sent last, until the transcript has shown it. */
export { sent as sentItem };

/** noteSent says which message the user just sent; "" once it is shown. */
export function noteSent(itemId: string): void {
  setSent(itemId);
}

/** What the user wants to see of a session: its newest block, or main's newest words. */
export interface Wish {
  chatId: string;
  session: string;
  /** The newest block that was held before the one that is to come, "" for none; left out, the newest there is is shown. */
  after?: string;
}

const [wished, setWished] = createSignal<Wish | undefined>();

/** wished is what the transcript is to show, until it has. */
export { wished };

/** wish asks the transcript to show something; with undefined it is shown. */
export function wish(value: Wish | undefined): void {
  setWished(value);
}
