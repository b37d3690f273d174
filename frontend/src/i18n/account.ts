// Words of the account: signing in, signing out, and what is known of the user.

import type { Account, TokenSource } from "../state/types";

/** variable names the environment variable that a token comes from. */
const variable = (account: Account) => account.variable || "an environment variable";

/** What each source is called in a list to choose from. */
const names: Record<TokenSource, string> = {
  env: "Environment variable",
  stored: "Signed in with VoxPilot",
  gh: "GitHub CLI (gh)",
  cli: "Copilot CLI's own login",
};

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const account = {
  menu: (who: string) => `Account: ${who}`,
  needed: "sign in needed",
  nobody: "Not signed in",
  looking: "Looking for a sign-in…",
  ownLogin: "Copilot CLI's own login",
  /** Where the CLI does not say whether it has a login. */
  ownUnsure: "Sign-in not known",
  someone: "GitHub account",
  settings: "Account settings",
  checkNow: "Check now",
  checking: "Checking…",
  signIn: "Sign in to GitHub",
  signInMore: "Sign in to GitHub…",
  another: "Use another account",
  anotherMore: "Use another account…",
  signOut: "Sign out",
  signOutMore: "Sign out…",

  /** Where a sign-in comes from, as a fact of its own. */
  from: (account: Account) => {
    switch (account.source) {
      case "env":
        return account.variable ? `From the variable ${account.variable}` : "From an environment variable";
      case "stored":
        return account.kind === "token" ? "Signed in with a token you pasted" : "Signed in with VoxPilot";
      case "gh":
        return "From GitHub CLI (gh)";
      case "cli":
        return "Copilot CLI's own login";
      default:
        return "";
    }
  },
  /** How long ago GitHub was asked. */
  ago: (millis: number) => {
    const minutes = Math.floor(millis / 60_000);
    if (minutes < 1) return "a moment ago";
    if (minutes < 60) return `${plural(minutes, "minute", "minutes")} ago`;
    const hours = Math.floor(minutes / 60);
    return hours < 24
      ? `${plural(hours, "hour", "hours")} ago`
      : `${plural(Math.floor(hours / 24), "day", "days")} ago`;
  },
  /** What came of the last check, in a word or two. */
  checked: (account: Account) => {
    switch (account.state) {
      case "valid":
        return "valid";
      case "no_access":
        return "valid, without Copilot access";
      case "expired":
        return "refused by GitHub";
      case "wrong_kind":
        return "not a kind that Copilot takes";
      default:
        return "without an answer";
    }
  },
  neverChecked: "Not checked yet",
  notChecked: "Not checked by VoxPilot",

  /** The two lines at the top of the page: who, and how it stands. */
  /** stateSaid is that as a sentence. */
  stateSaid: (state: string) => `${state}.`,
  state: (account: Account) => {
    switch (account.state) {
      case "valid":
        return `Signed in to ${account.host}`;
      case "unverified":
        return `Signed in to ${account.host}, as far as is known`;
      case "own":
        return account.login
          ? "The Copilot CLI is signed in by itself"
          : "The Copilot CLI does not say whether it is signed in";
      case "no_access":
        return `Signed in to ${account.host}, without Copilot access`;
      case "expired":
        return "GitHub does not accept this sign-in any more";
      case "wrong_kind":
        return "Copilot does not take this kind of token";
      case "locked":
        return "The system keychain is locked";
      case "signed_out":
        return "Copilot needs a GitHub account with a Copilot plan";
      default:
        return "Looking for a sign-in on this computer…";
    }
  },
  check: "Sign-in check",
  checkFact: (last: string) => `Checked before every reconnect. ${last}`,
  checkLast: (ago: string, result: string) => `Last check ${ago}, ${result}.`,
  checkNever: "Not checked yet.",
  checkOwn: "The Copilot CLI keeps this sign-in to itself, so VoxPilot cannot check it.",
  checkNobody: "No sign-in was found on this computer.",

  kept: "Where the sign-in is kept",
  keptIn: (account: Account) => {
    const keychain = account.keychain ? `System keychain (${account.keychain})` : "System keychain";
    switch (account.source) {
      case "env":
        return `In ${account.variable ? `the environment variable ${account.variable}` : variable(account)}. VoxPilot reads it and keeps no copy.`;
      case "gh":
        return `GitHub CLI keeps it. VoxPilot asks ${account.program || "gh"} for it and keeps no copy.`;
      case "cli":
        return "The Copilot CLI keeps it. VoxPilot never sees it.";
      default:
        if (account.state === "locked") return `${keychain}. It is locked: unlock it, then try again.`;
        if (account.key === "memory") {
          return "In memory only, since no system keychain answers. It is never written to a file, and is forgotten when VoxPilot quits.";
        }
        if (account.key === "missing") return "It is not in the system keychain any more. Sign in again.";
        return `${keychain}. It is never written to the database or to logs.`;
    }
  },
  protected: "Protected",
  untilQuit: "Until you quit",
  lockedTag: "Locked",
  gone: "Missing",
  elsewhere: "Kept elsewhere",
  until: "Valid until",

  used: "Which sign-in is used",
  usedFact: "Automatic takes the first that is there, and never another when GitHub refuses it.",
  automatic: "Automatic",
  name: (source: TokenSource, account: Account) =>
    source === "env" && account.variable ? `Variable ${account.variable}` : names[source],
  notThere: (name: string) => `${name} (not there)`,
  byCode: "Sign-in by code",
  clientId: "OAuth client ID",
  clientIdFact:
    "Of the OAuth app that asks for the code. Leave it empty for the one that came with VoxPilot.",
  clientIdFactNone:
    "VoxPilot came without one. With the ID of an OAuth app of yours, you can sign in by code.",
  clientIdPlaceholder: "Built in",
  clientIdPlaceholderNone: "for example Ov23li…",

  out: {
    stored: {
      title: (who: string) => `Sign out of ${who}?`,
      body: "Copilot stops in every chat, and the sign-in is removed from this computer. Your chats stay as they are.",
    },
    cli: {
      title: "Sign out of the Copilot CLI?",
      body: "This signs your terminal out as well, since both share one login. Your chats stay as they are.",
    },
    env: {
      title: (account: Account) => `This sign-in comes from ${variable(account)}`,
      body: "VoxPilot keeps no copy of it, so there is nothing to remove here. Unset the variable where it is set and start VoxPilot again, or choose another sign-in in the settings.",
    },
    gh: {
      title: "This sign-in comes from GitHub CLI",
      body: "VoxPilot keeps no copy of it, so there is nothing to remove here. Sign out of gh in a terminal, or choose another sign-in in the settings.",
      command: (host: string) => `gh auth logout --hostname ${host}`,
    },
    confirm: "Sign out",
    choose: "Choose another",
    close: "Close",
  },

  dialog: {
    title: (host: string) => (host === "github.com" ? "Sign in to GitHub" : `Sign in to ${host}`),
    signedIn: (who: string) => `Signed in as ${who}.`,
    signedInOwn: "The Copilot CLI is signed in.",
  },
  code: {
    open: "Open ",
    type: " and type this code.",
    label: (code: string) => `Sign-in code ${code}`,
    copyAndOpen: "Copy code and open GitHub",
    copy: "Copy code",
    again: "Get a new code",
    status: "Sign-in status",
    starting: "Asking GitHub for a code…",
    waiting: "Waiting for GitHub.",
    works: (left: string) => `The code works for another ${left}.`,
    /** For screen readers, which are not told every second. */
    minutes: (n: number) => (n <= 1 ? "less than a minute" : `${n} minutes`),
    expired: "The code has expired.",
    denied: "GitHub did not approve the sign-in.",
    unreachable: "GitHub cannot be reached.",
    failed: "The sign-in did not work.",
    done: "Signed in.",
  },
  cli: {
    body: "The Copilot CLI signs in by itself. Do what it says here.",
    output: "What the Copilot CLI says",
    starting: "Starting the Copilot CLI…",
    waiting: "Waiting for the Copilot CLI.",
    again: "Try again",
    cancel: "Cancel",
    open: "Open in browser",
    copy: "Copy address",
  },
  token: {
    body: "A fine-grained token with the permission “Copilot Requests”. It goes into the system keychain and nowhere else.",
    make: "Make one at GitHub",
    label: "Token",
    save: "Sign in",
    checking: "Asking GitHub…",
    empty: "Paste the token first.",
    classic:
      "This is a classic token (ghp_), which Copilot takes from nobody. Make a fine-grained one with the permission “Copilot Requests”.",
    back: "Back",
  },
  ways: {
    title: "Other ways",
    first: "Choose how to sign in. VoxPilot asks GitHub before every start whether the sign-in still works.",
    /** Where no client ID is built in, so VoxPilot cannot ask for a code itself. */
    noCode:
      "This build of VoxPilot has no browser sign-in of its own. Copilot CLI has one: it opens your browser, or shows a code to enter at GitHub.",
    noCodeNoCLI:
      "This build of VoxPilot has no browser sign-in of its own. Paste a token, or use your own model.",
    led: "Sign in with Copilot CLI",
    code: "Sign in with a code",
    codeFact: "Type a short code at GitHub, in your browser.",
    token: "Paste a token",
    tokenFact: "A fine-grained token with the permission “Copilot Requests”.",
    cli: "Use the Copilot CLI's own login",
    cliFact: "Copilot signs in by itself. VoxPilot cannot check it.",
    cliFound: "It is signed in already. VoxPilot cannot check it.",
    gh: "Use gh",
    ghFact: "GitHub CLI is signed in on this computer.",
    own: "Use your own model",
    ownFact: "No account is needed.",
  },
  locked: {
    strong: "The system keychain is locked.",
    body: "Unlock it so VoxPilot can read your sign-in.",
    again: "Try again",
  },
  found: {
    title: (who: string) => `Signed in as ${who}`,
    titleOwn: "The Copilot CLI is signed in",
    body: (host: string, from: string) => `VoxPilot found this sign-in to ${host}. ${from}.`,
    bodyOwn: "It uses its own login, which VoxPilot cannot check.",
    go: (who: string) => `Continue as ${who}`,
    goOwn: "Continue",
    another: "Use another account",
    checked: "Checked with GitHub",
    unchecked: "GitHub could not be asked",
  },
  memory: "No system keychain answers: this sign-in is forgotten when VoxPilot quits.",
} as const;
