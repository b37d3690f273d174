// Strings for drafted commit messages on the Review screen.

export const reviewDraft = {
  /** `name` is a model or an agent. */
  draft: (name: string) => `Draft with ${name}`,
  hint: (name: string) =>
    `Draft the message with ${name}. VoxPilot sends the changes to the model, which may count as one or more requests.`,
  running: (name: string) => `${name} is drafting…`,
  cancel: "Cancel",
  drafted: (model: string, cost: string) => `Drafted by ${model} · ${cost}`,
  noCost: "cost not reported",
  use: "Use draft",
  dismiss: "Dismiss draft",
  dismissFailure: "Dismiss",
  restore: "Restore the earlier text",
  failed: "Couldn't draft a message.",
  cancelledAnnounced: "Canceled. The message is unchanged.",
  usedAnnounced: "The draft is in the message field.",
  readyAnnounced: "A draft is ready. Your text is unchanged.",
} as const;
