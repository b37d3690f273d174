// Words of the composer, its lists and pickers, and the queue above it.

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const composer = {
  label: "Composer",
  message: "Message",
  placeholder: "Message VoxPilot",
  first: (folder: string) => `What should change in ${folder}?`,
  queue: "Add a message to the queue",
  untilSignIn: "Messages are queued until you sign in",
  untilTrust: "Messages are queued until you trust this folder",
  untilBack: (who: string) => `Messages are queued until ${who} is back`,
  practice: "Practice: answers come from a script inside VoxPilot, not from an AI.",
  send: "Send",
  stop: "Stop",
  queueButton: "Queue",
  tooLarge: (size: string, max: string) =>
    `This message is too long: ${size} bytes, and ${max} are the most that fit. Shorten it, or put it into a file in the folder.`,
  pasteTooLarge: (size: string, max: string) =>
    `This is too long to paste: the message would have ${size} bytes, and ${max} are the most that fit. Put it into a file in the folder, and mention that.`,

  attachments: {
    list: "Attachments",
    add: "Attach image",
    remove: (name: string) => `Remove ${name}`,
    reading: (name: string) => `Reading ${name}…`,
    pasted: (n: number, ending: string) => `pasted-${n}.${ending}`,
    clipboard: "the clipboard",
    drop: "Drop to attach",
    noImages: (who: string) =>
      `${who} takes no images in this chat. Attach the file itself, or mention it with @.`,
    noBytes: (name: string) =>
      `${name} was not attached: only images can be. Put it into the folder, and mention it with @.`,
    tooLarge: (name: string, size: string, max: string) =>
      `${name} was not attached: it has ${size}, and ${max} are the most that an image can have.`,
    tooMany: (max: number) => `No more than ${max} attachments go with one message.`,
    unreadable: (name: string) => `${name} could not be read. Try again, or attach it as a file.`,
    notHere:
      "Not all of it was attached: only files that are on this computer can be. Copy the others here, then attach them.",
    some: (n: number) => plural(n, "attachment", "attachments"),
  },

  files: {
    mention: "Mention file",
    list: "Files",
    folder: "folder",
    reading: "Reading the folder…",
    failed: "The files of the folder could not be read.",
  },

  commands: "Commands",
  commandList: "Command list",

  permissions: "Permissions",
  allow: {
    title: "Allow everything in this chat?",
    /** Whether files outside of the folder ask is a switch in Settings. */
    body: (who: string, askOutside: boolean) =>
      `${who} then edits files, runs commands and opens web addresses without asking. Its commands can do all that you may do on this computer. Your rules that deny still hold. ${
        askOutside
          ? "Unclear requests, protected files and files outside of the folder still ask."
          : "Unclear requests and protected files still ask."
      } You can go back to Ask first at any time.`,
    confirm: "Allow everything",
  },
  mode: "Mode",
  // What the modes that the protocol names do; the agent's own words for them are not for a person.
  modeBodies: {
    agent: "Works with you, step by step",
    plan: "Writes a plan and waits before changing anything",
    autopilot: "Works until the task is done. Turns on Allow everything",
  },
  on: "On",
  off: "Off",

  context: {
    label: (percent: number) => `Context: ${percent}% used`,
    title: "Context",
    of: (used: string, size: string) => `${used} of ${size} tokens`,
    body: (who: string) =>
      `What ${who} can keep in mind at once. At 80% this turns amber: soon older parts are shortened to make room.`,
    full: "This chat is almost full.",
    fullBody: "Older parts will be shortened to make room.",
    last: "Last answer",
    all: "All answers",
    read: (tokens: string) => `${tokens} read`,
    cached: (tokens: string) => `${tokens} of them from the cache`,
    written: (tokens: string) => `${tokens} written`,
  },

  queued: {
    list: "Queued messages",
    edit: (n: number) => `Edit queued message ${n}`,
    remove: (n: number) => `Remove queued message ${n}`,
    sendNow: (n: number) => `Send queued message ${n} now`,
    move: (n: number) => `Move queued message ${n}`,
    moveHint: "Drag it, or press Alt with the up and down keys",
    moved: (n: number, of: number) => `Moved to place ${n} of ${of}`,
    editing: (n: number) => `Queued message ${n}`,
    save: "Save",
    cancel: "Cancel",
    paused: "These messages wait until you go on.",
    resume: "Send them now",
  },
} as const;
