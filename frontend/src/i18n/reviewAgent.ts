// Strings for the review by the chat's agent.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const comments = (n: number) => plural(n, "comment", "comments");

export const reviewAgent = {
  ask: (agent: string) => `Ask ${agent} for a review…`,

  sheet: (agent: string) => `Ask ${agent} for a review`,
  lead: (agent: string) =>
    `${agent} reads the changes in its own session and suggests comments. You decide which ones to send.`,
  model: "Model",
  sameModel: "Same as the chat",
  focus: "What to look at (optional)",
  focusPlaceholder: "For example, error handling and missing tests",
  start: "Start review",
  cancel: "Cancel",
  close: "Close",

  region: "Suggested comments",
  running: (agent: string) => `${agent} is reviewing the changes…`,
  waiting: (agent: string) => `${agent}'s review is waiting for you in the chat.`,
  stop: "Stop",
  stopName: "Stop the review",
  showInChat: "Show in chat",
  dismissNote: "Close this note",
  suggests: (agent: string, n: number) => `${agent} suggests ${comments(n)}`,
  others: (n: number) =>
    n === 1
      ? "1 comment couldn't be added. It's in the chat."
      : `${n} comments couldn't be added. They're in the chat.`,
  nothing: (agent: string) => `${agent} found nothing to comment on.`,
  nothingNew: (agent: string) => `${agent} found nothing new to comment on.`,
  unclear: (agent: string) => `VoxPilot found no comments in ${agent}'s answer.`,
  failed: "The review failed.",
  stopped: "The review was stopped.",
  next: "Next",
  nextName: "Next suggestion",
  acceptAll: "Accept all",
  dismissAll: "Dismiss all",

  name: (lines: string) => `Suggestion on ${lines}`,
  outdatedName: "Suggestion on changed lines",
  tag: "Suggested",
  accept: "Accept",
  dismiss: "Dismiss",
  acceptedAnnounced: (n: number) => `${comments(n)} accepted`,
  dismissedAnnounced: (n: number) => `${comments(n)} dismissed`,
} as const;
