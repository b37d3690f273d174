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
      found: "Checked again. Copilot CLI found.",
      missing: "Checked again. Still not found.",
      too_old: "Checked again. Still too old.",
      broken: "Checked again. It still doesn't start.",
    },
    checking: "Looking for Copilot CLI…",
    found: "Copilot CLI found",
    foundAt: (version: string, path: string) => `${version} at ${path}`,
    missing: "Copilot CLI wasn't found",
    missingBody:
      "Install it in a terminal, then check again. If it's already installed, choose its program file.",
    missingBodyHere:
      "Install it here, or run the command below in a terminal and check again. If it's already installed, choose its program file.",
    searched: "VoxPilot looked in:",
    tooOld: (version: string) => `Copilot CLI ${version} is too old`,
    tooOldBody: (min: string) =>
      `VoxPilot needs ${min} or newer. Update Copilot CLI in a terminal, then check again. If you have a newer copy, choose its program file.`,
    tooOldBodyHere: (min: string) =>
      `VoxPilot needs ${min} or newer. Update Copilot CLI here, or run the command below in a terminal and check again. If you have a newer copy, choose its program file.`,
    broken: "Copilot CLI doesn't start",
    brokenBody: "Reinstall it in a terminal, then check again. Or choose the program file of another copy.",
    brokenBodyHere:
      "Reinstall it here, or run the command below in a terminal and check again. Or choose the program file of another copy.",
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
    "“Try it without an account” starts practice mode, which runs Copilot CLI with built-in answers instead of the AI model. Install Copilot CLI first.",
  start: "Start",
} as const;
