// Which dialog about the account is open. It is the window's own business, and
// one for the whole window: the banner of a chat, the account's menu and the
// settings all lead to the same two.

import { createSignal } from "solid-js";

const [dialog, setDialog] = createSignal<"sign_in" | "sign_out">();

export { dialog };

/** openSignIn asks the user to sign in. */
export const openSignIn = (): void => void setDialog("sign_in");

/** askSignOut asks whether to sign out, or says how. */
export const askSignOut = (): void => void setDialog("sign_out");

/** closeDialog closes whichever is open. */
export const closeDialog = (): void => void setDialog(undefined);
