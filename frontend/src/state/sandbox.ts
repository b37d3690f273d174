// The sandbox: whether a chat's commands run in it, the sites that they may reach, and the lists in the
// settings.

import type { State } from "./state";
import type { Sandbox, SandboxNetwork, SandboxSettings, SandboxStatus } from "./types";

/**
 * isPossible reports whether an agent's commands can run in the sandbox. They can't if VoxPilot only connects
 * to the agent instead of starting it.
 */
export function isPossible(state: State, agentId: string): boolean {
  return !state.profiles[agentId]?.address;
}

/**
 * isWhole reports whether the sandbox always contains the whole agent rather than only its commands. This is the case
 * for custom agents.
 */
export function isWhole(state: State, agentId: string): boolean {
  return state.profiles[agentId] !== undefined;
}

/** isOffered reports whether the sandbox works on this computer for an agent's commands. */
export function isOffered(state: State, agentId: string): boolean {
  return state.sandbox.state === "ready" && isPossible(state, agentId);
}

/**
 * isSandboxed reports whether an agent's commands run only in the sandbox. If the sandbox doesn't work, such commands
 * don't run at all.
 */
export function isSandboxed(state: State, agentId: string, sandbox: Sandbox | undefined): boolean {
  return sandbox?.on === true && isPossible(state, agentId);
}

/** newChatSandbox returns the sandbox options of a new chat according to the settings. */
export function newChatSandbox(state: State, agentId: string): Sandbox {
  const { newChats } = state.settings.sandbox;
  return newChats && isOffered(state, agentId) && !isWhole(state, agentId) ? { on: true } : {};
}

/**
 * areSameSandbox reports whether the user's choices in two sets of sandbox options are equal. An absent field equals
 * its default. `masked` isn't compared, because the user doesn't choose it: the answer to a trust request sets it.
 */
export function areSameSandbox(a: Sandbox | undefined, b: Sandbox | undefined): boolean {
  const fields = (of: Sandbox | undefined) =>
    JSON.stringify([
      of?.on ?? false,
      of?.onlyFolder ?? false,
      of?.network ?? "",
      of?.write ?? [],
      of?.sites ?? [],
      of?.wholeAgent ?? false,
    ]);
  return fields(a) === fields(b);
}

/**
 * withChoices returns the sandbox options of a chat with the user's new choices. If the chat's folder was opened
 * without running its code, `masked` stays set as long as the sandbox is on.
 */
export function withChoices(now: Sandbox | undefined, choices: Sandbox): Sandbox {
  return now?.masked && choices.on ? { ...choices, masked: true } : choices;
}

/**
 * networkOf returns the network access of a chat's sandbox. If the chat doesn't set it, the settings apply.
 */
export function networkOf(state: State, sandbox: Sandbox): SandboxNetwork {
  return sandbox.network || state.settings.sandbox.network;
}

/**
 * foundSites returns the hosts that package managers are configured to use, and for each host the tools that use it.
 * Blocked hosts are left out.
 */
export function foundSites(
  status: SandboxStatus,
  settings: SandboxSettings,
): { host: string; tools: string[] }[] {
  const hosts = new Map<string, string[]>();
  for (const { host, tool } of status.sites ?? []) {
    if (settings.blockedSites?.includes(host)) continue;
    hosts.set(host, [...new Set([...(hosts.get(host) ?? []), tool])]);
  }
  return [...hosts].map(([host, tools]) => ({ host, tools }));
}

/** isFindingSites reports whether the hosts that package managers use are still being determined. */
export function isFindingSites(status: SandboxStatus): boolean {
  return !status.sitesKnown && status.state !== "unavailable";
}

/** sitesOf returns all sites that a chat's commands may reach, without duplicates. */
export function sitesOf(state: State, sandbox: Sandbox): string[] {
  const { settings } = state;
  const found = foundSites(state.sandbox, settings.sandbox).map(({ host }) => host);
  return [...new Set([...(sandbox.sites ?? []), ...(settings.sandbox.sites ?? []), ...found])];
}

/** maxNamedSites is the maximum number of sites named in a sentence. */
const maxNamedSites = 3;

/** namedSites returns the sites to name in a sentence, and the number of sites left out. */
export function namedSites(sites: readonly string[]): { names: string[]; more: number } {
  // A single site is never left out: its name takes no more space than the number would.
  const most = sites.length === maxNamedSites + 1 ? sites.length : maxNamedSites;
  return { names: sites.slice(0, most), more: Math.max(0, sites.length - most) };
}

/** shortHost returns a "host:port" without the port if that is 80 or 443. */
export function shortHost(address: string): string {
  return address.replace(/:(?:443|80)$/, "");
}

/** maxPort is the highest port number. */
const maxPort = 65535;

/** portFrom returns the port that the user typed, or undefined if the text isn't a port. */
export function portFrom(typed: string): number | undefined {
  const port = Number(typed.trim());
  return /^\d+$/.test(typed.trim()) && port >= 1 && port <= maxPort ? port : undefined;
}

/**
 * siteFrom returns the typed text as a site in the settings' notation, or undefined if it isn't a site. A
 * site is a host or "*.host" with an optional port; without a port, it covers ports 80 and 443. Letters
 * outside ASCII are converted to Punycode.
 */
export function siteFrom(typed: string): string | undefined {
  const [, text = "", typedPort] = /^(.*?)(?::([^:]*))?$/.exec(typed.trim().toLowerCase()) ?? [];
  const port = typedPort === undefined ? undefined : portFrom(typedPort);
  if (typedPort !== undefined && port === undefined) return undefined;
  const isBelow = text.startsWith("*.");
  const host = (isBelow ? text.slice(2) : text).replace(/\.$/, "");
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(host) || host.split(".").includes("")) return undefined;
  if (!URL.canParse(`http://${host}/`)) return undefined;
  const { hostname } = new URL(`http://${host}/`);
  // A number such as 123 would be read as an address.
  const isAddress = /^[\d.]+$/.test(hostname);
  if (isAddress && hostname !== host) return undefined;
  if (isBelow && (isAddress || !hostname.includes("."))) return undefined;
  return `${isBelow ? "*." : ""}${hostname}${port === undefined ? "" : `:${port}`}`;
}
