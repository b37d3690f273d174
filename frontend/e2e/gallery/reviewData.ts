// Files of the Review screen, written as diffs. Lines outside the diffs have made-up text.

import type {
  ReviewComment,
  ReviewCommitForm,
  ReviewDiff,
  ReviewFile,
  ReviewFiles,
  ReviewLines,
  ReviewPull,
  ReviewSources,
} from "../../src/state/types";

/** A change: its 1-based first line on the old side, its declaration, and its lines with their signs. */
export interface Hunk {
  at: number;
  section?: string;
  lines: string[];
}

export interface FakeFile {
  file: ReviewFile;
  hunks: Hunk[];
  /** Number of unchanged lines after the last change. */
  tail?: number;
  diff?: Partial<ReviewDiff>;
}

export const file = (
  path: string,
  added: number,
  removed: number,
  more: Partial<ReviewFile> = {},
): ReviewFile => ({
  path,
  kind: "edited",
  added,
  removed,
  version: `v1 ${path}`,
  size: 4000,
  ...more,
});

interface Sides {
  old: string[];
  new: string[];
  blocks: number[][];
  sections: ReviewDiff["sections"];
}

/** sidesOf returns both sides of a file. */
export function sidesOf({ hunks, tail = 0 }: FakeFile): Sides {
  const sides: Sides = { old: [], new: [], blocks: [], sections: [] };
  const same = (text: string) => {
    sides.old.push(text);
    sides.new.push(text);
  };
  hunks.forEach((hunk, index) => {
    while (sides.old.length < hunk.at - 1) same(`\tstep(${sides.old.length + 1})`);
    if (hunk.section) sides.sections?.push({ hunk: index, line: sides.new.length, text: hunk.section });
    let block: number[] | undefined;
    for (const line of hunk.lines) {
      const [sign, text] = [line[0], line.slice(1)];
      if (sign === " ") {
        block = undefined;
        same(text);
        continue;
      }
      if (!block) {
        block = [sides.old.length, 0, sides.new.length, 0];
        sides.blocks.push(block);
      }
      if (sign === "-") {
        sides.old.push(text);
        block[1] = (block[1] ?? 0) + 1;
      } else {
        sides.new.push(text);
        block[3] = (block[3] ?? 0) + 1;
      }
    }
  });
  for (let at = 0; at < tail; at++) same(`\tend(${at + 1})`);
  return sides;
}

/**
 * reviewData returns the responses of the /data/review-… routes. `files` is called for each request and returns the
 * changed files.
 */
export function reviewData(
  files: () => FakeFile[],
  more: Partial<ReviewFiles> = {},
): Record<string, unknown> {
  const find = (query: URLSearchParams) => files().find((each) => each.file.path === query.get("path"));
  return {
    "review-sources": {
      repository: true,
      branch: "copilot/token-refresh",
      base: "main",
      detached: false,
      ahead: 2,
      behind: 0,
      turns: [],
      commits: [],
    } satisfies ReviewSources,
    "review-comments": [],
    "review-places": [],
    "review-commit": {
      branch: "copilot/token-refresh",
      author: "Anna Berg <anna@example.org>",
      hooks: [],
      suggestion:
        "Share one token exchange per account\n\nLate callers wait for the first one. The logger is passed in from main.",
      staged: 0,
      remotes: ["origin"],
      remote: "origin",
      ahead: 0,
      behind: 0,
    } satisfies ReviewCommitForm,
    "review-pull": { available: false } satisfies ReviewPull,
    "review-files": (query: URLSearchParams): ReviewFiles => {
      const all = files().map((each) => each.file);
      const counted = all.filter((each) => !each.large);
      return {
        source: query.get("source") ?? "chat",
        version: "1",
        files: all,
        total: all.length,
        added: counted.reduce((sum, each) => sum + each.added, 0),
        removed: counted.reduce((sum, each) => sum + each.removed, 0),
        viewed: all.filter((each) => each.viewed).length,
        ...more,
      };
    },
    "review-diff": (query: URLSearchParams): ReviewDiff | undefined => {
      const found = find(query);
      if (!found) return undefined;
      const { old, new: now, blocks, sections } = sidesOf(found);
      return {
        path: found.file.path,
        version: found.file.version,
        oldLines: old.length,
        newLines: now.length,
        oldEnd: true,
        newEnd: true,
        blocks,
        sections,
        ...found.diff,
      };
    },
    "review-lines": (query: URLSearchParams): ReviewLines | undefined => {
      const found = find(query);
      if (!found) return undefined;
      const from = Number(query.get("from"));
      const lines = sidesOf(found)[query.get("side") === "old" ? "old" : "new"];
      return { from, lines: lines.slice(from, from + Number(query.get("count"))) };
    },
  };
}

/**
 * staged returns a file whose changes are all staged or, if `lines` is given, partly: its last block completely, and
 * the first `lines` lines on the new side of the other blocks.
 */
export function staged(of: FakeFile, lines?: number): FakeFile {
  const { blocks } = sidesOf(of);
  const isAll = (at: number) => lines === undefined || at === blocks.length - 1;
  const index = lines === undefined ? "all" : "part:1";
  const old = blocks.flatMap(([from = 0, count = 0], at) => (isAll(at) && count > 0 ? [[from, count]] : []));
  const now = blocks.flatMap(([, , from = 0, count = 0], at) => {
    const n = isAll(at) ? count : Math.min(lines ?? 0, count);
    return n > 0 ? [[from, n]] : [];
  });
  return {
    ...of,
    file: { ...of.file, staged: lines === undefined ? "all" : "part", index },
    diff: { ...of.diff, index, staged: { old, new: now } },
  };
}

/** commented returns the responses of the routes for comments. The comments are on their original lines. */
export function commented(comments: readonly ReviewComment[]): Record<string, unknown> {
  return {
    "review-comments": comments,
    "review-places": (query: URLSearchParams) =>
      comments.filter(({ path, start }) => path === query.get("path") && start >= 0),
  };
}

const refresh: Hunk[] = [
  {
    at: 38,
    section: "func (s *Store) Refresh(ctx context.Context, id string) (Token, error)",
    lines: [
      " func (s *Store) Refresh(ctx context.Context, id string) (Token, error) {",
      ' \ts.log.Info("refresh", "account", id)',
      "-\ttok, err := s.client.Exchange(ctx, id)",
      "-\ts.cache[id] = tok",
      "-\treturn tok, err",
      "+\t// One exchange per account; late callers wait.",
      "+\tv, err, _ := s.flight.Do(id, func() (any, error) {",
      "+\t\treturn s.exchange(ctx, id)",
      "+\t})",
      "+\tif err != nil {",
      '+\t\treturn Token{}, fmt.Errorf("refresh: %w", err)',
      "+\t}",
      "+\treturn v.(Token), nil",
      " }",
    ],
  },
  {
    at: 61,
    section: "func (s *Store) exchange(ctx context.Context, id string) (Token, error)",
    lines: [
      " \ttok, err := s.client.Exchange(ctx, id)",
      "-\tif err != nil && retry(err) {",
      "+\tif err != nil && s.retry(ctx, err) {",
      " \t\treturn s.client.Exchange(ctx, id)",
      " \t}",
    ],
  },
];
const drop: Hunk = {
  at: 84,
  section: "func (s *Store) drop(id string)",
  lines: [
    " func (s *Store) drop(id string) {",
    "-\tdelete(s.cache, id)",
    "+\ts.mu.Lock()",
    "+\tdelete(s.cache, id)",
    " }",
  ],
};
const store: Hunk[] = [
  {
    at: 12,
    section: "type Store struct",
    lines: [
      " type Store struct {",
      " \tclient *Client",
      "-\tcache  map[string]Token",
      "-\tlog    *log.Logger",
      "+\tflight singleflight.Group",
      "+\tlog    *slog.Logger",
      " }",
    ],
  },
  {
    at: 24,
    section: "func New(c *Client) *Store",
    lines: [
      "-func New(c *Client) *Store {",
      "-\treturn &Store{client: c, log: log.Default()}",
      "+func New(c *Client, l *slog.Logger) *Store {",
      "+\treturn &Store{client: c, log: l}",
      " }",
    ],
  },
];
const tests: Hunk[] = [{ at: 1, lines: Array.from({ length: 44 }, (_, at) => `+\tcheck(t, ${at + 1})`) }];
const few = (at: number): Hunk[] => [
  { at, lines: [" \tlog := logger(ctx)", '-\tlog.Print("ready")', '+\tlog.Info("ready")', " \treturn nil"] },
];

/**
 * sample returns the nine files of the design's picture. If `reverted` is true, one change in refresh.go is left out.
 */
export function sample(reverted = true): FakeFile[] {
  const version = reverted ? "v2" : "v1";
  return [
    { file: file("cmd/orbitd/main.go", 9, 4, { viewed: true }), hunks: few(20) },
    {
      file: file("internal/auth/refresh.go", 31, 6, { version }),
      hunks: reverted ? refresh : [...refresh, drop],
      tail: 0,
    },
    { file: file("internal/auth/refresh_test.go", 44, 0, { kind: "added" }), hunks: tests },
    { file: file("internal/auth/store.go", 6, 6), hunks: store },
    { file: file("internal/log/global.go", 0, 22, { kind: "removed", viewed: true }), hunks: few(3) },
    { file: file("internal/log/logger.go", 31, 4), hunks: few(9) },
    { file: file("internal/server/routes.go", 8, 5, { viewed: true }), hunks: few(30) },
    { file: file("internal/server/server.go", 12, 6, { viewed: true }), hunks: few(41) },
    { file: file("internal/server/server_test.go", 3, 0), hunks: few(18) },
  ];
}
