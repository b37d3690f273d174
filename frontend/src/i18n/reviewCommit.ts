// Strings for the commit box on the Review screen.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "file", "files");
const commits = (n: number) => plural(n, "commit", "commits");

export const reviewCommit = {
  box: "Commit",
  to: "Commit to",
  noBranch: "no branch",
  message: "Commit message",
  messageHint: "Describe the changes",
  suggested: "Based on the changes",
  suggestedLast: "From the last commit",
  noSuggestion: "No suggestion",
  suggest: "Suggest another message",
  yourText: "Restore your text",
  files: "Files in the commit",
  all: (n: number) => (n === 1 ? "1 file" : `All ${files(n)}`),
  viewed: (n: number) => `${files(n)} viewed`,
  staged: (n: number) => `${files(n)} staged`,
  chosen: (n: number) => `${files(n)} chosen`,
  choose: "Choose…",
  chooseHint: "Choose the files in the list.",
  commit: "Commit",
  amendCommit: "Amend commit",
  more: "More ways to commit",
  andPush: "Commit and push",
  andPull: "Commit, push and open pull request…",
  amend: "Amend last commit",
  amendAndPush: "Amend and push",
  amendAndPull: "Amend, push and open pull request…",
  amending: (subject: string) => `Amending “${subject}”`,
  stopAmending: "Don't amend",
  amendPushed: "The last commit was pushed. The remote may reject the amended commit.",
  hooks: (names: string) => `Runs ${names}`,
  conflicts: (n: number) =>
    n === 1
      ? "1 file contains conflict markers."
      : `${n.toLocaleString("en")} files contain conflict markers.`,
  unlisted: (n: number) =>
    n === 1
      ? "1 more changed file isn't listed, but is included in the commit."
      : `${n.toLocaleString("en")} more changed files aren't listed, but are included in the commit.`,
  signed: "Signed",
  by: (author: string) => `By ${author}`,
  nothing: "Everything is committed.",
  loading: "Loading the commit…",
  tryAgain: "Try again",
  trust: "Review folder trust…",

  working: {
    "": "Waiting for an earlier commit or push…",
    hooks: "Committing and running hooks…",
    commit: "Committing…",
    push: "Pushing…",
    pull: "Opening the pull request…",
  },
  output: "Git output",
  outputCut: (n: number) => `${plural(n, "earlier line", "earlier lines")} not shown`,
  cancel: "Cancel",
  cancelled: "Canceled. Nothing was committed.",
  cancelledPush: "Canceled. The commit wasn't pushed.",
  cancelledPull: "Canceled. The pull request wasn't opened.",
  failed: "Couldn't commit.",
  failedPush: "Couldn't push.",
  failedPull: "Couldn't open the pull request.",
  close: "Back to the commit message",
  done: "Done",

  committed: "Committed",
  committedAnnounced: (short: string) => `Committed ${short}`,
  pushedAnnounced: "Pushed",
  undoneAnnounced: "The commit was undone. Its changes are staged.",
  filesTo: (n: number, branch: string) => `${files(n)} to ${branch}`,
  undo: "Undo",
  undoCommit: "Undo commit",
  push: (n: number) => `Push ${commits(n)}`,
  pushTo: "Push to",
  chooseRemote: "Choose a remote",
  setsUpstream: (remote: string, branch: string) =>
    `Pushes to ${remote}/${branch} and sets it as the upstream branch.`,
  noRemote: "This repository has no remote to push to. Add one in a terminal.",
  behind: (n: number) => `The remote branch has ${commits(n)} that you don't have.`,
  pushed: (branch: string) => `Pushed to ${branch}`,
  pullRequest: "Pull request…",

  stage: "Stage",
  unstage: "Unstage",
  stageFile: (path: string) => `Stage ${path}`,
  unstageFile: (path: string) => `Unstage ${path}`,
  stageChange: (n: number) => `Stage change ${n}`,
  unstageChange: (n: number) => `Unstage change ${n}`,
  stagedTag: "Staged",
  partlyStaged: "Partly staged",
  stagedAnnounced: (path: string) => `${path} staged`,
  unstagedAnnounced: (path: string) => `${path} unstaged`,
} as const;
