// Short names for the account that fit on one line.

import { messages } from "../../i18n";
import { isSignedIn, needOf } from "../../state/account";
import type { Account } from "../../state/types";

const t = messages.account;

/** accountName returns the account's login, or a substitute if the login is unknown. */
export function accountName(account: Account): string {
  if (account.login) return account.login;
  if (account.state === "unknown") return t.checkingSignIn;
  if (account.state === "signed_out") return t.notSignedIn;
  if (account.state === "own" || account.source === "cli") {
    return account.state === "own" && !account.login ? t.ownUnsure : t.ownLogin;
  }
  return account.source ? t.unknownAccount : t.notSignedIn;
}

/** hasSignIn reports whether there is a sign-in, even an invalid one. */
export function hasSignIn(account: Account): boolean {
  return isSignedIn(account) || (account.source !== undefined && needOf(account) !== undefined);
}

/** initials returns the letters shown if the account has no picture: OC for octocat, AB for anna-bell. */
export function initials(login: string): string {
  const parts = login.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  const [first = "", second] = parts;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join("").toUpperCase();
}
