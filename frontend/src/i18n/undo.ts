// Strings for the undo and redo of a turn's changes to files.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "file", "files");

export const undo = {
  /** The button of a turn's last row, and its accessible name. */
  button: "Undo this turn's changes",
  buttonName: (n: number) => `Undo this turn's changes, ${files(n)}`,
  undone: "This turn's changes were undone",
  undoneFiles: (n: number) => `This turn's changes were undone, ${files(n)}`,
  redone: "This turn's changes were redone.",
  /** Adds to a block's summary that the block's changes were undone. */
  inSummary: (changes: string) => `${changes}, undone`,
  redo: "Redo",
  redoName: "Redo this turn's changes",
  /** A note in the transcript about an earlier turn. */
  earlier: (redo: boolean, turn: string, time: string) =>
    turn === ""
      ? `An earlier turn's changes were ${redo ? "redone" : "undone"} at ${time}`
      : `Changes in the turn at ${turn} were ${redo ? "redone" : "undone"} at ${time}`,
  earlierLabel: (redo: boolean) => (redo ? "Changes redone" : "Changes undone"),

  title: (redo: boolean) => (redo ? "Redo this turn's changes?" : "Undo this turn's changes?"),
  lead: (redo: boolean, time: string) =>
    redo
      ? `Files will be restored to how they were at ${time}, before the undo. You can undo these changes again.`
      : `Files will be restored to how they were at ${time}, before your message. The conversation stays as it is, and you can redo this.`,
  close: "Close",
  checking: "Checking the files…",
  failed: "Couldn't check the files.",
  blocked: (redo: boolean) => (redo ? "Can't redo this now." : "Can't undo this now."),
  unavailable: "Can't undo this turn.",
  nothing: "This wouldn't change any files.",
  tryAgain: "Try again",

  changed: (n: number) => `${files(n)} ${n === 1 ? "has" : "have"} later changes`,
  changedLines: (n: number) => plural(n, "line", "lines"),
  keep: "Keep current",
  take: (redo: boolean) => (redo ? "Redo" : "Restore"),
  merge: "Merge",
  compare: "Compare",
  compareFile: (path: string) => `Compare ${path}`,
  comparison: (path: string) => `Later changes to ${path}`,
  comparisonLead: (redo: boolean) =>
    redo
      ? "Compares the file as it was after the undo with the file as it is now."
      : "Compares the file as it was after this turn with the file as it is now.",
  keepHint: "Leaves the file as it is.",
  takeHint: "Overwrites the file, including its later changes. You can bring them back afterward.",
  mergeHint: "Changes only the lines that the agent changed, and keeps later changes.",
  binary: "binary",

  /** Heading of the list of `n` files, of which `removed` will be removed. */
  ready: (redo: boolean, n: number, removed: number) => {
    const gone = `removed${redo ? " again" : ""}`;
    if (removed === n) return `${files(n)} will be ${gone}`;
    const changed = `${files(n - removed)} will be ${redo ? "changed again" : "restored"}`;
    return removed === 0 ? changed : `${changed}, ${removed.toLocaleString("en")} ${gone}`;
  },
  restores: (redo: boolean) => (redo ? "will be changed again" : "will be restored"),
  removes: (redo: boolean) => (redo ? "will be removed again" : "will be removed (it was new)"),
  returns: "will be recreated",
  moves: (redo: boolean, path: string) => (redo ? `will move to ${path}` : `will move back to ${path}`),
  showMore: (n: number) => `Show ${n.toLocaleString("en")} more`,
  unlisted: (n: number) => `and ${plural(n, "more file", "more files")}`,
  unlistedKept: (n: number) => `and ${plural(n, "more file, kept as it is", "more files, kept as they are")}`,

  rest: (redo: boolean) => (redo ? "Not redone" : "Not undone"),
  restNote: "Files changed by these commands will still be restored.",
  /** The user may have edited `n` of the files while a command was running. */
  meanwhile: (n: number) =>
    `A command was running when ${n.toLocaleString("en")} of these files changed. If you edited ${n === 1 ? "it" : "them"} at the time, your edits will be undone, too.`,
  edgesOnly:
    "This folder is large, so VoxPilot saved its files only before and after this turn. If VoxPilot quit during the turn, some of the changes may be your own.",
  confirm: (redo: boolean, n: number) => `${redo ? "Redo" : "Undo"} changes to ${files(n)}`,
  allKept: "Every file stays as it is.",
  undoFailed: "Couldn't undo the changes.",
  redoFailed: "Couldn't redo the changes.",

  none: "The last turn didn't change any files.",
  running: "The agent is still running. Wait for it to finish, or stop it first.",
  alreadyUndone:
    "The last turn's changes have already been undone. To redo them, choose “Redo” below the turn.",
} as const;
