// The lines of a review's comments in the visible versions of the files.

import { createSignal } from "solid-js";
import { api, type ReviewQuery } from "../bridge";
import type { ReviewComment, ReviewPlace } from "./types";

/** The lines of a file's comments in one version of the file. */
export interface Places {
  version: string;
  /**
   * The result of stateOf for each comment when its lines were looked up, by comment ID. If one of these comments isn't
   * in `byId`, it has no lines in this version, or the lookup failed.
   */
  known: ReadonlyMap<string, string>;
  byId: ReadonlyMap<string, Pick<ReviewPlace, "start" | "end">>;
}

/** stateOf returns a string that changes whenever the comment's lines may have changed. */
const stateOf = ({ state, start, end }: ReviewComment) => `${state}:${start}:${end}`;

/** CommentPlaces loads the lines of comments and caches them for one version of each file. */
export class CommentPlaces {
  private readonly byPath = new Map<string, Places>();
  /** Running requests. */
  private readonly asking = new Map<string, Promise<void>>();
  private readonly rev = createSignal(0);

  constructor(private readonly query: () => ReviewQuery) {}

  /** Returns the cached lines of a file's comments, or undefined if there are none. */
  of(path: string): Places | undefined {
    this.rev[0]();
    return this.byPath.get(path);
  }

  /** Reports whether the lines of a comment in a version of its file are cached. */
  has(comment: ReviewComment, version: string): boolean {
    const places = this.of(comment.path);
    return places?.version === version && places.known.get(comment.id) === stateOf(comment);
  }

  /** Loads the lines that a file's comments have in the given version of the file, unless all of them are cached. */
  async locate(path: string, version: string, all: readonly ReviewComment[]): Promise<void> {
    const own = all.filter((comment) => comment.path === path);
    if (own.every((comment) => this.has(comment, version))) return;
    const known = new Map(own.map((comment) => [comment.id, stateOf(comment)]));
    const key = [path, version, ...known].join("\n");
    const work = this.asking.get(key) ?? this.ask(path, version, known);
    this.asking.set(key, work);
    await work;
    this.asking.delete(key);
  }

  private async ask(path: string, version: string, known: Places["known"]): Promise<void> {
    let found: readonly ReviewPlace[] = [];
    try {
      found = (await api.reviewPlaces(this.query(), path, version)) ?? [];
    } catch {
      // Comments whose lines are unknown are shown above the changes.
    }
    const byId = new Map(found.map(({ id, start, end }) => [id, { start, end }]));
    this.set(path, { version, known, byId });
  }

  /** Adds the lines of a new comment to the cache. */
  add(comment: ReviewComment, version: string): void {
    const { id, path, start, end } = comment;
    const now = this.of(path);
    const known = new Map(now?.version === version ? now.known : []);
    const byId = new Map(now?.version === version ? now.byId : []);
    known.set(id, stateOf(comment));
    this.set(path, { version, known, byId: byId.set(id, { start, end }) });
  }

  private set(path: string, places: Places): void {
    this.byPath.set(path, places);
    this.rev[1]((n) => n + 1);
  }
}
