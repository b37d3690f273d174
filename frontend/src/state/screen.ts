// Which screen the window shows. It is the window's own business: nothing of
// it is an event, and what was open comes back after a reload.

import { createSignal } from "solid-js";

const settingsPages = [
  "account",
  "agent",
  "model",
  "permissions",
  "appearance",
  "desktop",
  "shortcuts",
  "doctor",
  "about",
] as const;

export type SettingsPage = (typeof settingsPages)[number];

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

const settingsKey = "voxpilot.settings";

/** saveSettingsPage has the settings open again once the window has loaded its page anew. */
export function saveSettingsPage(): void {
  const now = screen();
  if (now.name === "settings") sessionStorage.setItem(settingsKey, now.page);
}

/** savedSettingsPage returns the page of the settings that saveSettingsPage has noted, once. */
function savedSettingsPage(): Screen | undefined {
  try {
    const noted = sessionStorage.getItem(settingsKey);
    sessionStorage.removeItem(settingsKey);
    const page = settingsPages.find((each) => each === noted);
    return page && { name: "settings", page };
  } catch {
    return undefined;
  }
}

const [screen, setScreen] = createSignal<Screen>(savedSettingsPage() ?? remembered());
const [settingsFrom, setSettingsFrom] = createSignal<Screen>(remembered());
/** Where the search was opened from; nothing of it needs to follow. */
let searchFrom: Screen = remembered();

export { screen };

/** Goes on with what is left to do, once nothing is lost by it. */
type Leaving = (then: () => void) => void;

let leavingSettings: Leaving | undefined;

/** onLeavingSettings has every way out of a page of the settings ask first, until it is taken back. */
export function onLeavingSettings(asks: Leaving): () => void {
  leavingSettings = asks;
  return () => {
    if (leavingSettings === asks) leavingSettings = undefined;
  };
}

/** go shows another screen, and does what is left to do there; what would be lost is asked about first. */
export function go(to: Screen, then?: () => void): void {
  const from = screen();
  const stays = to.name === "settings" && from.name === "settings" && to.page === from.page;
  const next = () => {
    show(to);
    then?.();
  };
  if (leavingSettings && from.name === "settings" && !stays) leavingSettings(next);
  else next();
}

function show(to: Screen): void {
  const from = screen();
  if (to.name === "settings" && from.name !== "settings") setSettingsFrom(from);
  if (to.name === "search" && from.name !== "search" && from.name !== "settings") searchFrom = from;
  setScreen(to);
  if (to.name === "chat") noteVisit(to.id);
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

/** leaveSearch goes back to where the search was opened from. */
export function leaveSearch(): void {
  go(searchFrom);
}

const visitsKey = "voxpilot.visits";
/** How many chats are remembered in the order of their use. */
const mostVisits = 100;

function keptVisits(): string[] {
  try {
    return (localStorage.getItem(visitsKey) ?? "").split("\n").filter((id) => id !== "");
  } catch {
    return [];
  }
}

let visited: string[] | undefined;

/** visits are the ids of the chats that were on screen, the last one first. Some may be deleted since. */
export function visits(): readonly string[] {
  visited ??= keptVisits();
  return visited;
}

function noteVisit(id: string): void {
  visited = [id, ...visits().filter((each) => each !== id)].slice(0, mostVisits);
  try {
    localStorage.setItem(visitsKey, visited.join("\n"));
  } catch {
    // Without storage the order begins anew with the next start.
  }
}
