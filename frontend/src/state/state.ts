// The shape of what the window knows. Everything in it came from an event;
// reduce.ts is the only file that writes it.

import type {
  Chat,
  CLI,
  Connection,
  Content,
  Item,
  Permission,
  Picked,
  Provider,
  Queued,
  Rule,
  Session,
  Settings,
  Storage,
  Turn,
} from "./words";

/** The text of an item, as far as it is here. */
export interface TextState {
  text: string;
  /** How many bytes of UTF-8 are here, from the start. */
  known: number;
  /** The size of the whole text in bytes: more than known where some is to be pulled. */
  size: number;
}

/** The loaded part of a chat's transcript. */
export interface Page {
  /** Ids of the items outside of blocks, in order of their pos. */
  order: string[];
  /** Ids of the items inside each block, in order. */
  inside: Record<string, string[]>;
  /** The position to ask for to get the page before; 0 where there is none. */
  before: number;
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
  queued: Record<string, Queued>;
  /** By chat, then by name. */
  sessions: Record<string, Record<string, Session>>;
  connections: Record<string, Connection>;
  rules: Record<string, Rule>;
  providers: Record<string, Provider>;
  settings: Settings;
  cli: CLI;
  storage: Storage;
  picked?: Picked;
}

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
    providers: {},
    settings: { theme: "system", contrast: "system", motion: "system" },
    cli: { state: "checking", min: "" },
    storage: { state: "ok", path: "" },
  };
}
