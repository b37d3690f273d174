// Words of the first run.

export const firstRun = {
  title: "Set up VoxPilot",
  lead: "Three steps, about a minute.",
  setup: "Setup",
  cli: {
    looking: "Looking…",
    /** What came of looking again, where that changes nothing on the page. */
    lookedAgain: {
      checking: "",
      found: "Looked again. It is there.",
      missing: "Looked again. Still not found.",
      too_old: "Looked again. Still too old.",
      broken: "Looked again. It still does not start.",
    },
    checking: "Looking for Copilot CLI…",
    found: "Copilot CLI found",
    foundAt: (version: string, path: string) => `${version} at ${path}`,
    missing: "Copilot CLI was not found",
    missingBody: "Install it in a terminal, then check again.",
    missingBodyHere: "Install it here or in a terminal, then check again.",
    searched: "VoxPilot looked here:",
    tooOld: (version: string) => `Copilot CLI ${version} is too old`,
    tooOldBody: (min: string) => `VoxPilot needs ${min} or newer. Update it in a terminal, then check again.`,
    broken: "Copilot CLI does not start",
    brokenBody:
      "It was found, but did not say its version. Install it again in a terminal, or choose another file.",
  },
  signIn: {
    ownTitle: (model: string) => `${model} answers`,
    change: "Change",
    ownBody: "Copilot CLI then asks your model instead of GitHub's. No account is needed.",
    ownSave: "Use this model",
    back: "Back",
  },
  folder: {
    title: "Choose a folder",
    fact: "Copilot works inside it",
    body: "Copilot works in this folder. It asks before every edit and every command until you say otherwise.",
    label: "Folder",
    placeholder: "Type or paste a path",
    choose: "Choose a folder…",
    chooseAnother: "Choose another folder…",
    git: (branch: string) => `Git, branch ${branch}`,
    noGit: "No Git repository",
    missing: "This folder does not exist.",
  },
  later: "Set up later",
  practice: "Try it without an account",
  practiceOff: "Practice is off: it runs Copilot CLI with a script in place of a model.",
  start: "Start",
} as const;
