// Whether the user is being asked to confirm the removal of all rules; set by the button and the palette.

import { createSignal } from "solid-js";

export const [isRemovingAll, setRemovingAll] = createSignal(false);
