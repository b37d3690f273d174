// The chat whose folder the user is asked to trust. One sheet serves the whole window; it can be opened
// from a chat's banner, a chat's connection status or the palette.

import { createSignal } from "solid-js";

const [reviewedChat, setReviewed] = createSignal<string>();

/** reviewedChat is the ID of the chat whose trust request is shown, or undefined while the sheet is closed. */
export { reviewedChat as reviewed };

/** reviewTrust opens the sheet for the folder of a chat. */
export const reviewTrust = (chatId: string): void => void setReviewed(chatId);

/** closeTrust closes the sheet; the request remains open. */
export const closeTrust = (): void => void setReviewed(undefined);
