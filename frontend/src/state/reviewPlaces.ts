// The places of a review's comments in the versions of the files that are shown.

import { createSignal } from "solid-js";
import { api, type ReviewQuery } from "../bridge";
import type { ReviewComment, ReviewPlace } from "./types";

/** The places of a file's comments in one of its versions. */
export interface Places {
  version: string;
  /**
   * The comments whose places are known, by ID, in the state in which the place was asked for. Those without a place
   * have no lines in this version.
   */
  known: ReadonlyMap<string, string>;
  byId: ReadonlyMap<string, Pick<ReviewPlace, "start" | "end">>;
}

/** stateOf returns a text that changes whenever a comment may have another place. */
const stateOf = ({ state, start, end }: ReviewComment) => `${state}:${start}:${end}`;

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
  has(comment: ReviewComment, version: string): boolean {
    const places = this.of(comment.path);
    return places?.version === version && places.known.get(comment.id) === stateOf(comment);
  }

  /** Determines the places of a file's comments in a version, unless they are known. */
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
      // Comments without a place are shown above the changes.
    }
    const byId = new Map(found.map(({ id, start, end }) => [id, { start, end }]));
    this.set(path, { version, known, byId });
  }

  /** Adds the place of a new comment. */
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
