// Strings for the sandbox: its controls, its settings, and the commands that it blocked.

import { count } from "../lib/format";

const and = (names: string[]) =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const sandbox = {
  /** The name of the permission mode on its button while the sandbox is on. */
  named: (mode: string) => `${mode}, sandbox on`,
  run: "Run commands in a sandbox",
  /** Shown below the switch while it is off. */
  recommended:
    "Recommended. Commands can't read your secrets and can write only to this folder and the temp folder.",
  recommendedAgent: (who: string) =>
    `Recommended. ${who} can't read your secrets and can write only to this folder and the temp folder.`,
  turnedOn: "Sandbox on",
  turnedOff: "Sandbox off",
  mayWrite: "Write access",
  write: { temp: "This folder and temp", folder: "This folder only", more: "More…" },
  network: "Network",
  networks: { off: "Off", sites: "Some sites", on: "On" },
  /**
   * Lists all sites. If there are too many, sitesBefore lists the first ones, and sitesMore is a link
   * with the number of the others.
   */
  sites: (names: string[]) => and(names),
  sitesBefore: (names: string[]) => `${names.join(", ")} and `,
  sitesMore: (n: number) => `${n} more`,
  noSites: "No sites yet.",
  findingSites: "Looking up your package managers' sites…",
  addSites: "Add sites",
  /** Descriptions of the permission modes while the sandbox is on. */
  modeBodies: {
    accept_edits: "Allows edits in the folder and commands in the sandbox. Asks about everything else.",
    bypass:
      "Runs commands in the sandbox. Asks only about unclear requests, protected files and files outside the folder.",
    bypassOutside: "Runs commands in the sandbox. Asks only about unclear requests and protected files.",
  },
  /** Replaces the warning before "Allow everything" while the sandbox is on. */
  allowBody: (who: string, askOutside: boolean) =>
    `${who} will edit files, run commands in the sandbox and open web addresses without asking. Your “Never allow” rules still apply. ${
      askOutside
        ? "You'll still be asked about unclear requests, protected files and files outside the folder."
        : "You'll still be asked about unclear requests and protected files."
    } You can switch back to “Ask first” at any time.`,
  leave: {
    title: "Turn off the sandbox?",
    body: (who: string) =>
      `This chat allows everything. Without the sandbox, ${who} will run commands with your permissions on this computer and won't ask first.`,
    confirm: "Turn off",
  },
  whole: {
    label: (who: string) => `Include ${who} itself`,
    body: (who: string) =>
      `${who}'s own tools and the folder's hooks also run in the sandbox. ${who} restarts with your next message and keeps full network access to reach its model.`,
  },
  runAgent: (who: string) => `Run ${who} in a sandbox`,
  agentBody: (who: string) =>
    `${who} and everything it starts run in the sandbox. ${who} keeps full network access to reach its model.`,
  unavailable: "The sandbox isn't available on this computer.",
  notFor: (who: string) => `${who} is started outside VoxPilot, so VoxPilot can't run it in the sandbox.`,
  /** Shown in a chat that requires the sandbox. */
  refused: (problem: string) => `Commands can't run in this chat. ${problem}`,
  checking: "Testing the sandbox…",
  openSettings: "Sandbox settings",

  card: {
    inside: "Runs in the sandbox",
    leaves: "Run outside the sandbox?",
    leavesFact: "If you allow it, the command runs outside the sandbox, with your full permissions.",
    allowOutside: "Allow once outside the sandbox",
    blocked: (host: string) => `Blocked connection to ${host}`,
    /** If the command belongs to a delegated session, the session's name comes between these two. */
    tried: (who: string) => `A command from ${who}`,
    triedIn: (folder: string) => `in ${folder} is paused until you decide`,
    site: "Site",
    allowed: "Allowed sites",
    allowedSites: (names: string[], more: number) =>
      names.length === 0 ? "none" : more > 0 ? `${names.join(", ")} and ${more} more` : and(names),
    keep: "Keep blocked",
    allowSite: "Allow this site",
    siteFact: (who: string) =>
      `“Allow this site” lets this command continue and lets all commands in this chat connect to the site. If you choose “Keep blocked”, VoxPilot tells ${who} that the connection was blocked, and ${who} continues.`,
    /** The title of the request in a list of requests. */
    runsOutside: (command: string) => `Run ${command} outside the sandbox`,
    connects: (host: string) => `Connect to ${host}`,
    /** The request within a sentence such as "Copilot wants to …". */
    toConnect: (host: string) => `connect to ${host}`,
    toRunOutside: (command: string) => `run ${command} outside the sandbox`,
    toLeave: "run a command outside the sandbox",
  },

  row: {
    inside: "in the sandbox",
    blocked: (host: string, more: number) =>
      more > 0 ? `blocked: ${host} and ${more} more` : `blocked: ${host}`,
    blockedAll: (hosts: string[]) => `The sandbox blocked ${and(hosts)}.`,
    runOutside: "Run outside the sandbox…",
  },

  firstRun: {
    label: "Run commands in a sandbox",
    fact: "Recommended. Commands can't read secrets such as your SSH keys, and can write only to this folder and the temp folder.",
  },

  settings: {
    lead: "In the sandbox, Copilot's commands are isolated from the rest of this computer. File edits go through VoxPilot and follow your settings in Permissions.",
    here: "Sandbox on this computer",
    hereFact: (program: string) => `${program}. Tested when VoxPilot starts.`,
    states: {
      checking: "Testing…",
      ready: "Ready",
      limited: "Limited (not available in chats)",
      unavailable: "Not available",
    },
    test: "Test",
    fix: "To fix this, run:",
    copyFix: "Copy command",
    limits: "Limits of the sandbox on this computer",
    newChats: "Use the sandbox in new chats",
    newChatsFact: "You can change this in each chat, below the message field.",
    whenBlocked: "When something is blocked",
    whenBlockedChoices: { ask: "Ask me", keep: "Keep it blocked" },
    files: "Files",
    write: "Write access",
    writeFact:
      "The chat's folder or worktree, and the temp folder. Add other folders if your build writes to them.",
    hidden: "Hidden",
    hiddenFact: "Commands can't read these files and folders.",
    /** Shown after the user has removed default places or sites. */
    restore: "Restore the defaults",
    environment: "Environment",
    environmentFact: "Leaves out variables that look like secrets, such as *_TOKEN, *_KEY and *_SECRET.",
    leaveOut: "Leave out secrets",
    network: "Network",
    reach: "Commands can connect to",
    reachChoices: { off: "Nothing", sites: "Some sites", on: "Everything" },
    sites: "Allowed sites",
    sitesFact: "Found in your package managers' settings or added by you.",
    usedBy: (tools: string[]) => `Used by ${and(tools)}`,
    addSite: "Add a site",
    badSite: "Enter a host name such as example.com, or *.example.com for all its subdomains.",
    listed: (name: string) => `${name} is already in the list.`,
    ports: "Local ports",
    portsFact: "Servers on this computer that commands can connect to, such as a test database.",
    addPort: "Add a port",
    badPort: "Enter a number from 1 to 65535.",
    showAll: (n: number) => `Show all ${count(n)}`,
    add: "Add…",
    addTo: (list: string) => `Add to ${list}…`,
    remove: (name: string) => `Remove ${name}`,
    removed: (name: string) => `Removed ${name}`,
  },
} as const;
