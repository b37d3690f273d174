// Shared helpers for the tests of the Review screen, such as a fake of the app's data routes.

import { render } from "@solidjs/testing-library";
import { vi } from "vitest";
import type { App } from "../../calls";
import { openReview } from "../../state/reviewScreen";
import { go, screen } from "../../state/screen";
import type {
  ReviewComment,
  ReviewCommitForm,
  ReviewDiff,
  ReviewFile,
  ReviewFiles,
  ReviewMatches,
  ReviewPlace,
  ReviewPull,
  ReviewPullForm,
} from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ReviewScreen } from "./ReviewScreen";

export interface FakeFile {
  file: ReviewFile;
  old: string[];
  new: string[];
  diff: Partial<ReviewDiff>;
  /** The diff without changes that affect only whitespace; if undefined, it is the same as `diff`. */
  hidden?: Partial<ReviewDiff>;
}

/** numbered returns `count` lines. Each ends in its 1-based number. */
export const numbered = (count: number, name = "line"): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);

/** fakeFile returns an edited file in which the lines at the given 0-based indexes have been replaced. */
export function fakeFile(
  path: string,
  places: number[],
  more: Partial<ReviewFile> = {},
  lines = 60,
): FakeFile {
  const old = numbered(lines);
  const now = [...old];
  for (const at of places) now[at] = `changed ${at + 1}`;
  return {
    file: {
      path,
      kind: "edited",
      added: places.length,
      removed: places.length,
      version: `1 ${path}`,
      size: 100,
      ...more,
    },
    old,
    new: now,
    diff: {
      blocks: places.map((at) => [at, 1, at, 1]),
      sections: places.map((at, hunk) => ({ hunk, line: at, text: `func part${at + 1}()` })),
    },
  };
}

/** FakeReview responds to the screen's requests for data. */
export class FakeReview {
  files: FakeFile[];
  matches: ReviewMatches = { total: 0, matches: [] };
  comments: ReviewComment[] = [];
  /** Positions of the comments; if undefined, every comment is on its original lines. */
  places: ReviewPlace[] | undefined;
  commit: Partial<ReviewCommitForm> = {};
  /** Files of the source "working"; if undefined, they are the same as those of all other sources. */
  uncommitted: ReviewFile[] | undefined;
  pull: ReviewPull = { available: false };
  pullForm: Partial<ReviewPullForm> = {};
  /** Errors of failing requests, by route. */
  failures = new Map<string, { code: string; message: string }>();
  readonly asked: URL[] = [];
  /** The state of the files on disk. */
  disk = "1";
  list: Partial<ReviewFiles> = {};
  /** Number of files in the first list that aren't pending. The complete list follows once `rest` resolves. */
  complete: number | undefined;
  rest: Promise<void> = Promise.resolve();

  constructor(...files: FakeFile[]) {
    this.files = files;
    vi.stubGlobal("fetch", async (input: string) => {
      const url = new URL(input, "http://app");
      if (url.pathname === "/data/review-files" && !url.searchParams.has("first")) await this.rest;
      return this.answer(url);
    });
  }

  private listed(url: URL): Partial<ReviewFiles> {
    const all = this.files.map((each) => each.file);
    const files = (url.searchParams.get("source") === "working" && this.uncommitted) || all;
    const { complete } = this;
    if (complete === undefined || !url.searchParams.has("first")) return { files };
    const pending = { added: 0, removed: 0, pending: true };
    return {
      files: files.map((each, at) => (at < complete ? each : { ...each, ...pending })),
      partial: true,
    };
  }

  private answer(url: URL): Response {
    this.asked.push(url);
    const route = url.pathname.slice("/data/".length);
    const failure = this.failures.get(route);
    if (failure) return new Response(JSON.stringify(failure), { status: 500 });
    const found = this.files.find((each) => each.file.path === url.searchParams.get("path"));
    switch (route) {
      case "review-files":
        return Response.json({
          source: "chat",
          version: "1",
          ...this.listed(url),
          total: this.listed(url).files?.length ?? 0,
          added: 1,
          removed: 1,
          viewed: 0,
          ...this.list,
        });
      case "review-disk":
        return Response.json({ state: this.disk });
      case "review-sources":
        return Response.json({
          repository: true,
          branch: "topic",
          base: "main",
          detached: false,
          ahead: 0,
          behind: 0,
          turns: [{ id: "t1", text: "Fix it", at: 1, files: 2, added: 1, removed: 1 }],
          commits: [{ sha: "abc", short: "abc", subject: "Start", author: "Anna", at: 1 }],
        });
      case "review-diff":
        return Response.json({
          path: found?.file.path,
          version: found?.file.version,
          oldLines: found?.old.length ?? 0,
          newLines: found?.new.length ?? 0,
          oldEnd: true,
          newEnd: true,
          blocks: [],
          ...((url.searchParams.get("whitespace") === "hide" && found?.hidden) || found?.diff),
        });
      case "review-lines": {
        if (found && found.file.version !== url.searchParams.get("version"))
          return new Response(JSON.stringify({ code: "stale", message: "The file has changed." }), {
            status: 409,
          });
        const lines = (url.searchParams.get("side") === "old" ? found?.old : found?.new) ?? [];
        const from = Number(url.searchParams.get("from"));
        return Response.json({
          from,
          lines: lines.slice(from, from + Number(url.searchParams.get("count"))),
        });
      }
      case "review-commit":
        return Response.json({
          branch: "topic",
          author: "",
          hooks: [],
          suggestion: "",
          staged: 0,
          remotes: [],
          ahead: 0,
          behind: 0,
          ...this.commit,
        });
      case "review-pull":
        return Response.json(this.pull);
      case "review-pull-form":
        return Response.json({
          branch: "topic",
          bases: ["main", "release"],
          base: url.searchParams.get("base") || "main",
          title: "Fix the race",
          body: "Late callers wait.",
          fromCommits: true,
          commits: 1,
          pushes: true,
          push: 1,
          remote: "origin",
          host: "github.com",
          login: "octocat",
          ...this.pullForm,
        });
      case "review-comments":
        return Response.json(this.comments);
      case "review-places":
        return Response.json(
          this.places ?? this.comments.filter((each) => each.path === found?.file.path && each.start >= 0),
        );
      case "review-find":
        return Response.json(this.matches);
      default:
        return new Response(JSON.stringify({ code: "not_found", message: route }), { status: 404 });
    }
  }

  /** Returns the number of requests for a route. */
  count(route: string): number {
    return this.asked.filter((url) => url.pathname === `/data/${route}`).length;
  }
}

/** openScreen renders the Review screen of chat "c", which shows the changes of the given source. */
export function openScreen(answers: Partial<App> = {}, of = "chat") {
  stubBrowser();
  const app = stubApp(answers);
  resetState(chatEvent("c", { title: "Fix the race" }));
  go({ name: "chat", id: "c" });
  openReview("c", of);
  const now = screen();
  const source = now.name === "review" ? now.source : "";
  return { app, ...render(() => <ReviewScreen chatId="c" source={source} />) };
}
