// The only file that knows Wails. Commands go down through `call`, facts come
// up through `subscribe`, and what is too large for a batch is pulled with
// `pull`. Every failure leaves this file as an AppError, in words for a person.

import type { App } from "./calls";
import { speak, spokenOf } from "./i18n/speak";
import type {
  Batch,
  Choice,
  Code,
  ConfigOption,
  Event,
  Error as Failure,
  Frame,
  HitFrom,
  HitOf,
  Hits,
  Permission,
  Places,
  Process,
  SessionWork,
  Snapshot,
  Spot,
  ToolStatus,
} from "./state/types";
import { EventName } from "./state/types";

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

const codes = new Set<string>([
  "invalid",
  "too_large",
  "not_found",
  "storage",
  "model",
  "refused",
  "limit",
  "interrupted",
  "auth",
  "agent",
  "connection",
  "unavailable",
  "no_editor",
]);

/** AppError is backend.Error as something that can be thrown. */
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

/** asAppError turns whatever was thrown into an AppError. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (typeof thrown === "string") {
    try {
      return asAppError(JSON.parse(thrown));
    } catch {
      return new AppError({ code: "unavailable", message: thrown });
    }
  }
  if (typeof thrown === "object" && thrown !== null) {
    const { code, message, detail } = thrown as Partial<Failure>;
    if (typeof message === "string" && message !== "") {
      return new AppError({
        code: typeof code === "string" && codes.has(code) ? code : "unavailable",
        message: speak(message),
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

/** call runs one method of App. */
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
    throw asAppError(thrown);
  }
}

/** subscribe hands over every batch, in the order of its arrival. */
export function subscribe(callback: (batch: Batch) => void): () => void {
  return window.runtime?.EventsOn(EventName, (batch: Batch) => callback(spokenOf(batch))) ?? (() => {});
}

/** dropsPaths tells whether files that are dropped on the window come with their paths: in a browser they do not. */
export function dropsPaths(): boolean {
  return window.wails?.flags?.enableWailsDragAndDrop === true;
}

/** onFileDrop hands over the paths of what is dropped on the window. There is one who listens at a time. */
export function onFileDrop(callback: (paths: string[]) => void): () => void {
  window.runtime?.OnFileDrop?.((_x, _y, paths) => callback(paths), false);
  return () => window.runtime?.OnFileDropOff?.();
}

/** A piece of a body, with the size of the whole. */
export interface Piece {
  bytes: Uint8Array;
  size: number;
  version: number;
}

/** One line of the doctor page. */
export interface Check {
  name: string;
  state: "ok" | "warn" | "bad";
  detail: string;
  hint: string;
}

/** What the doctor page shows; text is the report for the clipboard. */
export interface Doctor {
  checks: Check[];
  log: string[];
  text: string;
  version: string;
}

/** What is known of a folder before a chat is made in it. */
export interface FolderFacts {
  path: string;
  name: string;
  exists: boolean;
  branch: string;
  changed: number;
  message: string;
}

/** A part that is shipped with the app, and under which licence. */
export interface Component {
  name: string;
  version: string;
  licence: string;
  text: string;
}

/** Files of a chat's folder for what was typed; marks are the places in a path that matched. */
export interface FoundFiles {
  files: { path: string; marks?: number[] }[];
  total: number;
  /** The folder is still being read: more may come. */
  reading?: boolean;
}

/** A file that a chat has changed. */
export interface ChangedFile {
  path: string;
  /** From the chat's folder on, where it lies in it. */
  name: string;
  added: number;
  removed: number;
  kind: "edited" | "added" | "removed";
  edits: number;
  at: number;
}

/** What a chat, or one session of it, has changed in files. */
export interface Changes {
  files: ChangedFile[];
  added: number;
  removed: number;
  /** How many sessions changed them. */
  sessions: number;
}

/** What became of a file by a chat: net, or edit after edit where others changed it as well. */
export interface FileDiff {
  path: string;
  name: string;
  net: boolean;
  diff: string;
  added: number;
  removed: number;
  binary?: boolean;
  size: number;
  cut?: boolean;
  message?: string;
}

/** A command that a chat's agent ran. */
export interface RanCommand {
  itemId: string;
  session: string;
  command: string;
  status: ToolStatus;
  exitCode?: number;
  contentId?: string;
  size: number;
  lines: number;
  startedAt: number;
  endedAt?: number;
  /** Milliseconds between the two that were spent waiting for the user. */
  waited?: number;
}

/** A session that a chat's agent has in its folder; known is its name here. */
export interface AgentSession {
  acpId: string;
  title: string;
  cwd: string;
  updatedAt: number;
  known?: string;
}

/** What can be chosen for a new chat, as an agent declared it last. */
export interface Declared {
  modes: Choice[];
  options: ConfigOption[];
}

/** The text of a file that a request for trust lists: its beginning where it is cut. */
export interface TrustText {
  text: string;
  /** Of the whole file, in bytes. */
  size: number;
  cut?: boolean;
}

async function get(path: string, query: Record<string, string | number>): Promise<Response> {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) params.set(key, String(value));
  const suffix = params.size > 0 ? `?${params}` : "";
  try {
    const response = await fetch(`/data/${path}${suffix}`, { cache: "no-store" });
    if (!response.ok) throw await response.text();
    return response;
  } catch (thrown) {
    throw asAppError(thrown);
  }
}

async function json<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const response = await get(path, query);
  try {
    return spokenOf((await response.json()) as T);
  } catch (thrown) {
    throw asAppError(thrown);
  }
}

async function piece(path: string, query: Record<string, string | number>): Promise<Piece> {
  const response = await get(path, query);
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      bytes,
      size: Number(response.headers.get("X-Size") ?? bytes.length),
      version: Number(response.headers.get("X-Version") ?? 0),
    };
  } catch (thrown) {
    throw asAppError(thrown);
  }
}

/** What is searched for in all chats; what is empty or 0 is not asked for. */
export interface SearchQuery {
  q: string;
  folder?: string;
  chat?: string;
  who?: HitFrom | "";
  of?: HitOf | "";
  from?: number;
  /** The "more" of the page before, or with a chat that of its group. */
  before?: string;
  limit?: number;
  /** 1: only how many there are. */
  count?: 1;
}

/** pull reads what is too large for a batch, over the asset server. */
export const pull = {
  app: () => json<Snapshot>("app"),
  chat: (id: string) => json<Snapshot>("chat", { id }),
  /** Of the transcript, or of the block that is the parent. */
  items: (chat: string, before: number, parent = "") =>
    json<Snapshot>("items", { chat, before, ...(parent === "" ? {} : { parent }) }),
  /** Of the transcript; after 0 is its beginning. */
  itemsAfter: (chat: string, after: number) => json<Snapshot>("items", { chat, after }),
  /** Of the transcript, with the item of a position in its middle; empty where there is none. */
  itemsAround: (chat: string, around: number) => json<Snapshot>("items", { chat, around }),
  /** Where a text stands in a chat. */
  find: (chat: string, q: string) => json<Places>("find", { chat, q }),
  /** Where it stands in an item for the nth time; null where it does not. */
  spot: (item: string, q: string, n: number) => json<Spot | null>("spot", { item, q, n }),
  event: (seq: number) => json<Event>("event", { seq }),
  content: (id: string, offset: number, limit: number) => piece("content", { id, offset, limit }),
  text: (item: string, offset: number, limit: number) => piece("text", { item, offset, limit }),
  declared: (provider: string) => json<Declared>("declared", { provider }),
  licences: () => json<{ components: Component[] }>("licences"),
  doctor: () => json<Doctor>("doctor"),
  /** The newest where before is 0. */
  audit: (before: number, limit: number) =>
    json<{ permissions: Permission[] }>("audit", before === 0 ? { limit } : { before, limit }),
  folder: (path: string) => json<FolderFacts>("folder", { path }),
  search: (asked: SearchQuery) => {
    const given = Object.entries(asked).filter(([, value]) => value);
    return json<Hits>("search", Object.fromEntries(given));
  },
  filesIn: (folder: string, q: string, limit: number) => json<FoundFiles>("files", { folder, q, limit }),
  files: (chat: string, q: string, limit: number) => json<FoundFiles>("files", { chat, q, limit }),
  sessions: (chat: string) => json<{ sessions: SessionWork[] }>("sessions", { chat }),
  processes: () => json<Process[]>("processes"),
  changes: (chat: string, session: string) => json<Changes>("changes", { chat, session }),
  diff: (chat: string, path: string, session: string) => json<FileDiff>("diff", { chat, path, session }),
  commands: (chat: string) => json<{ commands: RanCommand[] }>("commands", { chat }),
  agentSessions: (chat: string) => json<{ sessions: AgentSession[] }>("agent-sessions", { chat }),
  trust: (id: string, file: string) => json<TrustText>("trust", { id, file }),
  protocol: (chat: string, after: number, limit: number) =>
    json<{ frames: Frame[] }>("protocol", { chat, after, limit }),
};
