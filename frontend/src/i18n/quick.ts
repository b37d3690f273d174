// Strings for the quick prompt.

export const quick = {
  title: "Quick prompt",
  message: "Message",
  placeholder: "Ask for a change, or ask a question",
  sendTo: "Send to",
  /** The name of the folder is inserted between these. */
  newChat: { before: "New chat in ", after: "" },
  states: {
    running: "Running (your message will be queued)",
    waiting: "Needs you (your message will be queued)",
    signin: "Sign-in needed",
    trust: "Waiting for you to trust its folder",
    crashed: "Stopped unexpectedly",
    failed: "Failed",
    unread: "New reply",
  },
  model: "Model",
  choose: "choose",
  close: "close",
  send: "Send",
  none: "No chats yet. Press Send to open VoxPilot with this text.",
} as const;
