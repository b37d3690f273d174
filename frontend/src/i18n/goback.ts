// Strings for going back to a message, set-aside messages and the versions of a chat.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "file", "files");
const restoredFiles = (n: number) => `${files(n)} will be restored`;
/** below returns the statement that a message and the `n` messages below it will be set aside. */
const below = (n: number) => {
  if (n === 0) return "this message and its answer will be set aside";
  return `this message and the ${n === 1 ? "one" : n.toLocaleString("en")} below it will be set aside`;
};
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const goBack = {
  /** The toolbar of a message, its button, and the menu of that button. */
  tools: "Message actions",
  button: "Go back to here",
  both: "Go back to here",
  bothHint: (n: number, messages: number) =>
    n > 0 ? `${restoredFiles(n)}, and ${below(messages)}` : capital(below(messages)),
  files: "Only the files",
  filesHint: (n: number) => `${restoredFiles(n)}, and the conversation stays as it is`,
  /** For files that have later changes. */
  changedHint: (n: number) =>
    `${files(n)} ${n === 1 ? "has" : "have"} later changes. Choose what to do with ${n === 1 ? "it" : "each"}.`,
  noFiles: "No files have changed since this message",
  conversation: "Only the conversation",
  conversationHint: (messages: number) => `${capital(below(messages))}, and the files stay as they are`,
  newChat: "Start a new chat from here",
  newChatHint: "Nothing in this chat changes",
  checking: "Checking the files…",
  note: "You can bring everything back until you send the next message.",
  /** Shown if the agent can't copy its session. */
  recap: "After you go back, the agent will start from a summary of the earlier messages.",

  sheetTitle: "Go back to here?",
  /**
   * `time` is "" if no files have changed. `isSent` means that the message is then sent again, so the user can't bring
   * anything back before the next message.
   */
  sheetLead: (time: string, messages: number, isSent: boolean) =>
    [
      time === ""
        ? "No files have changed since this message."
        : `Files will be restored to how they were at ${time}, before your message.`,
      messages > 0
        ? `${plural(messages, "message", "messages")} will be set aside.`
        : "The conversation stays as it is.",
      isSent ? "" : "You can bring everything back until you send the next message.",
    ]
      .filter((part) => part !== "")
      .join(" "),
  blocked: "Can't go back now.",
  confirm: (n: number) => `Go back and restore ${files(n)}`,
  confirmConversation: "Go back",
  comparisonLead: "Compares the file as the agent left it with the file as it is now.",
  /** Title of the comparison with the earlier state, for a file that was also changed between the turns. */
  sides: (path: string) => `Both versions of ${path}`,
  sidesLead: "Compares the file as it is now with the file as it was before your message.",

  /** The line below the remaining messages after the user went back. */
  wentLabel: (time: string) => `Went back to ${time}`,
  went: (time: string, n: number, messages: number) => {
    const facts = [
      n > 0 ? `${files(n)} restored` : "",
      messages > 0 ? `${plural(messages, "message", "messages")} set aside` : "",
    ];
    return [`Went back to ${time}`, facts.filter((fact) => fact !== "").join(", ")]
      .filter((part) => part !== "")
      .join(". ");
  },
  bringBack: "Bring back",
  bringBackName: "Bring everything back",
  bringMessages: "Bring the messages back",
  /** `label` comes from wentLabel. The counts are omitted so that text and buttons fit on one line. */
  wentSwept: (label: string, messages: number) =>
    messages > 0
      ? `${label}. Only messages can still be brought back, not the files.`
      : `${label}. The files can no longer be brought back.`,
  show: "Show",
  showName: "Show set-aside messages",
  broughtBack: "Brought back.",

  asideTitle: "Set-aside messages",
  asideLead: "These messages are no longer part of the chat, and the agent doesn't know about them.",
  asideFailed: "Couldn't load the messages.",
  asideEmpty: "These messages are part of the chat again.",
  loading: "Loading…",
  showEarlier: "Show earlier messages",
  tag: "Set aside",
  tryAgain: "Try again",
  close: "Close",

  /** The versions of a chat after a message, such as 2 of 3. */
  version: (n: number, all: number) => `Version ${n} of ${all}`,
  versionShort: (n: number, all: number) => `${n}/${all}`,
  previous: "Previous version",
  next: "Next version",
  switched: (n: number, all: number) => `Version ${n} of ${all}. The files stay as they are.`,

  editing: (time: string) =>
    `Editing your message from ${time}. When you send it, the original and all later messages will be set aside.`,
  /** Shown if the agent can't copy its session. */
  recapAfterEdit: "The agent will start from a summary of the earlier messages.",
  cancelEditing: "Cancel",
  cancelEditingName: "Cancel editing",

  again: "Try again with another model",
  againTitle: "Try again with another model?",
  confirmAgain: (n: number) => (n > 0 ? `Restore ${files(n)} and try again` : "Try again"),
  /** Shown with the reason after trying again with another model, if the files couldn't be restored. */
  filesStay: "The files stay as they are.",

  failed: {
    goBack: "Couldn't go back.",
    bringBack: "Couldn't bring the messages back.",
    newChat: "Couldn't start a chat from here.",
    version: "Couldn't switch to the other version.",
    again: "Couldn't try again with another model.",
    text: "Couldn't load the message.",
  },
} as const;
