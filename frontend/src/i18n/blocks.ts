// Strings for the blocks of delegated sessions.

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const blocks = {
  showAll: "Show all",
  showLess: "Show less",
  requestFailed: "Couldn't load the full request.",
  earlierTools: (n: number) => `Show ${plural(n, "earlier tool call", "earlier tool calls")}`,
  olderTools: "Show earlier tool calls",
  /**
   * The changes made by a block, for screen readers: without symbols, which would be read out one by one.
   */
  spoken: (added: number, removed: number, files: number) => {
    const counts = [
      added > 0 ? `${added.toLocaleString("en")} added` : "",
      removed > 0 ? `${removed.toLocaleString("en")} removed` : "",
    ].filter((part) => part !== "");
    const where = plural(files, "file", "files");
    return counts.length === 0 ? where : `${counts.join(", ")} in ${where}`;
  },
  /** The outcomes of turns and blocks, for screen readers. */
  ended: {
    session: (agent: string, session: string) => `${agent} ${session}`,
    done: (who: string, facts: string) => (facts === "" ? `${who} is done` : `${who} is done, ${facts}`),
    stopped: (who: string) => `${who} was stopped`,
    interrupted: (who: string) => `${who} was interrupted`,
    limit: (who: string) => `${who} reached its limit`,
    declined: (who: string) => `${who} declined this request`,
    failed: (who: string, why: string) =>
      why === "" ? `${who} couldn't finish` : `${who} failed: ${why.replace(/\.$/, "")}`,
    all: (sentences: string[], others: number) =>
      [...sentences, others > 0 ? `${plural(others, "other", "others")} ended` : ""]
        .filter((part) => part !== "")
        .join("; "),
  },
  declined: (agent: string) => `${agent} declined this request.`,
  limit: (agent: string) => `${agent} reached its limit.`,
  failed: (agent: string) => `${agent} couldn't finish.`,
} as const;
