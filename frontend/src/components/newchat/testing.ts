// Shared data of the new chat screen's tests.

import type { Chat } from "../../state/types";
import { chatEvent } from "../../testing";

export const createdChat = chatEvent("made").chat as Chat;
export const folder = "/home/anna/code/orbit-api";
