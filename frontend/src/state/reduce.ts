// The only writer of the state: one handler for each kind of event. A kind
// that is added in Go does not compile here until it is handled.
//
// The handlers are plain: they change the state they are given, so a test may
// hand them an ordinary object and the app a draft of the store. Every fact is
// an upsert and may be applied twice.

import { insertItem, joinSpans, lastPosition, sweep, trimEnd, trimPage, visibleSpan } from "./pageWindow";
import { newState, type Page, type State } from "./state";
import { append, newText } from "./text";
import { isEvicted, restoreCall, trimRuns } from "./toolRuns";
import type { Event, Item } from "./types";

type Handlers = {
  [K in keyof Required<Event>]: (state: State, value: NonNullable<Event[K]>) => void;
};

const encoder = new TextEncoder();

/** touch tells lists of a chat that something but streamed text has changed. */
function touch(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (page) page.rev++;
}

function dropChat(state: State, chatId: string): void {
  dropPage(state, chatId);
  for (const permission of Object.values(state.permissions)) {
    if (permission.chatId === chatId) delete state.permissions[permission.id];
  }
  delete state.connections[chatId];
  delete state.chats[chatId];
}

/** dropPage forgets a chat's transcript; the database keeps it. */
export function dropPage(state: State, chatId: string): void {
  for (const item of Object.values(state.items)) {
    if (item.chatId !== chatId) continue;
    delete state.contentsOf[item.id];
    delete state.texts[item.id];
    delete state.items[item.id];
  }
  for (const content of Object.values(state.contents)) {
    if (content.chatId !== chatId) continue;
    delete state.contentsOf[content.itemId];
    delete state.contents[content.id];
  }
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId === chatId) delete state.turns[turn.id];
  }
  for (const queued of Object.values(state.queued)) {
    if (queued.chatId === chatId) delete state.queued[queued.id];
  }
  delete state.sessions[chatId];
  delete state.pages[chatId];
}

/** takes puts an item that is not held into its place; false where it belongs to nothing that is held. */
function takes(state: State, page: Page, item: Item): boolean {
  const wasGone = isEvicted(page, item);
  if ((wasGone && !page.whole) || !insertItem(state, page, item)) return false;
  if (wasGone) restoreCall(page, item);
  return true;
}

/** bound shortens the runs of what is read, or of a block. */
function bound(state: State, page: Page, parent: string): void {
  if (parent === "") {
    for (const span of page.window ? [page, page.window] : [page])
      setList(span.order, trimRuns(state, page, span.order, ""), (list) => (span.order = list));
  } else {
    const inside = page.inside[parent] ?? [];
    setList(inside, trimRuns(state, page, inside, parent), (list) => (page.inside[parent] = list));
  }
}

function setList(was: string[], now: string[], set: (list: string[]) => void): void {
  if (now !== was) set(now);
}

const handlers: Handlers = {
  chat(state, chat) {
    state.chats[chat.id] = chat;
  },
  chatGone(state, gone) {
    dropChat(state, gone.id);
  },
  turn(state, turn) {
    if (!state.pages[turn.chatId]) return;
    state.turns[turn.id] = turn;
    touch(state, turn.chatId);
  },
  item(state, item) {
    const page = state.pages[item.chatId];
    if (!page) return;
    // An item outside of what is held comes with its own page, not here.
    const isNew = !state.items[item.id];
    if (isNew && !takes(state, page, item)) return;
    state.items[item.id] = item;
    if (isNew) bound(state, page, item.parentId ?? "");
    page.rev++;
    trimEnd(state, item.chatId);
  },
  text(state, piece) {
    if (!state.items[piece.itemId]) return;
    state.texts[piece.itemId] ??= newText();
    const text = state.texts[piece.itemId];
    if (!text) return;
    if (piece.offset === text.known) {
      const end = piece.offset + encoder.encode(piece.text).length;
      append(text.chunks, piece.text);
      text.known = Math.min(end, piece.size);
      // An item without text is not shown, so its first text is a change.
      if (piece.offset === 0) touch(state, piece.chatId);
    }
    // A piece that starts later shows a gap: known stays behind size, and
    // what is between is pulled.
    text.size = Math.max(text.size, piece.size);
  },
  content(state, content) {
    if (!state.pages[content.chatId]) return;
    state.contents[content.id] = content;
    // Known is not enough: what a request asks for stays while its item is let go of and comes again.
    state.contentsOf[content.itemId] ??= [];
    const list = state.contentsOf[content.itemId];
    const isNew = !list?.includes(content.id);
    if (isNew) list?.push(content.id);
    // Output that grows is no news to the lists: what shows it follows the body itself.
    if (isNew || content.type === "diff") touch(state, content.chatId);
  },
  permission(state, permission) {
    state.permissions[permission.id] = permission;
    touch(state, permission.chatId);
  },
  queued(state, queued) {
    if (!state.pages[queued.chatId]) return;
    state.queued[queued.id] = queued;
  },
  queuedGone(state, gone) {
    delete state.queued[gone.id];
  },
  session(state, session) {
    if (!state.pages[session.chatId]) return;
    state.sessions[session.chatId] ??= {};
    const sessions = state.sessions[session.chatId];
    if (sessions) sessions[session.name] = session;
  },
  sessionGone(state, gone) {
    const sessions = gone.chatId ? state.sessions[gone.chatId] : undefined;
    if (sessions) delete sessions[gone.id];
  },
  renamed(state, { chatId, session, to }) {
    const sessions = state.sessions[chatId];
    if (!sessions) return;
    const row = sessions[session];
    if (row) {
      delete sessions[session];
      sessions[to] = { ...row, name: to };
    }
    for (const turn of Object.values(state.turns)) {
      if (turn.chatId === chatId && turn.session === session) state.turns[turn.id] = { ...turn, session: to };
    }
    for (const item of Object.values(state.items)) {
      if (item.chatId !== chatId || item.session !== session) continue;
      const block = item.block?.sessionName === session ? { ...item.block, sessionName: to } : item.block;
      const banner = item.banner?.session === session ? { ...item.banner, session: to } : item.banner;
      state.items[item.id] = { ...item, session: to, block, banner };
    }
    for (const asked of Object.values(state.permissions)) {
      if (asked.chatId === chatId && asked.session === session)
        state.permissions[asked.id] = { ...asked, session: to };
    }
    touch(state, chatId);
  },
  rule(state, rule) {
    state.rules[rule.id] = rule;
  },
  ruleGone(state, gone) {
    delete state.rules[gone.id];
  },
  provider(state, provider) {
    state.providers[provider.id] = provider;
  },
  providerGone(state, gone) {
    delete state.providers[gone.id];
  },
  profile(state, profile) {
    state.profiles[profile.id] = profile;
  },
  profileGone(state, gone) {
    delete state.profiles[gone.id];
  },
  settings(state, settings) {
    state.settings = settings;
  },
  login() {
    // What a login is used for shows in the account.
  },
  loginGone() {},
  unknown() {
    // Kept in the database for whoever studies an agent; nothing to show.
  },
  connection(state, connection) {
    state.connections[connection.chatId] = connection;
  },
  trust(state, request) {
    state.trust[request.key] = request;
  },
  trustGone(state, gone) {
    delete state.trust[gone.id];
  },
  trusted(state, folder) {
    state.trustedFolders[folder.key] = folder;
  },
  trustedGone(state, gone) {
    delete state.trustedFolders[gone.id];
  },
  cli(state, cli) {
    state.cli = cli;
  },
  account(state, account) {
    state.account = account;
  },
  signIn(state, signIn) {
    state.signIn = signIn;
  },
  storage(state, storage) {
    state.storage = storage;
  },
  desktop(state, desktop) {
    state.desktop = desktop;
  },
  update(state, update) {
    state.update = update;
  },
  asked(state, asked) {
    state.asked = asked;
  },
  picked(state, picked) {
    state.picked = picked;
  },
  quitAsked(state, asked) {
    state.quitAsked = asked.running;
  },
  pull() {
    // Stands for another event; the stream has put that one in its place.
  },
};

/** reduce applies one event to the state. */
export function reduce(state: State, event: Event): void {
  for (const kind of Object.keys(event) as (keyof Event)[]) {
    const value = event[kind];
    if (value === undefined || value === null) continue;
    const handle = handlers[kind] as ((state: State, value: unknown) => void) | undefined;
    handle?.(state, value);
  }
}

/** closeQuit ends the question whether to quit. */
export function closeQuit(state: State): void {
  state.quitAsked = 0;
}

/** openPage makes room for a chat's transcript, empty and new; who reads it goes on. */
export function openPage(state: State, chatId: string): void {
  const was = state.pages[chatId];
  dropPage(state, chatId);
  state.pages[chatId] = { order: [], inside: {}, gaps: [], before: 0, rev: 1, left: was ? was.left : 0 };
}

/** attend notes that a chat's transcript is on screen, or where its reader left it. */
export function attend(state: State, chatId: string, left?: number): void {
  const page = state.pages[chatId];
  if (!page) return;
  page.left = left;
  if (left !== undefined) delete page.whole;
}

/** wantWhole has the runs of a chat held whole, until its reader is at its end again or leaves. */
export function wantWhole(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (page) page.whole = true;
}

/** setBefore notes where the page before the loaded part of a chat begins. */
export function setBefore(state: State, chatId: string, before: number): void {
  const page = state.pages[chatId];
  if (page) {
    page.before = before;
    page.rev++;
  }
}

/** A page of a transcript: before the part that is read, after it, or around a position in its place; 0 is the beginning. */
export type Part = { before: number } | { after: number } | { around: number };

/**
 * applyPart takes in a page that was read from the database, and then what has
 * happened since. One that does not fit what is read any more is ignored.
 */
export function applyPart(
  state: State,
  chatId: string,
  part: Part,
  { events, before = 0 }: { events: Event[]; before?: number },
  later: Event[],
): void {
  const page = state.pages[chatId];
  if (!page) return;
  const span = visibleSpan(page);
  if ("before" in part && part.before !== span.before) return;
  if ("after" in part && (!page.window || part.after !== lastPosition(state, span))) return;
  const ids: string[] = [];
  const held = new Set("around" in part ? [] : span.order);
  for (const event of events) {
    const item = event.item;
    if (!item || item.parentId) {
      reduce(state, event);
      continue;
    }
    state.items[item.id] = item;
    restoreCall(page, item);
    if (!held.has(item.id)) ids.push(item.id);
  }
  if ("around" in part) {
    if (ids.length === 0) return;
    page.whole = true; // what is looked for may be in the middle of a run
    page.window = { order: ids, before };
    trimPage(state, page);
  } else if ("after" in part) {
    span.order = [...span.order, ...ids];
  } else {
    span.order = [...ids, ...span.order];
    span.before = before;
  }
  joinSpans(state, page);
  bound(state, page, "");
  for (const event of later) reduce(state, event);
  page.rev++;
  if ("around" in part) sweep(state, chatId);
}

/**
 * restart forgets all that the app's snapshot tells anew. Transcripts stay as
 * they are until their own snapshots come, so that nothing flickers.
 */
export function restart(state: State): void {
  const fresh = newState();
  state.chats = fresh.chats;
  state.permissions = fresh.permissions;
  state.connections = fresh.connections;
  state.rules = fresh.rules;
  state.trust = fresh.trust;
  state.trustedFolders = fresh.trustedFolders;
  state.providers = fresh.providers;
  state.profiles = fresh.profiles;
  state.settings = fresh.settings;
  state.cli = fresh.cli;
  state.account = fresh.account;
  state.signIn = fresh.signIn;
  state.storage = fresh.storage;
  state.desktop = fresh.desktop;
  state.update = fresh.update;
  state.asked = fresh.asked;
  state.quitAsked = 0;
  state.ready = true;
}
