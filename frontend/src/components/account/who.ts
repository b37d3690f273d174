// Short names of the account, for a single line.

import { words } from "../../i18n";
import { isSignedIn, needOf } from "../../state/account";
import type { Account } from "../../state/types";

const w = words.account;

/** whoOf returns the login, or a substitute if it is unknown. */
export function whoOf(account: Account): string {
  if (account.login) return account.login;
  if (account.state === "unknown") return w.looking;
  if (account.state === "signed_out") return w.nobody;
  if (account.state === "own" || account.source === "cli") {
    return account.state === "own" && !account.login ? w.ownUnsure : w.ownLogin;
  }
  return account.source ? w.someone : w.nobody;
}

/** hasSomeone reports whether there is a sign-in, even an invalid one. */
export function hasSomeone(account: Account): boolean {
  return isSignedIn(account) || (account.source !== undefined && needOf(account) !== undefined);
}

/** initials returns the substitute for a missing picture: OC for octocat, AB for anna-bell. */
export function initials(login: string): string {
  const parts = login.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  const [first = "", second] = parts;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join("").toUpperCase();
}
