// The only file that accesses Wails. `call` sends commands, `subscribe` receives events, and `api` loads
// data too large for a batch of events. Every failure is converted to an AppError with a user-facing message.

import type { App } from "./calls";
import { translateEvent } from "./i18n/translate";
import {
  type Answers,
  type Batch,
  type CLISession,
  type CLISessionPreview,
  type CLISessions,
  type Code,
  codes,
  EventName,
  type Error as Failure,
  type HitAuthor,
  type HitCategory,
  type ReviewCommitFiles,
  type ReviewSide,
} from "./state/types";

declare global {
  interface Window {
    go?: { main: { App: App } };
    runtime?: {
      EventsOn(name: string, callback: (batch: Batch) => void): () => void;
      OnFileDrop?(callback: (x: number, y: number, paths: string[]) => void, useDropTarget: boolean): void;
      OnFileDropOff?(): void;
    };
    wails?: { flags?: { enableWailsDragAndDrop?: boolean } };
  }
}

/** AppError is the throwable form of backend.Error. */
export class AppError extends Error implements Failure {
  readonly code: Code;
  readonly detail?: string;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = "AppError";
    this.code = failure.code;
    this.detail = failure.detail;
  }
}

/** toAppError converts any thrown value to an AppError. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (typeof thrown === "string") {
    try {
      return toAppError(JSON.parse(thrown));
    } catch {
      return new AppError({ code: "unavailable", message: thrown });
    }
  }
  if (typeof thrown === "object" && thrown !== null) {
    const { code, message: told, detail } = thrown as Partial<Failure>;
    const message = translateEvent(told);
    if (typeof message === "string" && message !== "") {
      return new AppError({
        code: codes.find((one) => one === code) ?? "unavailable",
        message,
        detail: typeof detail === "string" ? detail : undefined,
      });
    }
  }
  return new AppError({
    code: "unavailable",
    message: "VoxPilot did not answer. Try again, or start it again if that does not help.",
    detail: String(thrown),
  });
}

/** call invokes one method of App. If the method fails, call throws an AppError. */
export async function call<M extends keyof App>(
  method: M,
  ...args: Parameters<App[M]>
): Promise<Awaited<ReturnType<App[M]>>> {
  const app = window.go?.main.App;
  try {
    if (!app) throw new Error("window.go is missing");
    const run = app[method] as (...a: Parameters<App[M]>) => ReturnType<App[M]>;
    return await run(...args);
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

/**
 * subscribe passes every batch of events to `callback`, in order of arrival. It returns a function that
 * unsubscribes.
 */
export function subscribe(callback: (batch: Batch) => void): () => void {
  return window.runtime?.EventsOn(EventName, (batch: Batch) => callback(translateEvent(batch))) ?? (() => {});
}

/**
 * dropsPaths reports whether the paths of files dropped on the window are available. In a browser they
 * aren't.
 */
export function dropsPaths(): boolean {
  return window.wails?.flags?.enableWailsDragAndDrop === true;
}

/** onFileDrop passes the paths of dropped files to `callback`. It supports a single listener at a time. */
export function onFileDrop(callback: (paths: string[]) => void): () => void {
  window.runtime?.OnFileDrop?.((_x, _y, paths) => callback(paths), false);
  return () => window.runtime?.OnFileDropOff?.();
}

/** Part of an item's body, with the size of the whole body. */
export interface BodyPart {
  bytes: Uint8Array;
  size: number;
  version: number;
}

/** The parameters of a request. A list is sent as a repeated parameter. */
type Query = Record<string, string | number | readonly string[]>;

async function get(path: string, query: Query): Promise<Response> {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) params.append(key, String(each));
  const suffix = params.size > 0 ? `?${params}` : "";
  try {
    const response = await fetch(`/data/${path}${suffix}`, { cache: "no-store" });
    if (!response.ok) throw await response.text();
    return response;
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

async function json<R extends keyof Answers>(route: R, query: Query = {}): Promise<Answers[R]> {
  const response = await get(route, query);
  try {
    return translateEvent((await response.json()) as Answers[R]);
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

/** jsonOf returns the response of a route as a value of type T. */
async function jsonOf<T>(route: string, query: Query): Promise<T> {
  const response = await get(route, query);
  try {
    return translateEvent((await response.json()) as T);
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

async function getPart(path: string, query: Record<string, string | number>): Promise<BodyPart> {
  const response = await get(path, query);
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      bytes,
      size: Number(response.headers.get("X-Size") ?? bytes.length),
      version: Number(response.headers.get("X-Version") ?? 0),
    };
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

/** The criteria for a search in the chats. An empty string or 0 means no restriction. */
export interface SearchQuery {
  q: string;
  folder?: string;
  chat?: string;
  who?: HitAuthor | "";
  of?: HitCategory | "";
  from?: number;
  /**
   * The cursor of the next page: the value of `more` in the previous page or, if `chat` is set, in that chat's group.
   */
  before?: string;
  limit?: number;
  /** If set, the response contains only the number of results. */
  count?: 1;
}

/** The criteria for the list of the Copilot CLI's sessions. An empty string or 0 means no restriction. */
export interface SessionQuery {
  q: string;
  folder: string;
  from: number;
  /** The revision of a known list that was requested with the same criteria. */
  since?: number;
}

/** Selects the changes that the Review screen shows. */
export interface ReviewQuery {
  chat: string;
  source: string;
  /** "hide" leaves out changes of whitespace. */
  whitespace: "hide" | "";
  [key: string]: string;
}

export interface ReviewLinesQuery {
  path: string;
  version: string;
  side: ReviewSide;
  from: number;
  count: number;
  [key: string]: string | number;
}

/** api loads data that is too large for a batch of events. The app's asset server provides it. */
export const api = {
  app: () => json("app"),
  chat: (id: string) => json("chat", { id }),
  /** Items before a position, in the transcript or, if `parent` is set, in that parent block. */
  items: (chat: string, before: number, parent = "") =>
    json("items", { chat, before, ...(parent === "" ? {} : { parent }) }),
  /** Items of the transcript after a position, or the first items if `after` is 0. */
  itemsAfter: (chat: string, after: number) => json("items", { chat, after }),
  /** Items of the transcript around a position; empty if there is no item at that position. */
  itemsAround: (chat: string, around: number) => json("items", { chat, around }),
  /** The matches of a query in a chat. */
  find: (chat: string, q: string) => json("find", { chat, q }),
  /** The location of the nth match (0-based) in an item, or null if there is none. */
  matchLocation: (item: string, q: string, n: number) => json("spot", { item, q, n }),
  /**
   * Items of the set-aside messages with the ID `aside`: the newest ones or, if `before` is given, those before that
   * position.
   */
  asideItems: (chat: string, aside: string, before?: number) =>
    json("items", { chat, aside, ...(before ? { before } : {}) }),
  event: (seq: number) => json("event", { seq }),
  content: (id: string, offset: number, limit: number) => getPart("content", { id, offset, limit }),
  text: (item: string, offset: number, limit: number) => getPart("text", { item, offset, limit }),
  declared: (provider: string) => json("declared", { provider }),
  licenses: () => json("licences"),
  doctor: () => json("doctor"),
  /** Permission requests before a time, newest first, or the newest requests if `before` is 0. */
  audit: (before: number, limit: number) => json("audit", before === 0 ? { limit } : { before, limit }),
  folder: (path: string) => json("folder", { path }),
  search: (query: SearchQuery) => {
    const set = Object.entries(query).filter(([, value]) => value);
    return json("search", Object.fromEntries(set));
  },
  searchSessions: ({ chat: _, ...query }: SearchQuery & { session?: string; home?: string }) => {
    const set = Object.entries(query).filter(([, value]) => value);
    return json("search-sessions", Object.fromEntries(set));
  },
  /** The texts of a session around the text with the ID `id`, which a search has found. */
  sessionTexts: (id: string) => json("session-texts", { id }),
  filesIn: (folder: string, q: string, limit: number) => json("files", { folder, q, limit }),
  files: (chat: string, q: string, limit: number) => json("files", { chat, q, limit }),
  sessions: (chat: string) => json("sessions", { chat }),
  processes: () => json("processes"),
  changes: (chat: string, session: string) => json("changes", { chat, session }),
  diff: (chat: string, path: string, session: string) => json("diff", { chat, path, session }),
  blame: (path: string) => json("blame", { path }),
  undo: (turn: string) => json("undo", { turn }),
  goBack: (turn: string) => json("go-back", { turn }),
  commands: (chat: string) => json("commands", { chat }),
  undoFile: (turn: string, path: string, back: boolean) =>
    json("undo-file", { turn, path, ...(back ? { back: 1 } : {}) }),
  putBacks: (chat: string) => json("put-back", { chat }),
  agentSessions: (chat: string) => json("agent-sessions", { chat }),
  otherConversations: () => json("other-conversations"),
  trust: (id: string, file: string) => json("trust", { id, file }),
  protocol: (chat: string, after: number, limit: number) => json("protocol", { chat, after, limit }),
  /** A value that changes whenever a file on disk, the index or the checked-out commit changes. */
  reviewDisk: (chat: string) => json("review-disk", { chat }),
  reviewSources: (chat: string) => json("review-sources", { chat }),
  /**
   * The changed files. If `first` is greater than 0, only that many files at the start of the list are guaranteed to be
   * complete; the app may still be counting the lines of the others (`pending`). Only `message` is translated: it's the
   * only text from the app in a list that may contain thousands of files.
   */
  reviewFiles: async (of: ReviewQuery, first = 0): Promise<Answers["review-files"]> => {
    const response = await get("review-files", { ...of, ...(first > 0 && { first }) });
    try {
      const { message, ...files } = (await response.json()) as Answers["review-files"];
      return { ...files, message: translateEvent(message) };
    } catch (thrown) {
      throw toAppError(thrown);
    }
  },
  /** The diff of a file. Only `message` is translated, because the rest of the diff contains no text from the app. */
  reviewDiff: async (of: ReviewQuery, path: string): Promise<Answers["review-diff"]> => {
    const response = await get("review-diff", { ...of, path });
    try {
      const { message, ...diff } = (await response.json()) as Answers["review-diff"];
      return { ...diff, message: translateEvent(message) };
    } catch (thrown) {
      throw toAppError(thrown);
    }
  },
  /** Lines of one side of a diff. Fails with the code "stale" if the version is no longer current. */
  reviewLines: (of: ReviewQuery, lines: ReviewLinesQuery) => json("review-lines", { ...of, ...lines }),
  reviewFind: (of: ReviewQuery, q: string, limit: number) => json("review-find", { ...of, q, limit }),
  /**
   * A preview of a commit with the selection `files`. `paths` is used only for the selections "viewed" and "chosen".
   */
  reviewCommit: (chat: string, files: ReviewCommitFiles, paths: readonly string[], amend: boolean) =>
    json("review-commit", { chat, files, path: paths, ...(amend && { amend: 1 }) }),
  reviewPull: (chat: string) => json("review-pull", { chat }),
  /**
   * Details of the pull request that could be opened for merging into the branch `base`; "" means the default branch.
   */
  reviewPullForm: (chat: string, base: string) => json("review-pull-form", { chat, base }),
  reviewComments: (chat: string) => json("review-comments", { chat }),
  /**
   * The Copilot CLI's sessions on this computer, newest first. `sessions` is null if the list is the one with the
   * revision `since`.
   */
  cliSessions: ({ q, folder, from, since }: SessionQuery) =>
    jsonOf<Omit<CLISessions, "sessions"> & { sessions: CLISession[] | null }>("cli-sessions", {
      q,
      folder,
      from,
      ...(since !== undefined && { since }),
    }),
  /** The content of a session in the CLI's home directory `home`; "" is the default one. */
  cliSession: (home: string, id: string) => jsonOf<CLISessionPreview>("cli-session", { home, id }),
  /** The places of the comments on a file, in the version that is shown. */
  reviewPlaces: (of: ReviewQuery, path: string, version: string) =>
    json("review-places", { ...of, path, version }),
  /** The address of an image on one side of a diff. */
  reviewImage: (of: ReviewQuery, path: string, version: string, side: ReviewSide) =>
    `/data/review-image?${new URLSearchParams({ ...of, path, version, side })}`,
};
