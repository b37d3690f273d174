// Whether the dialog that confirms the removal of all rules is open; the button and the palette open it.

import { createSignal } from "solid-js";

export const [isRemovingAll, setRemovingAll] = createSignal(false);
