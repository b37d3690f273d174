// Strings for the first run.

export const firstRun = {
  title: "Set up VoxPilot",
  lead: "Three steps, about a minute.",
  setup: "Setup",
  cli: {
    checkingAgain: "Checking…",
    /** Shown after the user has checked again, if nothing else on the page changes. */
    checkedAgain: {
      checking: "",
      found: "VoxPilot checked again and found Copilot CLI.",
      missing: "VoxPilot checked again but still can't find Copilot CLI.",
      too_old: "VoxPilot checked again. Copilot CLI is still too old.",
      broken: "VoxPilot checked again. Copilot CLI still won't start.",
    },
    checking: "Looking for Copilot CLI…",
    found: "Copilot CLI found",
    foundAt: (version: string, path: string) => `${version} at ${path}`,
    missing: "Copilot CLI wasn't found",
    missingBody:
      "Install it in a terminal, then check again. If it's already installed, choose its executable.",
    missingBodyHere:
      "Install it here, or run the command below in a terminal and check again. If it's already installed, choose its executable.",
    searched: "VoxPilot looked in:",
    tooOld: (version: string) => `Copilot CLI ${version} is too old`,
    tooOldBody: (min: string) =>
      `VoxPilot needs ${min} or newer. To update Copilot CLI, run the command below in a terminal, then check again. If you have a newer copy, choose its executable.`,
    tooOldBodyHere: (min: string) =>
      `VoxPilot needs ${min} or newer. Update Copilot CLI here, or run the command below in a terminal and check again. If you have a newer copy, choose its executable.`,
    broken: "Copilot CLI won't start",
    brokenBody:
      "To reinstall it, run the command below in a terminal, then check again. You can also choose the executable of another copy.",
    brokenBodyHere:
      "Reinstall it here, or run the command below in a terminal and check again. You can also choose the executable of another copy.",
  },
  signIn: {
    ownTitle: (model: string) => `Using ${model}`,
    change: "Change",
    ownBody: "Copilot CLI will use your model instead of GitHub's. No account needed.",
    ownSave: "Use this model",
    back: "Back",
  },
  folder: {
    title: "Choose a folder",
    fact: "Copilot works inside it",
    body: "Copilot works in the folder you choose. It asks before every edit and every command until you say otherwise.",
    label: "Folder",
    placeholder: "Type or paste a path",
    choose: "Choose a folder…",
    chooseAnother: "Choose another folder…",
    git: (branch: string) => `Git, branch ${branch}`,
    noGit: "Not a Git repository",
    missing: "This folder doesn't exist.",
  },
  later: "Set up later",
  practice: "Try it without an account",
  practiceOff:
    "To try VoxPilot without an account, set up Copilot CLI first. Practice mode runs it with built-in answers instead of an AI model.",
  start: "Start",
} as const;
