// Strings for the Review screen.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "file", "files");
const lines = (n: number) => plural(n, "line", "lines");

/** putBack states that a part was reverted. A file without changed lines is reverted as a whole. */
const putBack = (n: number, place: string) =>
  n === 0 ? `${place} reverted` : `${lines(n)} reverted in ${place}`;

export const review = {
  title: "Review",
  of: (chat: string) => `Review of ${chat}`,
  back: "Back to chat",
  source: "Show changes",
  sources: {
    chat: "This chat",
    working: "Uncommitted changes",
    base: (branch: string) => `Branch against ${branch}`,
    turns: "Turns",
    commits: "Commits",
    turn: (text: string, files: number) => `${text}, ${plural(files, "file", "files")}`,
    turnAt: (time: string) => `Turn at ${time}`,
    thisTurn: "One turn",
    commit: (short: string, subject: string) => `${short} ${subject}`,
    oneCommit: "One commit",
  },
  files,
  viewedOf: (viewed: number, all: number) =>
    `${viewed.toLocaleString("en")} of ${all.toLocaleString("en")} viewed`,
  viewedFiles: "Viewed files",
  layout: "Diff layout",
  unified: "Unified",
  split: "Split",
  options: "Review options",
  wrap: "Wrap long lines",
  hideWhitespace: "Hide whitespace changes",
  find: "Find in all files",
  reload: "Reload",

  filesAndCommit: "Files and commit",
  openFiles: (all: number, viewed: number) =>
    `Files: ${all.toLocaleString("en")}, ${viewed.toLocaleString("en")} viewed`,
  closeFiles: "Close files",
  filter: "Filter files",
  clearFilter: "Clear filter",
  noFilterMatch: "No files match.",
  tree: "Changed files",
  kinds: {
    edited: "edited",
    added: "added",
    removed: "removed",
    moved: "moved",
    mode: "mode changed",
    submodule: "submodule",
  },
  inCommit: ", in the commit",
  inCommitTitle: "In the next commit",
  treeFile: (path: string, kind: string, added: number, removed: number, viewed: boolean) =>
    `${path}, ${kind}, ${added.toLocaleString("en")} added, ${removed.toLocaleString("en")} removed${viewed ? ", viewed" : ""}`,
  treePending: (path: string, kind: string, viewed: boolean) =>
    `${path}, ${kind}, lines not counted yet${viewed ? ", viewed" : ""}`,
  more: (n: number) => `${plural(n, "more file isn't", "more files aren't")} listed.`,

  diffs: "Changes",
  diffOf: (path: string) => `Diff of ${path}`,
  fold: (path: string) => `Fold ${path}`,
  unfold: (path: string) => `Unfold ${path}`,
  movedFrom: (path: string) => `from ${path}`,
  revertFile: "Revert file",
  revertFileName: (path: string) => `Revert file ${path}`,
  viewed: "Viewed",
  openInEditor: (path: string) => `Open ${path} in the editor`,
  tags: {
    binary: "Binary",
    generated: "Generated",
    large: "Large",
    mode: (old: string, now: string) => `Mode ${old} → ${now}`,
    submodule: "Submodule",
    conflicts: (n: number) => plural(n, "conflict", "conflicts"),
    resolved: "Resolved",
    crlf: "CRLF",
  },

  change: (n: number, of: number, file: string) => `Change ${n} of ${of} in ${file}`,
  changeName: (n: number, from: number, to: number) =>
    from === to ? `Change ${n}, line ${from}` : `Change ${n}, lines ${from} to ${to}`,
  linesFromTo: (from: number, to: number) => (from === to ? `Line ${from}` : `Lines ${from} to ${to}`),
  counts: (added: number, removed: number) => `${lines(added)} added, ${lines(removed)} removed`,
  keep: "Keep",
  keepName: (n: number) => `Keep change ${n}`,
  kept: "Kept",
  keptName: (n: number) => `Kept, change ${n}`,
  revert: "Revert",
  revertName: (n: number) => `Revert change ${n}`,
  revertLines: (n: number) => `Revert ${lines(n)}`,
  lineAdded: (n: number) => `added, line ${n}`,
  lineRemoved: (n: number) => `removed, line ${n}`,
  line: (n: number) => `line ${n}`,
  blank: "blank",
  selectedAnnounced: (lines: string) => `${lines} selected`,
  cut: " … (line truncated)",
  noNewline: "No newline at the end",
  openUp: (n: number) => `Show ${lines(n)} above`,
  openDown: (n: number) => `Show ${lines(n)} below`,
  openAll: (n: number) => `Show all ${lines(n)}`,
  hiddenLines: (n: number) => plural(n, "hidden line", "hidden lines"),

  conflict: {
    ours: (label: string) => (label === "" ? "Current" : `Current, ${label}`),
    theirs: (label: string) => (label === "" ? "Incoming" : `Incoming, ${label}`),
    base: "Common ancestor",
    name: (n: number, of: number) => `Conflict ${n} of ${of}`,
    use: "Use this",
    useName: (side: string) => `Use this: ${side}`,
    both: "Use both",
    bothName: (n: number) => `Use both, conflict ${n}`,
    bothSides: "both sides",
    edit: "Open in editor",
    editName: (n: number) => `Open in editor, conflict ${n}`,
    ask: (agent: string) => `Ask ${agent} to resolve`,
    askName: (agent: string, n: number) => `Ask ${agent} to resolve conflict ${n}`,
    message: (path: string, from: number, to: number) =>
      `Resolve the merge conflict in ${path}, lines ${from} to ${to}. Keep the intent of both sides.`,
    resolved: (side: string) => `Conflict resolved: ${side}`,
    resolvedMerged: (side: string) => `Conflict resolved: ${side}. Later changes were kept.`,
    undoName: (side: string) => `Undo: conflict resolved, ${side}`,
  },

  putBack: (n: number, place: string) => putBack(n, place),
  putBackMerged: (n: number, place: string) => `${putBack(n, place)}. Later changes were kept.`,
  undo: "Undo",
  undoName: (n: number, place: string) => `Undo: ${putBack(n, place)}`,
  restored: "The change was restored.",
  keptAnnounced: (n: number) => `Change ${n} kept`,
  unkeptAnnounced: (n: number) => `Change ${n} is no longer marked as kept`,
  viewedAnnounced: (path: string) => `${path} viewed`,
  unviewedAnnounced: (path: string) => `${path} not viewed`,

  loading: "Loading changes…",
  comparing: (n: number) => `Still comparing ${files(n)}…`,
  loadingLong:
    "Still loading changes. In a folder with a large number of files, this can take a minute the first time. You can go back in the meantime.",
  loadFailed: "Couldn't load the changes.",
  tryAgain: "Try again",
  nothing: "No changes in this chat yet",
  nothingBody: "Edits by Copilot appear here as they happen.",
  nothingIn: "No changes",
  nothingInBody: "There's nothing to review here.",
  changedOnDisk: "Changed on disk",
  changedJustNow: "Changed on disk just now.",
  commentsStay: (n: number) =>
    n === 1
      ? "Your comment stays attached to the same lines."
      : `Your ${n.toLocaleString("en")} comments stay attached to the same lines.`,
  showNew: "Show new version",
  largeFile: (n: number) =>
    `${plural(n, "changed line", "changed lines")}. Not included in the totals until you show the diff.`,
  showDiff: "Show diff",
  tooLarge: (size: string) => `This file is ${size}. VoxPilot doesn't compare files over 5 MB.`,
  binary: "VoxPilot can't compare binary files.",
  binarySizes: (before: string, after: string) => `Size: ${before} before, ${after} after.`,
  imageSizes: (before: string, after: string) => `Image. Size: ${before} before, ${after} after.`,
  before: "Before",
  after: "After",
  imageFacts: (side: string, facts: string) => (facts === "" ? side : `${side}, ${facts}`),
  pixels: (width: number, height: number) => `${width} × ${height}`,
  noImage: (side: string) => `${side}: no file`,
  modeOnly: (old: string, now: string) => `Only the file mode changed, from ${old} to ${now}.`,
  movedOnly: (from: string) => `This file was moved from ${from} without other changes.`,
  submodule: "The submodule points to a different commit.",
  noLines: "No lines changed.",
  gone: "This file has no changes left.",
  working: (agent: string, session: string) =>
    session === ""
      ? `${agent} is still working. New changes appear below the one you're reading.`
      : `${agent} [${session}] is still working. New changes appear below the one you're reading.`,
  allViewed: (n: number) => (n === 1 ? "You have seen the only file." : `You have seen all ${files(n)}.`),
  seenFacts: (reverted: number, open: number) =>
    `${[
      ...(reverted > 0 ? [`${plural(reverted, "change", "changes")} reverted`] : []),
      ...(open > 0 ? [`${plural(open, "comment", "comments")} open`] : []),
    ].join(", ")}.`,
  commit: "Commit…",
  dismiss: "Dismiss",

  keysNextPrevious: "next, previous change",
  keysFiles: "next, previous file",
  keysViewed: "viewed",

  findLabel: "Find in all files",
  findField: "Find",
  findNone: "No matches",
  findCount: (at: number, total: number, capped: boolean) =>
    `${at.toLocaleString("en")} of ${capped ? "at least " : ""}${total.toLocaleString("en")}`,
  findPrevious: "Previous match",
  findNext: "Next match",
  findClose: "Close find",
} as const;
