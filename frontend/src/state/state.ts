// The shape of the window's state. Almost all of it comes from events; only reduce.ts, with pageWindow.ts and
// toolRuns.ts, writes it.

import type { WorkSummary } from "./callActions";
import type { TextState } from "./text";
import {
  type Account,
  type AgentReview,
  type AgentSignIn,
  type Chat,
  type ChatBranches,
  type CLI,
  type Connection,
  type Content,
  type CustomAgent,
  type Desktop,
  type DialogResult,
  type Item,
  MaxAttempts,
  type MessageDraft,
  type Navigation,
  type Permission,
  type Provider,
  type QueuedPrompt,
  type ReviewJob,
  type Rule,
  type SandboxStatus,
  type Session,
  type SessionImport,
  type SessionUse,
  type Settings,
  type SignIn,
  type Storage,
  type TrustedFolder,
  type TrustRequest,
  type Turn,
  type TurnUndo,
  type Update,
} from "./types";

/** A contiguous part of a chat's transcript. */
export interface Span {
  /** IDs of the top-level items, in order of pos. */
  order: string[];
  /** Position from which to request the previous page; 0 if there is none. */
  before: number;
}

/**
 * A gap: calls of a run that aren't loaded. Only the effects of these calls are in memory, in order of
 * position.
 */
export interface Gap {
  /** ID of the block that contains the calls; "" at the top level. */
  parent: string;
  /** Positions of the first and last of these calls. */
  from: number;
  to: number;
  evicted: WorkSummary[];
}

/**
 * The loaded parts of a chat's transcript. The fields of Span describe the part that ends with the newest
 * item.
 */
export interface Page extends Span {
  /** The part on screen if it is separate from the end. */
  window?: Span;
  /** IDs of the items inside each block, in order, by the block's item ID. */
  inside: Record<string, string[]>;
  /** Calls of long runs that aren't loaded (toolRuns.ts). */
  gaps: Gap[];
  /** Whether runs stay completely loaded, because the user has asked to see all of their calls. */
  whole?: boolean;
  /** ID of the user's newest message if it precedes the loaded end. */
  lastUserItem?: string;
  /** Position at which the user left the chat, or 0 for the end. Undefined while the chat is on screen. */
  leftAt?: number;
  /** Whether the page must be reloaded, because messages were set aside, brought back or read from a session. */
  stale?: boolean;
  /** Increases with every change except streamed text, so that a list needs to track only this number. */
  rev: number;
}

/** State is the complete state of the window. */
export interface State {
  /** Set once the first snapshot has been applied. */
  ready: boolean;
  chats: Record<string, Chat>;
  /** The loaded transcripts, by chat ID; only opened chats have one. */
  pages: Record<string, Page>;
  turns: Record<string, Turn>;
  /** The undo state of each turn's changes to files, by turn ID. */
  undos: Record<string, TurnUndo>;
  /**
   * The forks of each chat, and how the user last went back in it, by chat ID; only chats with a page have an entry.
   */
  branches: Record<string, ChatBranches>;
  items: Record<string, Item>;
  texts: Record<string, TextState>;
  contents: Record<string, Content>;
  /** IDs of each item's contents in order of arrival, by item ID. */
  contentsOf: Record<string, string[]>;
  permissions: Record<string, Permission>;
  queued: Record<string, QueuedPrompt>;
  /** The sessions of each chat, by chat ID and session name. */
  sessions: Record<string, Record<string, Session>>;
  connections: Record<string, Connection>;
  /** Running and finished commits, pushes and pull requests, by ReviewJob.id. */
  reviewJobs: Record<string, ReviewJob>;
  /** The latest drafted commit message of each chat, by chat ID. */
  messageDrafts: Record<string, MessageDraft>;
  /** The newest review by each chat's agent, by chat ID. */
  agentReviews: Record<string, AgentReview>;
  /** The progress of reading a session's log into a chat, by chat ID. */
  sessionImports: Record<string, SessionImport>;
  /** Another program's use of a chat's session, by chat ID. */
  sessionUses: Record<string, SessionUse>;
  /** Number of times that the review comments have changed since the window was loaded, by chat ID. */
  commentChanges: Record<string, number>;
  rules: Record<string, Rule>;
  /** Requests for trust in a folder, by TrustRequest.key. */
  trust: Record<string, TrustRequest>;
  /** The folders that the user trusts, by TrustedFolder.key. */
  trustedFolders: Record<string, TrustedFolder>;
  providers: Record<string, Provider>;
  profiles: Record<string, CustomAgent>;
  settings: Settings;
  cli: CLI;
  account: Account;
  signIn: SignIn;
  /** The sign-ins of custom agents, by the agent's ID; only agents that were asked have one. */
  agentSignIns: Record<string, AgentSignIn>;
  storage: Storage;
  desktop: Desktop;
  update: Update;
  sandbox: SandboxStatus;
  /** The latest navigation request from outside the window. */
  navigation?: Navigation;
  dialogResult?: DialogResult;
  /** Number of running chats while the user is asked whether to quit; 0 otherwise. */
  quitRequested: number;
}

/**
 * defaultSettings holds the settings of a new installation. The app's snapshot replaces them with the user's
 * settings.
 */
export const defaultSettings: Settings = {
  theme: "system",
  contrast: "system",
  motion: "system",
  idleMinutes: 15,
  undoDays: 30,
  undoGb: 2,
  restoreOnOpen: true,
  attempts: MaxAttempts,
  mode: "ask",
  askOutside: true,
  sandbox: { newChats: false, whenBlocked: "ask", network: "sites" },
  ifLost: "recap",
  textSize: "normal",
  showThoughts: true,
  shortcut: "Ctrl+Shift+Space",
  notify: { needsYou: true, finished: true, failed: true, signIn: true },
  checkUpdates: true,
};

/** newState returns the state of a window before its first snapshot. */
export function newState(): State {
  return {
    ready: false,
    chats: {},
    pages: {},
    turns: {},
    undos: {},
    branches: {},
    items: {},
    texts: {},
    contents: {},
    contentsOf: {},
    permissions: {},
    queued: {},
    sessions: {},
    connections: {},
    reviewJobs: {},
    messageDrafts: {},
    agentReviews: {},
    sessionImports: {},
    sessionUses: {},
    commentChanges: {},
    rules: {},
    trust: {},
    trustedFolders: {},
    providers: {},
    profiles: {},
    settings: { ...defaultSettings },
    cli: { state: "checking", min: "" },
    account: { state: "unknown", host: "github.com" },
    signIn: { state: "none" },
    agentSignIns: {},
    storage: { state: "ok", path: "" },
    desktop: { tray: false, startAtLogin: false, shortcut: { state: "off" } },
    update: { state: "off" },
    sandbox: { state: "checking" },
    quitRequested: 0,
  };
}
