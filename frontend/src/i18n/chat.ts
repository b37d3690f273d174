// Strings for the transcript, permission requests and banners.

import { count } from "../lib/format";
import type { Account, Decision, ToolKind, ToolStatus, Usage } from "../state/types";

const minus = "\u2212";
const amounts = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const amount = (n: number) => amounts.format(n);

const verbs: Record<ToolKind, string> = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Search",
  execute: "Run",
  think: "Think",
  fetch: "Fetch",
  ask: "Ask",
  plan: "Plan",
  other: "Use",
};

const statusNames: Record<ToolStatus, string> = {
  pending: "pending",
  in_progress: "in progress",
  completed: "completed",
  failed: "failed",
  cancelled: "stopped",
};

const decisions: Record<Decision, string> = {
  allowed_once: "allowed once",
  always_allowed: "always allowed",
  auto_allowed: "allowed by your settings",
  rejected: "you rejected this",
  closed: "not answered",
};

const number = new Intl.NumberFormat("en");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

export const chat = {
  transcript: "Transcript",
  you: (time: string) => `You, ${time}`,
  answer: (time: string) => `VoxPilot, ${time}`,
  empty: {
    title: "What should change?",
    body: (who: string, folder: string) =>
      `${who} works in ${folder}. It asks before it acts unless you give it more permissions.`,
    practice: "Three things to try",
    practiceBody: "Each one shows something different: an edit, a command or a long answer.",
  },
  loadFailed: "Couldn't load this chat.",
  tryAgain: "Try again",
  copyDetails: "Copy details",
  copyMessage: "Copy message",
  copyCode: "Copy code",
  dismiss: "Dismiss",
  jump: "Jump to latest",
  jumpNew: (n: number) => `Jump to latest, ${n} new`,
  copy: {
    tooLong: "The selection is too long to copy. Select less, or export the chat.",
    cut: "Part of the selection isn't loaded. Select less, or export the chat.",
  },
  editMessage: "Edit and send again",
  attachments: "Attachments in this message",
  outsideFolder: (path: string) => `${path} is outside this chat's folder, so VoxPilot didn't open it.`,
  earlierPart: "Show earlier part",
  laterPart: "Show later part",
  fromBeginning: "Show from the beginning",
  toTheEnd: "Show the end",
  find: {
    label: "Find in this chat",
    field: "Find",
    previous: "Previous match",
    next: "Next match",
    close: "Close find",
    none: "No matches",
    count: (n: number, total: number, more: boolean) =>
      `${n > 0 ? `${count(n)} of ` : ""}${count(total)}${more ? "+" : ""}`,
  },
  images: {
    broken: "Couldn't show this image.",
    unknown: "This image format isn't supported.",
    tooLarge: (size: string) => `This image is too large to show (${size}).`,
  },
  usage: {
    short: (usage: Usage) => `${count(usage.input + usage.output)} tokens`,
    all: (usage: Usage) =>
      [
        `${count(usage.input)} input`,
        `${count(usage.output)} output`,
        usage.cacheRead ? `${count(usage.cacheRead)} read from the cache` : "",
        usage.cacheWrite ? `${count(usage.cacheWrite)} written to the cache` : "",
        usage.thought ? `${count(usage.thought)} for thinking` : "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    premium: (n: number) => (n === 1 ? "1 premium request" : `${amount(n)} premium requests`),
    credits: (n: number) => (n === 1 ? "1 AI credit" : `${amount(n)} AI credits`),
  },
  older: "Loading older messages…",
  newer: "Loading newer messages…",
  showAllOf: (size: string) => `Show all ${size}`,
  showAllLines: (lines: string) => `Show all ${lines} lines`,
  showAllFiles: (files: string) => `Show all ${files} files`,
  showMore: (size: string) => `Show more (${size} left)`,
  loading: "Loading…",
  noContent: "No output.",
  image: (who: string) => `Image from ${who}`,
  openLink: {
    title: "Open this link?",
    body: (href: string) => href,
    confirm: (isMail: boolean) => (isMail ? "Compose email" : "Open in browser"),
  },

  work: {
    copilot: "Copilot",
    label: (agent: string, session: string) => `${agent} [${session}]`,
    suffix: {
      running: "",
      waiting: " — needs you",
      done: " — done",
      failed: " — failed",
      stopped: " — stopped",
      interrupted: " — interrupted",
    },
    stop: "Stop",
    stopLabel: (session: string) => `Stop ${session}`,
    changes: (added: number, removed: number, files: number) => {
      const counts = [added > 0 ? `+${count(added)}` : "", removed > 0 ? `${minus}${count(removed)}` : ""]
        .filter((part) => part !== "")
        .join(" ");
      return [counts, counts === "" ? "" : "in", plural(files, "file", "files")]
        .filter((part) => part !== "")
        .join(" ");
    },
    commands: (n: number) => plural(n, "command", "commands"),
    withoutPermission: (n: number) => `${n} without permission`,
    plan: "Plan",
    planState: { completed: ", done", in_progress: ", in progress", pending: ", to do" },
    tools: "Tool calls",
    output: (who: string) => `${who} output`,
    thinking: "Thinking…",
    thought: (time: string) => (time === "" ? "Thought" : `Thought for ${time}`),
  },
  end: {
    failed: (who: string) => `${who} couldn't finish.`,
    stopped: (time: string) => `Stopped, ${time}`,
    interrupted: (time: string) => `Interrupted, ${time}`,
  },

  tool: {
    verb: (kind: ToolKind) => verbs[kind] ?? verbs.other,
    open: "Open",
    status: (status: ToolStatus) => statusNames[status] ?? status,
    decision: (decision: Decision) => decisions[decision] ?? "",
    label: (verb: string, target: string, status: string) => `${verb} ${target}, ${status}`,
    moved: (from: string, to: string) => `${from} to ${to}`,
    waiting: "waiting for you",
    noResult: "no result",
    stopped: "stopped",
    byRule: "rejected by a rule",
    exit: (code: number) => `exit ${code}`,
    outputOf: (target: string) => `Output of ${target}`,
    diffOf: (path: string) => `Diff of ${path}`,
    lastLines: (n: number) => `The last ${n} lines`,
  },

  request: {
    label: (title: string) => `Permission request: ${title}`,
    edit: (path: string) => `Edit ${path}`,
    delete: (path: string) => `Delete ${path}`,
    move: (from: string, to: string) => `Move ${from} to ${to}`,
    // A file, and the number of other files in the same request.
    more: (file: string, others: number) => `${file} and ${plural(others, "more file", "more files")}`,
    run: "Run a command",
    runs: (command: string) => `Run ${command}`,
    toRun: (command: string) => `run ${command}`,
    read: (path: string) => `Read ${path}`,
    open: (host: string) => `Open ${host}`,
    use: (tool: string) => `Use ${tool}`,
    in: (folder: string) => `in ${folder}`,
    outside: "Accesses files outside this chat's folder",
    waiting: (n: number) => `Request 1 of ${n}`,
    change: (path: string) => `Proposed change to ${path}`,
    command: "Command",
    where: "in",
    details: "Request",
    allowOnce: "Allow once",
    alwaysAllow: "Always allow",
    reject: "Reject",
    alwaysReject: "Always reject",
    scopeEdits: (folder: string) =>
      `“Always allow” creates a rule that covers all edits and new files in ${folder}, but not deletions or moves.`,
    scopeFile: (file: string) => `“Always allow” creates a rule that covers only edits to ${file}.`,
    scopeCommand: (folder: string) =>
      `“Always allow” creates a rule that covers this command in ${folder}, exactly as written.`,
    scopeHost: (host: string, folder: string) =>
      `“Always allow” creates a rule that covers all web addresses on ${host} for chats in ${folder}.`,
    scopePrefix: (beginning: string, folder: string) =>
      `“Always allow” creates a rule that covers commands in ${folder} that start with “${beginning}”.`,
    scopeGlob: (pattern: string, folder: string) =>
      `“Always allow” creates a rule that covers commands in ${folder} that match “${pattern}”.`,
    everyFolder: "every folder",
    inbox: "Requests waiting for you",
    inboxOpen: "All requests",
    requester: (who: string, session: string) => (session === "" ? who : `${who} [${session}]`),
    requestedIn: (who: string, chat: string, folder: string) => `${who} · ${chat} · ${folder}`,
    removeRuleHint: "You can remove it in Settings > Permissions.",
    changes: (n: number) => `Proposed changes to ${plural(n, "file", "files")}`,
    noPreview: (who: string) => `${who} didn't provide a preview.`,
    // The number of a request's files that the request doesn't list.
    moreFiles: (n: number) => `${plural(n, "more file has", "more files have")} no preview.`,
    previewFailed: "Couldn't load the preview.",
    announce: (who: string, what: string) => `${who} asks to ${what}`,
    // The title of a request within a sentence.
    inSentence: (title: string) => title.charAt(0).toLowerCase() + title.slice(1),
    wants: (who: string, what: string) => `${who} wants to ${what}`,
    waitBar: (who: string) => `${who} is waiting for you`,
    show: "Show request",
  },

  modes: { ask: "Ask first", accept_edits: "Allow edits", bypass: "Allow everything" },
  modeBodies: {
    ask: "Asks before every edit, command and web address.",
    accept_edits:
      "Allows edits, deletions and moves in the folder, except for protected files. Asks about everything else.",
    bypass:
      "Asks only about unclear requests, and about the agent's own access to protected files or files outside the folder. Doesn't ask about commands that run in the folder. The button is amber while this mode is on.",
    bypassOutside:
      "Asks only about unclear requests and protected files. Doesn't ask about other files, even outside the folder. The button is amber while this mode is on.",
  },

  banner: {
    restored: {
      label: "Session restored",
      strong: "Session restored.",
      /** The main session is passed as "" and is referred to by the agent's name alone. */
      body: (who: string, sessions: string[], others: number) => {
        const named = sessions.map((session) => (session === "" ? who : `[${session}]`));
        if (sessions[0] !== "") named[0] = `${who} ${named[0]}`;
        if (others > 0) named.push(others === 1 ? "1 other" : `${others} others`);
        const last = named.pop();
        return named.length === 0
          ? `${last} has its full history again.`
          : `${named.join(", ")} and ${last} have their full history again.`;
      },
      rule: (time: string) => `Session restored, ${time}`,
    },
    incomplete: {
      label: "Last message may be incomplete",
      strong: "Session restored, but the last message may be incomplete.",
      body: (who: string) =>
        `${who} was interrupted while it was working. Check the end of its last message before you continue.`,
      rule: (time: string) => `Session restored (last message may be incomplete), ${time}`,
    },
    lost: {
      label: "Session couldn't be restored",
      body: (who: string) =>
        `The previous ${who} session could not be restored. A new session has been started. Your conversation history in VoxPilot is intact.`,
      rule: (time: string) => `New session, ${time}`,
      show: (who: string) => `Show the summary given to ${who}`,
      hide: (who: string) => `Hide the summary given to ${who}`,
      recap: "Summary for the new session",
    },
    repaired: {
      label: "Session repaired",
      strong: "Session repaired.",
      body: (who: string) =>
        `${who} couldn't open the session because its files are damaged. VoxPilot repaired a copy and left the damaged files unchanged.`,
      rule: (time: string) => `Session repaired, ${time}`,
    },
    rebuilt: {
      label: "Session rebuilt from this chat",
      strong: "Session rebuilt from this chat.",
      body: (who: string) =>
        `The session's files are damaged or missing, so VoxPilot started a new session and gave ${who} this chat's messages and tool results. The old session is unchanged.`,
      rule: (time: string) => `Session rebuilt from this chat, ${time}`,
    },
    /** A further sentence may follow `rule`. */
    handedOver: {
      label: "Copilot has this chat's conversation",
      rule: (who: string, time: string) => `${who} received this chat's conversation, ${time}`,
    },
    imported: {
      label: "Session from another program",
      /** `count` is "" while the session is being read. */
      rule: (count: string) => (count ? `Continued from a terminal, ${count}` : "Continued from a terminal"),
      copy: (count: string) =>
        count ? `Copy of a terminal session, ${count}` : "Copy of a terminal session",
      /** For the conversation of another program. */
      fromProgram: (program: string, count: string) =>
        count ? `From ${program}, ${count}` : `From ${program}`,
    },
    writtenElsewhere: {
      label: "Messages from another program",
      rule: (count: string) => `Another program added ${count} to this session`,
    },
    historyMismatch: {
      label: (who: string) => `${who}'s history doesn't match this chat`,
      strong: (who: string) => `${who}'s history doesn't match this chat.`,
      body: "Your conversation history in VoxPilot is intact.",
      rule: (who: string, time: string) => `${who}'s history doesn't match this chat, ${time}`,
    },
    allowAll: {
      label: "“Allow everything” is on",
      strong: "“Allow everything” is on.",
      body: (who: string) =>
        `It was still on when the session was restored, so ${who} can edit files and run commands without asking.`,
      off: "Switch back to “Ask first”",
      rule: (time: string) => `Session restored with “Allow everything” on, ${time}`,
    },
    mode: {
      label: "Mode restored",
      rule: (mode: string, time: string) => `Session restored in ${mode} mode, ${time}`,
    },
    limit: {
      label: (who: string) => `${who} reached its limit`,
      strong: (who: string) => `${who} reached its limit.`,
      body: "It stopped on its own before it finished. Its work so far is above.",
      rule: (who: string, time: string) => `${who} reached its limit, ${time}`,
    },
    continued: {
      label: "Summary of an earlier chat",
      rule: (title: string) => `Continued from “${title}”`,
      show: (who: string) => `Show the summary given to ${who}`,
      hide: (who: string) => `Hide the summary given to ${who}`,
    },
    paused: {
      label: "Rate limited",
      strong: (provider: string) => `${provider} is rate-limiting requests.`,
      body: (left: string) => `Trying again in ${left}. Your message is saved.`,
      change: "Change model",
      cancel: "Cancel",
      rule: (provider: string, time: string) => `Rate limited by ${provider}, ${time}`,
    },
    timeLimit: {
      label: "Time limit",
      strong: (who: string, left: string) => `${who} will stop in ${left}.`,
      waits: (who: string) => `${who} will stop soon after you answer.`,
      body: "It has almost reached the time limit set in Settings.",
      extend: (minutes: number) => `Extend by ${minutes} min`,
      rule: (time: string) => `Close to the time limit, ${time}`,
    },
    extended: {
      label: "Time limit extended",
      rule: (minutes: string, time: string) =>
        `Time limit extended by ${minutes} ${minutes === "1" ? "minute" : "minutes"}, ${time}`,
    },
    withoutPermission: {
      label: (who: string) => `${who} didn't ask for permission`,
      strong: (who: string) => `${who} didn't ask for permission.`,
      body: "VoxPilot stopped the answer because this ran without your permission:",
      suspects: (names: string) =>
        `These hooks and settings in the folder can answer requests for you: ${names}.`,
      noSuspects: "Nothing in the folder explains this. Check the agent's own settings.",
      next: "Check what changed before you continue.",
      rule: (who: string, time: string) => `Answer stopped because ${who} didn't ask for permission, ${time}`,
    },
    guardOff: {
      label: "VoxPilot's guard is off",
      strong: "VoxPilot's guard is off.",
      body: (who: string) =>
        `VoxPilot can't check ${who}'s tool calls before they run, but ${who} still asks for permission. For this session, VoxPilot rejects settings that would stop ${who} from asking.`,
      rule: (time: string) => `VoxPilot's guard is off, ${time}`,
    },
    agentError: {
      label: (who: string) => `${who} reported a problem`,
      strong: (who: string) => `${who} reported a problem.`,
      rule: (who: string, time: string) => `${who} reported a problem, ${time}`,
    },
    continue: (who: string) => `Ask ${who} to continue`,
    continuePrompt: "Continue where you left off.",
  },

  condition: {
    full: {
      label: "Chat almost full",
      strong: "This chat is almost full.",
      body: "Older parts will be shortened to make room. A new chat can start from a summary of this one.",
    },
    signIn: {
      label: "Sign-in needed",
      expired: "Your GitHub sign-in has expired.",
      expiredBody:
        "Sign in again, and VoxPilot will resume this session where it left off and send your queued messages.",
      wrongKind: "Copilot can't use this sign-in.",
      first: "Sign in to GitHub to use Copilot.",
      firstBody: "Messages you send are queued until you sign in.",
      /** Names the source of a sign-in that VoxPilot doesn't store. */
      from: (account: Account) => {
        if (account.source === "env" && account.variable)
          return `It comes from the environment variable ${account.variable}.`;
        return account.source === "gh" ? "It comes from GitHub CLI (gh)." : "";
      },
      do: "Sign in to GitHub",
      without: "Work without Copilot",
    },
    agentSignIn: {
      strong: (agent: string) => `Sign in to ${agent} to continue.`,
      body: "This agent has its own login. Sign in with its command-line tool, then check again. Your queued messages are saved and will be sent afterward.",
      refused: (model: string) => `${model} rejected the API key.`,
      model: "Correct the key in Settings, then check again. Your queued messages will be sent afterward.",
    },
    trust: {
      label: "Trust needed",
      strong: (who: string) => `VoxPilot hasn't started ${who} because files in this folder can run code.`,
      changed: (who: string) =>
        `VoxPilot hasn't started ${who} because files that can run code have changed in this folder.`,
      body: "Messages you send are queued until you trust the folder.",
    },
    noSandbox: {
      label: "Sandbox unavailable",
      strong: (who: string) => `VoxPilot hasn't started ${who} because ${who} can't run in the sandbox.`,
      off: "Turn off the sandbox",
      settings: "Sandbox settings",
    },
    noAccess: {
      label: "No Copilot access",
      strong: (login: string) => `${login || "This account"} has no Copilot access.`,
      body: "Sign in with an account that has a Copilot plan, or check again once Copilot is turned on for this account.",
      another: "Use another account",
    },
    locked: {
      label: "Keychain locked",
      strong: "The system keychain is locked.",
      body: "Unlock it so VoxPilot can read your sign-in.",
    },
    offline: {
      label: "Offline",
      strong: "You're offline.",
      body: "Messages you send are queued until you're back online. You can still read your chats.",
    },
    missing: {
      label: "Copilot CLI not found",
      strong: "Copilot CLI wasn't found.",
      before: "Install it with ",
      after: ", or choose its executable if it's already installed somewhere else.",
      searched: "Locations searched",
    },
    tooOld: {
      label: "Copilot CLI too old",
      strong: (found: string) => `Copilot CLI ${found} is too old.`.replace("  ", " "),
      before: (min: string) => `VoxPilot needs ${min} or newer. Run `,
      after: " in a terminal, then check again.",
    },
    folderGone: {
      label: "Folder not found",
      strong: (path: string) => `The folder ${path} no longer exists.`,
      body: "It may have been moved or deleted. Locate it to continue.",
      locate: "Locate folder…",
    },
    reconnecting: {
      label: "Reconnecting",
      strong: (who: string) => `${who} stopped unexpectedly.`,
      body: (attempt: number, max: number, left: string) =>
        `Reconnecting, attempt ${attempt} of ${max}.${left ? ` Next try in ${left}.` : ""}`,
      now: "Reconnect now",
    },
    gaveUp: {
      label: (who: string) => `Couldn't restart ${who}`,
      strong: (who: string) => `Couldn't restart ${who}.`,
      body: (times: number, how: string) =>
        times === 1
          ? `It stopped${how === "" ? "" : ` with ${how}`}. Your chat is saved.`
          : `It stopped ${times} times in a row${how === "" ? "" : `, most recently with ${how}`}. Your chat is saved.`,
    },
    exitedStart: {
      body: (how: string) => `It exited immediately${how === "" ? "" : ` with ${how}`}. Your chat is saved.`,
    },
    failed: {
      label: (who: string) => `Couldn't start ${who}`,
      strong: (who: string) => `Couldn't start ${who}.`,
      saved: "Your chat is saved.",
    },
    provider: {
      label: "Model or agent not set up",
      strong: "The model or agent for this chat is no longer set up.",
      body: "Set it up again in Settings, or choose another one to continue from a summary of this chat. Your chat is saved.",
      other: "Choose another…",
    },
    exitCode: (code: number) => `exit code ${code}`,
    signal: (name: string) => `signal ${name}`,
    showLog: "Show log",
    hideLog: "Hide log",
    stderr: "Agent log",
  },
} as const;
