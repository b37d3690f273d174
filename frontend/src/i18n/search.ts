// Strings for the search in all chats.

export const search = {
  title: "Search",
  field: "Search all chats",
  placeholder: "Search for words, “a phrase” or a file",
  clear: "Clear search",
  results: "Search results",
  preview: "Preview",
  count: "Result count",
  found: (results: number, chats: number) => {
    const hits = results === 1 ? "1 result" : `${results.toLocaleString("en")} results`;
    return chats === 1 ? `${hits} in 1 chat` : `${hits} in ${chats.toLocaleString("en")} chats`;
  },
  /** The number of results if some of them are in sessions of the Copilot CLI. */
  foundInSessions: (results: number, chats: number, sessions: number) => {
    const inSessions = sessions === 1 ? "1 session" : `${sessions.toLocaleString("en")} sessions`;
    const hits = results === 1 ? "1 result" : `${results.toLocaleString("en")} results`;
    if (chats === 0) return `${hits} in ${inSessions}`;
    return `${hits} in ${chats === 1 ? "1 chat" : `${chats.toLocaleString("en")} chats`} and ${inSessions}`;
  },
  /** If there are too many results, the number of chats is unknown. */
  foundSoFar: (results: number, isMore: boolean) =>
    isMore ? `More than ${results.toLocaleString("en")} results` : `${results.toLocaleString("en")} results`,
  /** Number of results in one chat; `isMore` means that there are more. */
  inChat: (n: number, isMore: boolean) => `${n.toLocaleString("en")}${isMore ? "+" : ""}`,
  searching: "Searching…",
  none: (query: string) => `Nothing matches “${query}”. Try fewer words or different filters.`,
  clearFilters: "Clear filters",
  start: "Search messages, commands and files in every chat.",
  startWithSessions: "Search messages, commands and files in every chat and Copilot CLI session.",
  alsoSessions: "Search Copilot CLI sessions too…",
  indexing: "Still indexing some chats. More results may appear.",
  indexingSessions: "Still reading Copilot CLI sessions. More results may appear.",
  failed: "Search failed.",
  tryAgain: "Try again",
  folder: "Folder",
  allFolders: "All folders",
  where: "Search in",
  places: { everywhere: "Everywhere", chats: "Chats", sessions: "Copilot CLI sessions" },
  from: "From",
  authors: { anyone: "Anyone", you: "You", voxpilot: "VoxPilot", copilot: "Copilot sessions" },
  kind: "Kind",
  kinds: {
    everything: "Everything",
    messages: "Your messages",
    answers: "Answers",
    commands: "Commands",
    files: "Files",
    tools: "Other tools",
  },
  date: "Date",
  dates: {
    any: "Any time",
    day: "Today",
    week: "Past 7 days",
    month: "Past 30 days",
    year: "Past year",
  },
  authorLabels: {
    title: "Title",
    user: "You",
    message: "VoxPilot",
    note: "Note",
    tool: "Tool",
    block: "Copilot",
  },
  command: "Command",
  more: (n: number) => `Show ${n} more in this chat`,
  moreUncounted: "Show more in this chat",
  /** Marks a session of the Copilot CLI. */
  session: "Copilot CLI session",
  inSession: {
    more: (n: number) => `Show ${n} more in this session`,
    moreUncounted: "Show more in this session",
    open: "Show session",
    openHere: "show in the list of sessions",
    notShown: "Can't preview this result. The session may have been deleted.",
  },
  today: (time: string) => `Today, ${time}`,
  openChat: "Open chat",
  nextResult: "next result",
  openHere: "open at this message",
  notShown: "Can't preview this result. Open the chat to see it.",
} as const;
