// Connects the page of the quick prompt to the process of its window, which relays messages between the
// page and VoxPilot.

import type { QuickCommand, QuickEvent } from "../state/types";

interface Runtime {
  EventsOn(name: string, callback: (order: QuickCommand) => void): () => void;
  EventsEmit?(name: string, said: string): void;
}

const runtime = (): Runtime | undefined => (window as unknown as { runtime?: Runtime }).runtime;

/** emit sends a message to VoxPilot. */
export function emit(said: QuickEvent): void {
  runtime()?.EventsEmit?.("quick:said", JSON.stringify(said));
}

/** onCommand calls `callback` with each command from VoxPilot and returns a function that unsubscribes. */
export function onCommand(callback: (order: QuickCommand) => void): () => void {
  return runtime()?.EventsOn("quick:order", callback) ?? (() => {});
}
