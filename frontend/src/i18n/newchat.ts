// Strings for the new chat screen.

export const newChat = {
  title: "New chat",
  folder: (name: string) => `Folder: ${name}`,
  completion: {
    label: "Folders",
    found: (n: number) =>
      n === 1
        ? "1 folder. Press Tab to complete."
        : `${n} folders. Use the arrow keys to choose, or press Tab to complete.`,
  },
  noFolder: "Choose a folder",
  noFolderFacts: (who: string) =>
    `${who} works in the folder you choose. It asks before it acts unless you give it more permissions.`,
  practiceFolder: "Practice folder",
  practiceFacts: "A small sample project. Answers come from a built-in script, not an AI.",
  checking: "Checking the folder…",
  missing: "This folder doesn't exist.",
  noGit: "Not a Git repository",
  git: (branch: string, changed: number) =>
    changed === 0
      ? branch
      : changed === 1
        ? `${branch}, 1 uncommitted file`
        : `${branch}, ${changed} uncommitted files`,
  composer: "Composer",
  message: "Message",
  placeholder: (folder: string) => `What should change in ${folder}?`,
  placeholderNone: "What should change?",
  placeholderPractice: "Ask for a change to see how it works",
  send: "Send",
  hint: "Press Enter to send, or Shift+Enter for a new line. Drop images anywhere.",
  modeOwn: "Agent default",
  practiceFact: "Built-in script, no account needed",
  practiceOff: "Unavailable until Copilot CLI is found",
  tooLarge: "This message is larger than 1 MB. Shorten it, or put the text in a file and mention the file.",
  startFrom: "Start from",
  suggestions: {
    review: "Review my uncommitted changes",
    tests: "Write tests for the last commit",
    explain: "Explain how this folder is organized",
  },
  /** Suggested messages that the practice script recognizes. */
  practiceSuggestions: {
    fix: "Fix the greeting",
    run: "Run the script",
    story: "Tell me a long story",
  },
  recent: "Recent in this folder",
  picker: {
    title: "Folder",
    recent: "Recent folders",
    path: "Folder path",
    placeholder: "Type or paste a path",
    use: "Use this folder",
  },
} as const;
