// The question whether to remove all rules: its button and the palette ask it.

import { createSignal } from "solid-js";

export const [isRemovingAll, setRemovingAll] = createSignal(false);
