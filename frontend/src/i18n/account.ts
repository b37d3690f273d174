// Strings for the account: sign-in, sign-out and user details.

import type { Account, TokenSource } from "../state/types";

/** variable returns the name of the environment variable that contains a token. */
const variable = (account: Account) => account.variable || "an environment variable";

/** Labels of the token sources in a list. */
const names: Record<TokenSource, string> = {
  env: "Environment variable",
  stored: "VoxPilot sign-in",
  gh: "GitHub CLI (gh)",
  cli: "Copilot CLI login",
};

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const account = {
  menu: (who: string) => `Account: ${who}`,
  needed: "sign-in needed",
  notSignedIn: "Not signed in",
  checkingSignIn: "Checking whether you're signed in…",
  ownLogin: "Copilot CLI login",
  /** Shown if the CLI doesn't report whether the user is signed in to it. */
  ownUnsure: "Sign-in status unknown",
  unknownAccount: "GitHub account",
  settings: "Account settings",
  checkNow: "Check now",
  checking: "Checking…",
  signIn: "Sign in to GitHub",
  signInMore: "Sign in to GitHub…",
  /** Heading in place of signIn if a sign-in was found on this computer. */
  continueWith: "Continue with GitHub",
  another: "Use another account",
  anotherMore: "Use another account…",
  signOut: "Sign out",
  signOutMore: "Sign out…",

  /** The source of a sign-in, shown on its own. */
  from: (account: Account) => {
    switch (account.source) {
      case "env":
        return account.variable
          ? `From the environment variable ${account.variable}`
          : "From an environment variable";
      case "stored":
        return account.kind === "token" ? "Signed in with a token you pasted" : "Signed in with VoxPilot";
      case "gh":
        return "From GitHub CLI (gh)";
      case "cli":
        return "Copilot CLI login";
      default:
        return "";
    }
  },
  /** The time that has passed, for example since the last check with GitHub. */
  ago: (millis: number) => {
    const minutes = Math.floor(millis / 60_000);
    if (minutes < 1) return "a moment ago";
    if (minutes < 60) return `${plural(minutes, "minute", "minutes")} ago`;
    const hours = Math.floor(minutes / 60);
    return hours < 24
      ? `${plural(hours, "hour", "hours")} ago`
      : `${plural(Math.floor(hours / 24), "day", "days")} ago`;
  },
  /** Result of the last check, in a few words. */
  checked: (account: Account) => {
    switch (account.state) {
      case "valid":
        return "valid";
      case "no_access":
        return "valid, but no Copilot access";
      case "expired":
        return "rejected by GitHub";
      case "wrong_kind":
        return "unsupported token type";
      default:
        return "not confirmed";
    }
  },
  neverChecked: "Not checked yet",
  notChecked: "Not checked by VoxPilot",

  /** stateSentence formats the state as a sentence. */
  stateSentence: (state: string) => `${state}.`,
  state: (account: Account) => {
    switch (account.state) {
      case "valid":
        return `Signed in to ${account.host}`;
      case "unverified":
        return `Signed in to ${account.host} (not confirmed)`;
      case "own":
        return account.login
          ? "Copilot CLI is signed in with its own login"
          : "Copilot CLI doesn't report whether it's signed in";
      case "no_access":
        return `Signed in to ${account.host}, but this account has no Copilot access`;
      case "expired":
        return "GitHub no longer accepts this sign-in";
      case "wrong_kind":
        return "Copilot doesn't support this type of token";
      case "locked":
        return "The system keychain is locked";
      case "signed_out":
        return "Copilot needs a GitHub account with a Copilot plan";
      default:
        return "Checking whether you're signed in on this computer…";
    }
  },
  /** Shown where the user can sign in again, for a sign-in that GitHub no longer accepts. */
  expired: "Your GitHub sign-in has expired. Sign in again.",
  expiredGH:
    "GitHub no longer accepts the token from gh. Run “gh auth login” in a terminal, then choose “Use GitHub CLI (gh)” again, or sign in another way.",
  check: "Sign-in check",
  checkFact: (last: string) => `VoxPilot checks your sign-in every time it starts Copilot. ${last}`,
  checkLast: (ago: string, result: string) => `Last checked ${ago}: ${result}.`,
  checkNever: "Not checked yet.",
  checkOwn: "Copilot CLI manages this sign-in. VoxPilot can't tell whether it's valid.",
  checkNone: "You're not signed in on this computer.",

  storedIn: "Sign-in storage",
  storage: (account: Account) => {
    const keychain = account.keychain ? `System keychain (${account.keychain})` : "System keychain";
    switch (account.source) {
      case "env":
        return `In ${account.variable ? `the environment variable ${account.variable}` : variable(account)}. VoxPilot reads it but doesn't store a copy.`;
      case "gh":
        return `Managed by GitHub CLI. VoxPilot gets the sign-in from ${account.program || "gh"} and doesn't store a copy.`;
      case "cli":
        return "Managed by Copilot CLI. VoxPilot never sees it.";
      default:
        if (account.state === "locked")
          return `${keychain}. It's locked. Unlock it, then choose “Check now”.`;
        if (account.key === "memory") {
          return "In memory only, because the system keychain isn't available. Your sign-in is never written to a file and is forgotten when VoxPilot quits.";
        }
        if (account.key === "missing")
          return "Your sign-in is no longer in the system keychain. Sign in again.";
        return `${keychain}. Your sign-in is never written to the database or to logs.`;
    }
  },
  protected: "Protected",
  untilQuit: "Until you quit",
  lockedTag: "Locked",
  missing: "Missing",
  external: "Managed elsewhere",
  until: "Valid until",

  signInToUse: "Sign-in method",
  usedFact:
    "“Automatic” uses the first sign-in method that VoxPilot finds. If GitHub rejects it, VoxPilot won't try another one.",
  automatic: "Automatic",
  name: (source: TokenSource, account: Account) =>
    source === "env" && account.variable ? `Environment variable ${account.variable}` : names[source],
  notFound: (name: string) => `${name} (not found)`,
  codeSignIn: "Sign-in with a code",
  clientId: "OAuth client ID",
  clientIdFact: "The ID of the OAuth app that requests the code. Leave empty to use VoxPilot's own.",
  clientIdFactNone:
    "This build doesn't include a client ID. To sign in with a code, enter the client ID of your own OAuth app.",
  clientIdPlaceholder: "Built in",
  clientIdPlaceholderNone: "for example Ov23li…",

  out: {
    stored: {
      title: (who: string) => `Sign out of ${who}?`,
      body: "Copilot will stop in every chat, and your sign-in will be removed from this computer. Your chats will be kept.",
    },
    cli: {
      title: "Sign out of Copilot CLI?",
      body: "Copilot will stop in every chat. You'll also be signed out in the terminal, because VoxPilot and the terminal use the same login. Your chats will be kept.",
    },
    env: {
      title: (account: Account) => `You're signed in through ${variable(account)}`,
      body: "VoxPilot doesn't store the token, so there's nothing to remove here. Unset the variable and restart VoxPilot, or choose another sign-in method in Settings.",
    },
    gh: {
      title: "You're signed in through GitHub CLI",
      body: "VoxPilot doesn't store the token, so there's nothing to remove here. Sign out of gh in a terminal, or choose another sign-in method in Settings.",
      command: (host: string) => `gh auth logout --hostname ${host}`,
    },
    confirm: "Sign out",
    choose: "Choose another method",
    close: "Close",
  },

  dialog: {
    title: (host: string) => (host === "github.com" ? "Sign in to GitHub" : `Sign in to ${host}`),
    signedIn: (who: string) => `Signed in as ${who}.`,
    signedInOwn: "Copilot CLI is signed in.",
  },
  code: {
    open: "Open ",
    type: " and enter this code.",
    label: (code: string) => `Sign-in code ${code}`,
    copyAndOpen: "Copy code and open GitHub",
    copy: "Copy code",
    again: "Get a new code",
    status: "Sign-in status",
    starting: "Asking GitHub for a code…",
    waiting: "Waiting for your approval on GitHub.",
    works: (left: string) => `The code expires in ${left}.`,
    /** The remaining time in minutes, for screen readers, which aren't notified every second. */
    minutes: (n: number) => (n <= 1 ? "less than a minute" : `${n} minutes`),
    expired: "The code has expired.",
    denied: "The sign-in wasn't approved on GitHub.",
    unreachable: "Can't reach GitHub.",
    failed: "Sign-in failed.",
    done: "Signed in.",
  },
  cli: {
    body: "Copilot CLI handles this sign-in. Follow its instructions below.",
    output: "Copilot CLI output",
    starting: "Starting Copilot CLI…",
    waiting: "Waiting for the sign-in to finish.",
    again: "Try again",
    cancel: "Cancel",
    open: "Open in browser",
    copy: "Copy address",
  },
  token: {
    body: "Use a fine-grained token with the “Copilot Requests” permission. VoxPilot never writes it to a file. It's stored in the system keychain, or only in memory if there's no keychain.",
    make: "Create a token on GitHub",
    label: "Token",
    save: "Sign in",
    checking: "Verifying with GitHub…",
    empty: "Paste a token to continue.",
    classic:
      "Copilot doesn't support classic tokens (ghp_). Create a fine-grained token with the “Copilot Requests” permission.",
    back: "Back",
  },
  ways: {
    title: "Other ways to sign in",
    first: "Choose how to sign in.",
    /** Shown if no client ID is built in, so that VoxPilot can't request a code. */
    noCode:
      "This build of VoxPilot can't sign you in through a browser, but Copilot CLI can. It opens your browser or shows a code to enter on GitHub.",
    noCodeNoCLI:
      "This build of VoxPilot can't sign you in through a browser. Choose another way to continue.",
    withCLI: "Sign in with Copilot CLI",
    code: "Sign in with a code",
    codeFact: "Enter a short code on GitHub in your browser.",
    token: "Paste a token",
    tokenFact: "A fine-grained token with the “Copilot Requests” permission.",
    cli: "Use the Copilot CLI login",
    cliFact: "Copilot CLI signs you in and stores the sign-in. VoxPilot can't check it.",
    /** Shown beside withCLI if Copilot CLI has a login that the user can use instead. */
    cliAnother: "Use a different account. Copilot CLI opens your browser or shows a code.",
    cliFound: "Already signed in, but VoxPilot can't tell whether the sign-in is still valid.",
    gh: "Use GitHub CLI (gh)",
    ghFact: "Already signed in on this computer.",
    own: "Use your own model",
    ownFact: "No GitHub account needed.",
  },
  locked: {
    strong: "The system keychain is locked.",
    body: "Unlock it so VoxPilot can read your sign-in.",
    again: "Try again",
  },
  found: {
    title: (who: string) => `Signed in as ${who}`,
    titleOwn: "Copilot CLI is signed in",
    /**
     * titleOwnUnsure and bodyOwnUnsure are used if the CLI doesn't report whether the user is signed in
     * to it.
     */
    titleOwnUnsure: "Using the Copilot CLI login",
    body: (account: Account) => {
      const how = () => {
        switch (account.source) {
          case "env":
            return account.variable
              ? ` with the token in ${account.variable}`
              : " with a token in an environment variable";
          case "gh":
            return " through GitHub CLI (gh)";
          default:
            return account.kind === "token" ? " with a token you pasted" : "";
        }
      };
      const signedIn = `You're already signed in to ${account.host}${how()}.`;
      return account.state === "unverified" ? `${signedIn} GitHub hasn't confirmed this yet.` : signedIn;
    },
    bodyOwn: "Copilot CLI manages its own sign-in. VoxPilot can't tell whether it's still valid.",
    bodyOwnUnsure: "Copilot CLI manages its own sign-in. VoxPilot can't tell whether you're signed in.",
    continueAs: (who: string) => `Continue as ${who}`,
    continueOwn: "Continue",
    another: "Use another account",
    checked: "Verified with GitHub",
    unchecked: "Couldn't verify with GitHub",
  },
  memory: "The system keychain isn't available, so VoxPilot will forget your sign-in when it quits.",
} as const;
