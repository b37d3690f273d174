// The definition of a gallery picture.

import type { Page } from "playwright-core";
import type {
  Component,
  Doctor,
  Event,
  FolderFacts,
  FoundFiles,
  Hits,
  Permission,
  Process,
  SessionStats,
} from "../../src/state/types";

export interface Shot {
  /** Name of the shot and of its reference picture. */
  name: string;
  /** Name of the reference picture, if it differs from `name`. */
  reference?: string;
  size?: readonly [width: number, height: number];
  /** URL path of the page, if it isn't the main window. */
  path?: string;
  /** Events in the response of /data/app. */
  app: Event[];
  /** Events that arrive after the page has opened, before act. */
  later?: Event[];
  /** The user's avatar, in base64, for /data/avatar. */
  avatar?: string;
  /** Events in the responses of /data/chat, by chat ID. */
  chats?: Record<string, Event[]>;
  /** Bodies in the responses of /data/content, by ID. */
  contents?: Record<string, string>;
  /** Response of /data/search to any query. */
  hits?: Hits;
  /** Response of /data/files. */
  files?: FoundFiles["files"];
  /** Responses of /data/folder, by path. */
  folders?: Record<string, Partial<FolderFacts>>;
  doctor?: Doctor;
  /** Response of /data/licences. */
  licenses?: Component[];
  /** Response of /data/audit. */
  audit?: Permission[];
  /** Response of /data/sessions. */
  sessions?: SessionStats[];
  /** Response of /data/processes. */
  processes?: Process[];
  /** Events in the responses of /data/items for set-aside messages. */
  aside?: Event[];
  /** Responses of other paths under /data/, by name, or functions that return them for a query. */
  data?: Record<string, unknown>;
  /** Content of localStorage before the page opens. */
  localStorage?: Record<string, string>;
  /** Actions to perform before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

/** The current time in all gallery pictures. */
export const now = new Date("2025-11-20T14:03:20").getTime();

/** ago returns the time the given number of minutes before now. */
export const ago = (minutes: number): number => now - minutes * 60_000;
