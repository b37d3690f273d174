// The open account dialog. This state belongs to the window alone; the banner of a chat, the account menu
// and the settings all open the same two dialogs.

import { createSignal } from "solid-js";

const [dialog, setDialog] = createSignal<"sign_in" | "sign_out">();

export { dialog };

/** openSignIn opens the sign-in dialog. */
export const openSignIn = (): void => void setDialog("sign_in");

/** openSignOut opens the sign-out dialog. */
export const openSignOut = (): void => void setDialog("sign_out");

/** closeDialog closes the open dialog. */
export const closeDialog = (): void => void setDialog(undefined);
