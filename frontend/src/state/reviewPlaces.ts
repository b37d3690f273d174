// The places of a review's comments in the versions of the files that are shown.

import { createSignal } from "solid-js";
import { api, type ReviewQuery } from "../bridge";
import type { ReviewComment, ReviewPlace } from "./types";

/** The places of a file's comments in one of its versions. */
export interface Places {
  version: string;
  /** IDs of the comments whose places are known. Those without a place have no lines in this version. */
  known: ReadonlySet<string>;
  byId: ReadonlyMap<string, Pick<ReviewPlace, "start" | "end">>;
}

/** CommentPlaces reads and keeps the places of comments, for one version of each file. */
export class CommentPlaces {
  private readonly byPath = new Map<string, Places>();
  /** Requests that are under way. */
  private readonly asking = new Map<string, Promise<void>>();
  private readonly rev = createSignal(0);

  constructor(private readonly query: () => ReviewQuery) {}

  /** Returns the places of a file's comments, or undefined if they aren't known for any version. */
  of(path: string): Places | undefined {
    this.rev[0]();
    return this.byPath.get(path);
  }

  /** Reports whether the place of a comment in a version of its file is known. */
  has({ id, path }: ReviewComment, version: string): boolean {
    const places = this.of(path);
    return places?.version === version && places.known.has(id);
  }

  /** Determines the places of a file's comments in a version, unless they are known. */
  async locate(path: string, version: string, all: readonly ReviewComment[]): Promise<void> {
    const own = all.filter((comment) => comment.path === path);
    if (own.every((comment) => this.has(comment, version))) return;
    const ids = own.map(({ id }) => id);
    const key = [path, version, ...ids].join("\n");
    const work = this.asking.get(key) ?? this.ask(path, version, ids);
    this.asking.set(key, work);
    await work;
    this.asking.delete(key);
  }

  private async ask(path: string, version: string, ids: readonly string[]): Promise<void> {
    let found: readonly ReviewPlace[] = [];
    try {
      found = (await api.reviewPlaces(this.query(), path, version)) ?? [];
    } catch {
      // Comments without a place are shown above the changes.
    }
    const byId = new Map(found.map(({ id, start, end }) => [id, { start, end }]));
    this.set(path, { version, known: new Set(ids), byId });
  }

  /** Adds the place of a new comment. */
  add({ id, path, start, end }: ReviewComment, version: string): void {
    const now = this.of(path);
    const known = new Set(now?.version === version ? now.known : []);
    const byId = new Map(now?.version === version ? now.byId : []);
    this.set(path, { version, known: known.add(id), byId: byId.set(id, { start, end }) });
  }

  private set(path: string, places: Places): void {
    this.byPath.set(path, places);
    this.rev[1]((n) => n + 1);
  }
}
