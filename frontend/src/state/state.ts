// The shape of what the window knows. Everything in it came from an event;
// reduce.ts is the only file that writes it.

import type { WorkSummary } from "./callActions";
import type { TextState } from "./text";
import {
  type Account,
  type Chat,
  type CLI,
  type Connection,
  type Content,
  type CustomAgent,
  type Desktop,
  type DialogResult,
  type Item,
  MaxAttempts,
  type Navigation,
  type Permission,
  type Provider,
  type QueuedPrompt,
  type Rule,
  type Session,
  type Settings,
  type SignIn,
  type Storage,
  type TrustedFolder,
  type TrustRequest,
  type Turn,
  type Update,
} from "./types";

/** A part of a chat's transcript without holes. */
export interface Span {
  /** Ids of the items outside of blocks, in order of their pos. */
  order: string[];
  /** The position to ask for to get the page before; 0 where there is none. */
  before: number;
}

/** Calls of a run that are not held, and what each did, by its position. */
export interface Gap {
  /** The block that they are in; "" outside of blocks. */
  parent: string;
  /** The positions of the first and of the last. */
  from: number;
  to: number;
  evicted: WorkSummary[];
}

/** What of a chat's transcript is held. It is itself the part that goes through the newest item. */
export interface Page extends Span {
  /** The part that is read, where that is apart from the end. */
  window?: Span;
  /** Ids of the items inside each block, in order. */
  inside: Record<string, string[]>;
  /** What of long runs of calls is not held (toolRuns.ts). */
  gaps: Gap[];
  /** Runs are held whole: their reader asked for that. */
  whole?: boolean;
  /** The user's newest message, where it is further back than what is held of the end. */
  asked?: string;
  /** Where its reader left it, by position; 0 is the end. Undefined while it is on screen. */
  left?: number;
  /** Grows with every change but streamed text, so that lists can follow one number. */
  rev: number;
}

/** State is everything the window knows. */
export interface State {
  /** ready once the first snapshot was applied. */
  ready: boolean;
  chats: Record<string, Chat>;
  /** Present for chats that were opened. */
  pages: Record<string, Page>;
  turns: Record<string, Turn>;
  items: Record<string, Item>;
  texts: Record<string, TextState>;
  contents: Record<string, Content>;
  /** Ids of the contents of an item, in the order of their arrival. */
  contentsOf: Record<string, string[]>;
  permissions: Record<string, Permission>;
  queued: Record<string, QueuedPrompt>;
  /** By chat, then by name. */
  sessions: Record<string, Record<string, Session>>;
  connections: Record<string, Connection>;
  rules: Record<string, Rule>;
  /** What asks for trust in a folder, by TrustRequest.key. */
  trust: Record<string, TrustRequest>;
  /** By TrustedFolder.key. */
  trustedFolders: Record<string, TrustedFolder>;
  providers: Record<string, Provider>;
  profiles: Record<string, CustomAgent>;
  settings: Settings;
  cli: CLI;
  account: Account;
  signIn: SignIn;
  storage: Storage;
  desktop: Desktop;
  update: Update;
  /** What the user asked for outside of the window, last. */
  asked?: Navigation;
  picked?: DialogResult;
  /** How many chats run, while the user is asked whether to quit; 0 otherwise. */
  quitAsked: number;
}

/** defaultSettings are those of a new installation; the app's snapshot brings the user's. */
export const defaultSettings: Settings = {
  theme: "system",
  contrast: "system",
  motion: "system",
  idleMinutes: 15,
  restoreOnOpen: true,
  attempts: MaxAttempts,
  mode: "ask",
  askOutside: true,
  ifLost: "recap",
  textSize: "normal",
  showThoughts: true,
  shortcut: "Ctrl+Shift+Space",
  notify: { needsYou: true, finished: true, failed: true, signIn: true },
  checkUpdates: true,
};

/** newState is what a window knows that has seen nothing yet. */
export function newState(): State {
  return {
    ready: false,
    chats: {},
    pages: {},
    turns: {},
    items: {},
    texts: {},
    contents: {},
    contentsOf: {},
    permissions: {},
    queued: {},
    sessions: {},
    connections: {},
    rules: {},
    trust: {},
    trustedFolders: {},
    providers: {},
    profiles: {},
    settings: { ...defaultSettings },
    cli: { state: "checking", min: "" },
    account: { state: "unknown", host: "github.com" },
    signIn: { state: "none" },
    storage: { state: "ok", path: "" },
    desktop: { tray: false, startAtLogin: false, shortcut: { state: "off" } },
    update: { state: "off" },
    quitAsked: 0,
  };
}
