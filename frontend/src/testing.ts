// Shared helpers for component tests: a fake app that records calls, and functions that apply events to
// the store the way the stream does.

import { vi } from "vitest";
import type { App } from "./calls";
import { sink } from "./state/store";
import type { Account, Chat, Event, SignIn } from "./state/types";

/** stubApp installs a fake app with the given methods; the promises of all other methods resolve to undefined. */
export function stubApp(answers: Partial<App> = {}) {
  const calls: { method: string; args: unknown[] }[] = [];
  const app = new Proxy({} as App, {
    get:
      (_, method: string) =>
      (...args: unknown[]) => {
        calls.push({ method, args });
        const answer = answers[method as keyof App] as ((...a: unknown[]) => Promise<unknown>) | undefined;
        return answer ? answer(...args) : Promise.resolve();
      },
  });
  window.go = { main: { App: app } };
  return {
    calls,
    /** Returns the arguments of every call to a method. */
    of: (method: keyof App) => calls.filter((call) => call.method === method).map((call) => call.args),
  };
}

/** resetState resets the window's state and then applies the given events. */
export function resetState(...events: Event[]): void {
  sink.reset(events);
}

/** applyEvents applies events to the window's state. */
export function applyEvents(...events: Event[]): void {
  sink.apply(events);
}

/** stubFolders answers requests for /data/folder: the given paths exist, all others don't. */
export function stubFolders(known: Record<string, { branch?: string; changed?: number }>): void {
  vi.stubGlobal("fetch", (input: string) => {
    const url = new URL(input, "http://app");
    const path = url.searchParams.get("path") ?? "";
    const facts = known[path];
    const name = path.split("/").at(-1) ?? "";
    return Promise.resolve(
      Response.json({
        path,
        name,
        exists: facts !== undefined,
        branch: "",
        changed: 0,
        message: "",
        ...facts,
      }),
    );
  });
}

/** chatEvent returns the event for a chat whose fields have default values unless `more` sets them. */
export function chatEvent(id: string, more: Partial<Chat> = {}): Event {
  return {
    chat: {
      id,
      title: id,
      folder: "/home/anna/code/orbit-api",
      providerId: "copilot",
      permissionMode: "ask",
      createdAt: 1,
      updatedAt: 1,
      ...more,
    },
  };
}

/** cliFound is the event that reports a usable Copilot CLI. */
export const cliFound: Event = {
  cli: { state: "found", path: "/usr/local/bin/copilot", version: "1.0.102", min: "1.0.78" },
};

/** signedOut returns the event for a signed-out account that can request a sign-in code. */
export const signedOut = (more: Partial<Account> = {}): Event => ({
  account: { state: "signed_out", host: "github.com", deviceFlow: true, ...more },
});

/** signedIn returns the event for an account that signed in with VoxPilot. */
export const signedIn = (more: Partial<Account> = {}): Event => ({
  account: {
    state: "valid",
    host: "github.com",
    login: "octocat",
    source: "stored",
    kind: "device",
    key: "keychain",
    keychain: "Secret Service",
    checkedAt: Date.now() - 120_000,
    deviceFlow: true,
    found: ["stored"],
    ...more,
  },
});

/** codeSignIn returns the event for a sign-in that is waiting for the user to enter a code. */
export const codeSignIn = (more: Partial<SignIn> = {}): Event => ({
  signIn: {
    state: "waiting",
    code: "7K4P-QX2M",
    url: "https://github.com/login/device",
    expiresAt: Date.now() + 872_000,
    ...more,
  },
});

/** stubBrowser stubs browser APIs that jsdom lacks. */
export function stubBrowser(): void {
  vi.stubGlobal("matchMedia", (media: string) => ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollTo = () => {};
}
