// Between the page of the quick prompt and its process, which passes on what goes
// to and fro between it and VoxPilot.

import type { QuickCommand, QuickEvent } from "../state/types";

interface Runtime {
  EventsOn(name: string, callback: (order: QuickCommand) => void): () => void;
  EventsEmit?(name: string, said: string): void;
}

const runtime = (): Runtime | undefined => (window as unknown as { runtime?: Runtime }).runtime;

/** say tells VoxPilot. */
export function say(said: QuickEvent): void {
  runtime()?.EventsEmit?.("quick:said", JSON.stringify(said));
}

/** onOrder hears what VoxPilot wants. */
export function onOrder(callback: (order: QuickCommand) => void): () => void {
  return runtime()?.EventsOn("quick:order", callback) ?? (() => {});
}
