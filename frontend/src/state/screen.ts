// The screen that the window shows. This state belongs to the window: it isn't part of any event and is
// restored after a reload.

import { createSignal } from "solid-js";

const settingsPages = [
  "account",
  "agent",
  "model",
  "permissions",
  "sandbox",
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
      id: string;
      /** Whether the chat's pending request takes the focus instead of the composer. */
      toRequest?: boolean;
    }
  | { name: "search"; query?: string }
  /** The list of the Copilot CLI's sessions on this computer. */
  | { name: "sessions" }
  /** The review of one source of changes in a chat: see ReviewSources. */
  | { name: "review"; chat: string; source: string }
  | { name: "settings"; page: SettingsPage };

const key = "voxpilot.chat";

function lastChat(): Screen {
  try {
    const id = localStorage.getItem(key);
    return id ? { name: "chat", id } : { name: "new" };
  } catch {
    return { name: "new" };
  }
}

const settingsKey = "voxpilot.settings";

/** saveSettingsPage stores the open settings page, so that it reopens after the window has reloaded. */
export function saveSettingsPage(): void {
  const now = screen();
  if (now.name === "settings") sessionStorage.setItem(settingsKey, now.page);
}

/** savedSettingsPage returns the page stored by saveSettingsPage and removes it from storage. */
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

const savedKey = "voxpilot.review";

/** saveScreen stores the open review or list of sessions, so that it reopens after the window has reloaded. */
function saveScreen(to: Screen): void {
  try {
    if (to.name === "review" || to.name === "sessions") sessionStorage.setItem(savedKey, JSON.stringify(to));
    else sessionStorage.removeItem(savedKey);
  } catch {
    // Without storage, a reload returns to the chat.
  }
}

function savedScreen(): Screen | undefined {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(savedKey) ?? "null");
    if (typeof saved !== "object" || saved === null) return undefined;
    const { name, chat, source } = saved as { name?: unknown; chat?: unknown; source?: unknown };
    if (name === "sessions") return { name };
    if (typeof chat !== "string" || typeof source !== "string") return undefined;
    return { name: "review", chat, source };
  } catch {
    return undefined;
  }
}

const [screen, setScreen] = createSignal<Screen>(savedSettingsPage() ?? savedScreen() ?? lastChat());
const [settingsFrom, setSettingsFrom] = createSignal<Screen>(lastChat());
/** The screen from which search was opened; not reactive. */
let searchFrom: Screen = lastChat();
/** The screen from which the list of sessions was opened; not reactive. */
let sessionsFrom: Screen = lastChat();

export { screen };

/** Calls `then` immediately if there are no unsaved changes, otherwise once the user agrees to discard them. */
type LeaveGuard = (then: () => void) => void;

let leavingSettings: LeaveGuard | undefined;

/**
 * onLeavingSettings installs a guard that decides whether the user may leave a settings page. It returns a
 * function that removes the guard.
 */
export function onLeavingSettings(asks: LeaveGuard): () => void {
  leavingSettings = asks;
  return () => {
    if (leavingSettings === asks) leavingSettings = undefined;
  };
}

/**
 * go shows another screen and then calls `then`. If settings have unsaved changes, the user must first
 * confirm discarding them.
 */
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
  const isPlace = from.name !== to.name && from.name !== "settings";
  // The list of sessions can be opened from the search. The way back from the search doesn't lead to the list again.
  if (to.name === "search" && isPlace && from.name !== "sessions") searchFrom = from;
  if (to.name === "sessions" && isPlace) sessionsFrom = from;
  saveScreen(to);
  setScreen(to);
  if (to.name === "chat") noteVisit(to.id);
  if (to.name === "settings" || to.name === "review" || to.name === "sessions") return;
  try {
    if (to.name === "chat") localStorage.setItem(key, to.id);
    else localStorage.removeItem(key);
  } catch {
    // Without storage, the next start shows a new chat.
  }
}

/** leaveSettings returns to the screen from which the settings were opened. */
export function leaveSettings(): void {
  go(settingsFrom());
}

/** leaveSearch returns to the screen from which search was opened. */
export function leaveSearch(): void {
  go(searchFrom);
}

/** leaveSessions returns to the screen from which the list of sessions was opened. */
export function leaveSessions(): void {
  go(sessionsFrom);
}

const visitsKey = "voxpilot.visits";
/** Maximum number of chats in the visit history. */
const maxVisits = 100;

function loadVisits(): string[] {
  try {
    return (localStorage.getItem(visitsKey) ?? "").split("\n").filter((id) => id !== "");
  } catch {
    return [];
  }
}

let visited: string[] | undefined;

/** visits returns the IDs of visited chats, most recently visited first. Some of these chats may have been deleted. */
export function visits(): readonly string[] {
  visited ??= loadVisits();
  return visited;
}

function noteVisit(id: string): void {
  visited = [id, ...visits().filter((each) => each !== id)].slice(0, maxVisits);
  try {
    localStorage.setItem(visitsKey, visited.join("\n"));
  } catch {
    // Without storage, the history is empty after the next start.
  }
}
