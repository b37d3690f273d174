// Which screen the window shows. It is the window's own business: nothing of
// it is an event, and what was open comes back after a reload.

import { createSignal } from "solid-js";

export type SettingsPage =
  | "account"
  | "agent"
  | "model"
  | "permissions"
  | "appearance"
  | "desktop"
  | "shortcuts"
  | "doctor"
  | "about";

export type Screen =
  | { name: "new"; folder?: string }
  | {
      name: "chat";
      id: string /** The newest request takes the focus, not the composer. */;
      toRequest?: boolean;
    }
  | { name: "search"; query?: string }
  | { name: "settings"; page: SettingsPage };

const key = "voxpilot.chat";

function remembered(): Screen {
  try {
    const id = localStorage.getItem(key);
    return id ? { name: "chat", id } : { name: "new" };
  } catch {
    return { name: "new" };
  }
}

const [screen, setScreen] = createSignal<Screen>(remembered());
const [settingsFrom, setSettingsFrom] = createSignal<Screen>({ name: "new" });

export { screen };

/** go shows another screen. */
export function go(to: Screen): void {
  const from = screen();
  if (to.name === "settings" && from.name !== "settings") setSettingsFrom(from);
  setScreen(to);
  if (to.name === "settings") return;
  try {
    if (to.name === "chat") localStorage.setItem(key, to.id);
    else localStorage.removeItem(key);
  } catch {
    // Without storage the next start opens on a new chat.
  }
}

/** leaveSettings goes back to where the settings were opened from. */
export function leaveSettings(): void {
  go(settingsFrom());
}
