// All pictures. A part of the window has a file of its own.

import { shots as shell } from "./shell";
import type { Shot } from "./shot";

export { now } from "./shot";
export const shots: Shot[] = [...shell];
