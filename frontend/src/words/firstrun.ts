// Words of the first run.

export const firstRun = {
  title: "Set up VoxPilot",
  lead: "Three steps, about a minute.",
  setup: "Setup",
  cli: {
    checking: "Looking for Copilot CLI…",
    found: "Copilot CLI found",
    foundAt: (version: string, path: string) => `${version} at ${path}`,
    missing: "Copilot CLI was not found",
    missingBody: "Install it in a terminal, then check again.",
    searched: "VoxPilot looked here:",
    tooOld: (version: string) => `Copilot CLI ${version} is too old`,
    tooOldBody: (min: string) => `VoxPilot needs ${min} or newer. Update it in a terminal, then check again.`,
    broken: "Copilot CLI does not start",
    brokenBody:
      "It was found, but did not say its version. Install it again in a terminal, or choose another file.",
  },
  signIn: {
    todo: "Sign in to Copilot",
    body: "Copilot keeps its own sign-in. If you have not signed in on this computer yet, run this in a terminal once.",
    done: "I am signed in",
    own: "Use your own model",
    doneTitle: "Copilot answers, with its own sign-in",
    doneFact: "Not checked by VoxPilot",
    ownTitle: (model: string) => `${model} answers`,
    change: "Change",
    ownBody:
      "Any service that speaks the OpenAI chat format, such as Ollama. Copilot CLI then uses it instead of GitHub's models.",
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
  start: "Start",
} as const;
