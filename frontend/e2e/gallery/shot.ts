// What a picture of the gallery is made of.

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
  /** The picture's name; the reference of the same name stands beside it. */
  name: string;
  /** The reference's name, where it is another. */
  reference?: string;
  size?: readonly [width: number, height: number];
  /** Where the page is, if it is not the window. */
  path?: string;
  /** What /data/app answers; settings are added where there are none. */
  app: Event[];
  /** What happens after the picture's page has opened, before act. */
  later?: Event[];
  /** The user's picture, as base64, for /data/avatar. */
  avatar?: string;
  /** What /data/chat answers, by chat. */
  chats?: Record<string, Event[]>;
  /** Bodies of contents by id, for /data/content. */
  contents?: Record<string, string>;
  /** What /data/search answers, whatever is asked for. */
  hits?: Hits;
  /** What /data/files answers. */
  files?: FoundFiles["files"];
  /** What /data/folder answers, by path. */
  folders?: Record<string, Partial<FolderFacts>>;
  doctor?: Doctor;
  /** What /data/licences answers. */
  licences?: Component[];
  /** What /data/audit answers. */
  audit?: Permission[];
  /** What /data/sessions answers. */
  sessions?: SessionStats[];
  /** What /data/processes answers. */
  processes?: Process[];
  /** What other paths under /data/ answer, by their name. */
  data?: Record<string, unknown>;
  /** localStorage before the page opens. */
  kept?: Record<string, string>;
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

/** The time at which all pictures are taken. */
export const now = new Date("2025-11-20T14:03:20").getTime();

/** ago is a time that many minutes before the pictures. */
export const ago = (minutes: number): number => now - minutes * 60_000;
