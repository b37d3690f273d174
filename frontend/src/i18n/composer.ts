// Strings for the composer, its lists and pickers, and the queue above it.

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const composer = {
  label: "Composer",
  message: "Message",
  placeholder: "Message VoxPilot",
  first: (folder: string) => `What should change in ${folder}?`,
  queue: "Add a message to the queue",
  queuedUntilSignIn: "Messages are queued until you sign in",
  queuedUntilTrust: "Messages are queued until you trust this folder",
  queuedUntilReconnected: (who: string) => `Messages are queued until ${who} is back`,
  practice: "Practice mode: answers come from a built-in script, not an AI.",
  send: "Send",
  stop: "Stop",
  queueButton: "Queue",
  tooLarge: (size: string, max: string) =>
    `This message is too long (${size} bytes; the limit is ${max}). Shorten it, or put the text in a file in the folder.`,
  pasteTooLarge: (size: string, max: string) =>
    `This is too long to paste: your message would be ${size} bytes, and the limit is ${max}. Put the text in a file in the folder and mention the file with @.`,

  attachments: {
    list: "Attachments",
    add: "Attach image",
    remove: (name: string) => `Remove ${name}`,
    reading: (name: string) => `Reading ${name}…`,
    pasted: (n: number, ending: string) => `pasted-${n}.${ending}`,
    clipboard: "the clipboard",
    drop: "Drop to attach",
    noImages: (who: string) =>
      `${who} doesn't accept images in this chat. Put the image in the folder and mention it with @.`,
    notAnImage: (name: string) =>
      `Couldn't attach ${name}: only images can be added this way. Put the file in the folder and mention it with @.`,
    tooLarge: (name: string, size: string, max: string) =>
      `Couldn't attach ${name}: it's ${size}, and the limit for an image is ${max}.`,
    tooMany: (max: number) => `You can add up to ${max} attachments to a message.`,
    unreadable: (name: string) =>
      `Couldn't read ${name}. Try again, or put the image in the chat's folder and mention it with @.`,
    notOnThisComputer:
      "Some items weren't attached because they aren't files on this computer. Copy them to this computer, then attach them.",
    some: (n: number) => plural(n, "attachment", "attachments"),
  },

  files: {
    mention: "Mention file",
    list: "Files",
    folder: "folder",
    reading: "Loading files…",
    failed: "Couldn't list the files in this folder.",
  },

  commands: "Commands",
  commandList: "Command list",

  /** Commands of the Copilot CLI's terminal, which VoxPilot handles itself. */
  typed: {
    newChat: "New chat in this folder",
    ask: "Ask in a new chat",
    rewind: "Go back to before your last message",
    fork: "New chat from the last message",
    tasks: "Show this chat's sessions",
    settings: (page: string) => `Open Settings > ${page}`,
    agent: "Choose a custom agent",
    copy: "Copy the last answer",
    delegate: "Have the agent open a pull request",
    exit: "Close VoxPilot",
    instructions: "Edit the instructions for this folder",
    limits: "See token usage",
    worktree: "Work in another worktree",
    pr: "Open a pull request",
    agentInstead: "Custom agents are in the “Model” menu below the message field.",
    copyInstead: "To copy an answer, choose “Copy message” below it.",
    delegateInstead:
      "VoxPilot can't hand off chats to GitHub. Ask the agent to push a branch and open a pull request.",
    exitInstead: "To leave VoxPilot, close the window. Chats are saved.",
    instructionsInstead:
      "Instructions are in AGENTS.md and .github/copilot-instructions.md. To have the agent change one of these files, mention the file with @.",
    limitsInstead: "VoxPilot can't limit AI credits, but it shows token usage below each answer.",
    worktreeInstead: "Create the worktree with git, then open its folder in a new chat.",
    prInstead: "Choose “Pull request…” in a chat's review, or ask the agent to open the pull request.",
    terminalOnly: (name: string) => `/${name} works only in Copilot CLI in a terminal.`,
    noMessage: "This chat has no message to go back to.",
    needsChat: (name: string) => `/${name} works only in an existing chat.`,
    sendAnyway: "To send this text as a message, press Enter again.",
  },

  permissions: "Permissions",
  allow: {
    title: "Allow everything in this chat?",
    /** askOutside is a setting: whether files outside of the folder require permission. */
    body: (who: string, askOutside: boolean) =>
      `${who} will edit files, run commands and open web addresses without asking. Its commands run with your permissions on this computer. Your “Never allow” rules still apply. ${
        askOutside
          ? "You'll still be asked about unclear requests, protected files and files outside the folder."
          : "You'll still be asked about unclear requests and protected files."
      } You can switch back to “Ask first” at any time.`,
    confirm: "Allow everything",
  },
  mode: "Mode",
  // Descriptions of the modes defined by ACP; the agent's own descriptions aren't written for users.
  modeBodies: {
    agent: "Works with you, step by step.",
    plan: "Writes a plan and waits before it changes anything.",
    autopilot: "Works until the task is done. Turns on “Allow everything”.",
  },
  on: "On",
  off: "Off",

  context: {
    label: (percent: number) => `Context: ${percent}% used`,
    title: "Context",
    of: (used: string, size: string) => `${used} of ${size} tokens`,
    body: (who: string) =>
      `How much text ${who} can work with at once. At 80%, the ring turns amber: older parts will soon be shortened to make room.`,
    full: "This chat is almost full.",
    fullBody: "Older parts will be shortened to make room.",
    last: "Last answer",
    all: "All answers",
    read: (tokens: string) => `${tokens} input`,
    cached: (tokens: string) => `including ${tokens} from the cache`,
    written: (tokens: string) => `${tokens} output`,
  },

  queued: {
    list: "Queued messages",
    edit: (n: number) => `Edit queued message ${n}`,
    remove: (n: number) => `Remove queued message ${n}`,
    sendNow: (n: number) => `Send queued message ${n} now`,
    move: (n: number) => `Move queued message ${n}`,
    moveHint: "Drag to reorder, or press Alt+Up or Alt+Down",
    moved: (n: number, of: number) => `Moved to position ${n} of ${of}`,
    editing: (n: number) => `Queued message ${n}`,
    save: "Save",
    cancel: "Cancel",
    paused: "These messages won't be sent until you choose “Send now”.",
    resume: "Send now",
  },
} as const;
