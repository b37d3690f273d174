// Strings for the pull request on the Review screen.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const pushing = (n: number, remote: string) =>
  n === 0
    ? `VoxPilot pushes the branch to ${remote} first.`
    : `VoxPilot pushes ${plural(n, "commit", "commits")} to ${remote} first.`;

export const reviewPull = {
  sheet: "Open a pull request",
  close: "Close",
  cancel: "Cancel",
  /** The effect of opening a pull request. `remote` is "" if nothing has to be pushed. */
  lead: (n: number, remote: string, host: string, login: string) =>
    `${remote === "" ? "" : `${pushing(n, remote)} `}The pull request opens on ${host}${login === "" ? "" : ` as ${login}`}.`,
  leadCompare: (n: number, remote: string, host: string) =>
    remote === ""
      ? `The compare page of ${host} opens in your browser.`
      : `${pushing(n, remote)} The compare page of ${host} then opens in your browser.`,
  note: "Nothing else is sent to GitHub.",
  checking: "Checking the branch…",
  cannot: "VoxPilot can't open a pull request now",
  loadFailed: "Couldn't check the branch",
  already: (n: number) => `This branch already has pull request #${n}`,
  alreadyBody: "New commits are added to it when you push.",
  show: "Show on GitHub",
  tryAgain: "Try again",

  into: "Into",
  defaultBranch: "Default branch",
  from: "From",
  title: "Title",
  description: "Description",
  /** Names the sources of the suggested description. `commits` is 0 if none of its text comes from commits. */
  suggested: (commits: number, template: boolean, chat: boolean) => {
    if (commits === 0 && !chat) return "From the repository's template";
    const from = [
      commits === 0 ? "" : commits === 1 ? "the commit" : "the commits",
      template ? "the template" : "",
      chat ? "the chat" : "",
    ].filter((part) => part !== "");
    const last = from.pop() ?? "";
    return `Based on ${from.length > 0 ? `${from.join(", ")} and ${last}` : last}`;
  },
  noSuggestion: "No suggestion",
  suggest: "Suggest another description",
  yourText: "Restore your text",
  draft: "Open as a draft",
  summary: "Add a summary of this chat",

  pushAndOpen: "Push and open",
  pushAndOpenName: "Push and open pull request",
  open: "Open",
  openName: "Open pull request",
  pushAndCompare: "Push and open compare page",
  compare: "Open compare page",
  noTitle: "Enter a title for the pull request.",
  failed: "Couldn't open the pull request.",
  cancelled: "Canceled.",
  pushedOnly: (remote: string) => `The branch was pushed to ${remote}, but the pull request wasn't opened.`,
  openedAnnounced: "The pull request is open.",

  number: (n: number) => `Pull request #${n}`,
  states: { open: "Open", draft: "Draft", merged: "Merged", closed: "Closed" },
  passed: (n: number) => `${plural(n, "check", "checks")} passed`,
  failedChecks: (n: number) => `${plural(n, "check", "checks")} failed`,
  running: (n: number) => `${plural(n, "check", "checks")} running`,
  skipped: (n: number) => `${plural(n, "check", "checks")} skipped`,
  /** Name of the button that lists the checks. `results` contains their numbers, such as "2 checks passed". */
  checks: (results: string) => `Checks: ${results}`,
  showChecks: "Show checks",
  openCheck: "Open a check in the browser",
  checkPassed: "Passed",
  checkFailed: "Failed",
  checkRunning: "Running",
  checkSkipped: "Skipped",
  reload: "Reload pull request",
} as const;
