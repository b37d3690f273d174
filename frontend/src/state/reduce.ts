// The code that writes the state: one handler for each event kind, and the other changes to the loaded
// transcripts (with pageWindow.ts and toolRuns.ts). If a kind is added in Go, this file doesn't compile until
// it handles the kind.
//
// The handlers are plain functions that modify the given state: an ordinary object in tests, a draft of the
// store in the app. Every event is an upsert and may be applied twice.

import { insertItem, joinSpans, lastPosition, sweep, trimEnd, trimPage, visibleSpan } from "./pageWindow";
import { newState, type Page, type State } from "./state";
import { append, newText } from "./text";
import { isEvicted, restoreCall, trimRuns } from "./toolRuns";
import type { Event, Item } from "./types";

type Handlers = {
  [K in keyof Required<Event>]: (state: State, value: NonNullable<Event[K]>) => void;
};

const encoder = new TextEncoder();

/**
 * touch increases the rev of a chat's page, so that lists are updated. It is called for every change that they show,
 * except streamed text.
 */
function touch(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (page) page.rev++;
}

function dropChat(state: State, chatId: string): void {
  dropPage(state, chatId);
  for (const permission of Object.values(state.permissions)) {
    if (permission.chatId === chatId) delete state.permissions[permission.id];
  }
  for (const job of Object.values(state.reviewJobs)) {
    if (job.chatId === chatId) delete state.reviewJobs[job.id];
  }
  delete state.messageDrafts[chatId];
  delete state.connections[chatId];
  delete state.agentReviews[chatId];
  delete state.sessionImports[chatId];
  delete state.sessionUses[chatId];
  delete state.chats[chatId];
}

/** dropPage evicts a chat's transcript; it remains in the database. */
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
  for (const undo of Object.values(state.undos)) {
    if (undo.chatId === chatId) delete state.undos[undo.turnId];
  }
  for (const queued of Object.values(state.queued)) {
    if (queued.chatId === chatId) delete state.queued[queued.id];
  }
  delete state.sessions[chatId];
  delete state.branches[chatId];
  delete state.pages[chatId];
}

/** tryInsert inserts an item that isn't loaded. It returns false if the item belongs to no loaded part. */
function tryInsert(state: State, page: Page, item: Item): boolean {
  const wasGone = isEvicted(page, item);
  if ((wasGone && !page.whole) || !insertItem(state, page, item)) return false;
  if (wasGone) restoreCall(page, item);
  return true;
}

/** trimAll trims long runs: those in the block `parent` or, if `parent` is "", those at the top level. */
function trimAll(state: State, page: Page, parent: string): void {
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
  undo(state, undo) {
    if (!state.pages[undo.chatId]) return;
    state.undos[undo.turnId] = undo;
    touch(state, undo.chatId);
  },
  branches(state, branches) {
    const page = state.pages[branches.chatId];
    if (!page) return;
    if (state.branches[branches.chatId]?.revision !== branches.revision) page.stale = true;
    state.branches[branches.chatId] = branches;
    touch(state, branches.chatId);
  },
  aside() {
    // Never sent to the window.
  },
  copy() {
    // Never sent to the window.
  },
  item(state, item) {
    const page = state.pages[item.chatId];
    if (!page) return;
    // An item outside the loaded parts is ignored; it arrives with its own page.
    const isNew = !state.items[item.id];
    if (isNew && !tryInsert(state, page, item)) return;
    state.items[item.id] = item;
    if (isNew) trimAll(state, page, item.parentId ?? "");
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
      // An item without text is hidden, so lists must show the item once it has text.
      if (piece.offset === 0) touch(state, piece.chatId);
    }
    // A piece that starts later leaves a gap: `known` stays below `size`, and the missing part is pulled.
    text.size = Math.max(text.size, piece.size);
  },
  content(state, content) {
    if (!state.pages[content.chatId]) return;
    state.contents[content.id] = content;
    // Checking state.contents alone isn't enough: the body of a request stays there while its item is evicted
    // and loaded again.
    state.contentsOf[content.itemId] ??= [];
    const list = state.contentsOf[content.itemId];
    const isNew = !list?.includes(content.id);
    if (isNew) list?.push(content.id);
    // Growing output doesn't change the lists: the view of the output follows the body directly.
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
  // Changes are only counted. When the number changes, the review screen reads the comments from
  // /data/review-comments.
  comment(state, { chatId }) {
    state.commentChanges[chatId] = (state.commentChanges[chatId] ?? 0) + 1;
  },
  commentGone(state, { chatId }) {
    if (chatId) state.commentChanges[chatId] = (state.commentChanges[chatId] ?? 0) + 1;
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
    for (const pending of Object.values(state.permissions)) {
      if (pending.chatId === chatId && pending.session === session)
        state.permissions[pending.id] = { ...pending, session: to };
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
    delete state.agentSignIns[gone.id];
  },
  settings(state, settings) {
    state.settings = settings;
  },
  login() {
    // Not stored: the account event reports which sign-in is used.
  },
  loginGone() {},
  unknown() {
    // Stored in the database for diagnosing an agent; not shown.
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
  agentSignIn(state, signIn) {
    state.agentSignIns[signIn.profileId] = signIn;
  },
  agentTerminal() {
    // Passed to the open terminal (agentTerminal.ts).
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
  sandbox(state, sandbox) {
    state.sandbox = sandbox;
  },
  reviewJob(state, job) {
    state.reviewJobs[job.id] = job;
  },
  reviewJobGone(state, gone) {
    delete state.reviewJobs[gone.id];
  },
  messageDraft(state, draft) {
    state.messageDrafts[draft.chatId] = draft;
  },
  agentReview(state, review) {
    state.agentReviews[review.chatId] = review;
  },
  sessionImport(state, progress) {
    state.sessionImports[progress.chatId] = progress;
    // The rows that are read don't come as events: the page is reloaded at the end, and once before if it is empty.
    const page = state.pages[progress.chatId];
    if (page && (progress.state !== "reading" || page.order.length <= 1)) page.stale = true;
  },
  sessionUse(state, use) {
    state.sessionUses[use.chatId] = use;
  },
  asked(state, asked) {
    state.navigation = asked;
  },
  picked(state, picked) {
    state.dialogResult = picked;
  },
  quitAsked(state, asked) {
    state.quitRequested = asked.running;
  },
  pull() {
    // The window never receives this event, because the stream replaces it with the event that it refers to.
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

/** closeQuit closes the dialog that asks whether to quit. */
export function closeQuit(state: State): void {
  state.quitRequested = 0;
}

/** openPage replaces a chat's transcript with an empty page, and keeps the user's position. */
export function openPage(state: State, chatId: string): void {
  const was = state.pages[chatId];
  dropPage(state, chatId);
  state.pages[chatId] = { order: [], inside: {}, gaps: [], before: 0, rev: 1, leftAt: was ? was.leftAt : 0 };
}

/** markLoaded records that a chat's page has just been loaded and is up to date. */
export function markLoaded(state: State, chatId: string): void {
  delete state.pages[chatId]?.stale;
}

/**
 * setReader records that a chat's transcript is on screen. If `left` is given, it instead records that the user left
 * the transcript at that position.
 */
export function setReader(state: State, chatId: string, left?: number): void {
  const page = state.pages[chatId];
  if (!page) return;
  page.leftAt = left;
  if (left !== undefined) delete page.whole;
}

/** wantWhole keeps the runs of a chat completely loaded until the user returns to the end of the chat or leaves it. */
export function wantWhole(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (page) page.whole = true;
}

/** setBefore records the position from which to load the page before the loaded part of a chat. */
export function setBefore(state: State, chatId: string, before: number): void {
  const page = state.pages[chatId];
  if (page) {
    page.before = before;
    page.rev++;
  }
}

/**
 * The page of a transcript to load: the one before or after the part on screen, or one around a position,
 * which replaces that part. `around: 0` is the beginning of the chat.
 */
export type Part = { before: number } | { after: number } | { around: number };

/**
 * applyPart applies a page read from the database, followed by the events published since it was read. It ignores a
 * page that no longer fits the part on screen.
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
    page.whole = true; // the match may be inside a run
    page.window = { order: ids, before };
    trimPage(state, page);
  } else if ("after" in part) {
    span.order = [...span.order, ...ids];
  } else {
    span.order = [...ids, ...span.order];
    span.before = before;
  }
  joinSpans(state, page);
  trimAll(state, page, "");
  for (const event of later) reduce(state, event);
  page.rev++;
  if ("around" in part) sweep(state, chatId);
}

/**
 * restart clears all state that the app's snapshot will provide. Transcripts stay until their own
 * snapshots arrive, to avoid flicker.
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
  state.agentSignIns = fresh.agentSignIns;
  state.storage = fresh.storage;
  state.desktop = fresh.desktop;
  state.update = fresh.update;
  state.sandbox = fresh.sandbox;
  state.reviewJobs = fresh.reviewJobs;
  state.messageDrafts = fresh.messageDrafts;
  state.agentReviews = fresh.agentReviews;
  state.sessionImports = fresh.sessionImports;
  state.sessionUses = fresh.sessionUses;
  state.navigation = fresh.navigation;
  state.quitRequested = 0;
  state.ready = true;
}
