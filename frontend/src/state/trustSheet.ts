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
