// What tests of components share: an app that notes what it is asked, and
// facts put into the store as the stream does.

import { vi } from "vitest";
import type { App } from "./calls";
import { sink } from "./state/store";
import type { Account, Chat, Event, SignIn } from "./state/types";

/** standIn answers what the test gives; every other method resolves with nothing. */
export function standIn(answers: Partial<App> = {}) {
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
    /** The arguments of every call of a method. */
    of: (method: keyof App) => calls.filter((call) => call.method === method).map((call) => call.args),
  };
}

/** know makes the events given all that the window knows. */
export function know(...events: Event[]): void {
  sink.reset(events);
}

/** learn adds events to what the window knows. */
export function learn(...events: Event[]): void {
  sink.apply(events);
}

/** folders answers /data/folder for the paths given; others do not exist. */
export function folders(known: Record<string, { branch?: string; changed?: number }>): void {
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

/** aChat is a chat with nothing special about it. */
export function aChat(id: string, more: Partial<Chat> = {}): Event {
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

/** cliFound is a Copilot CLI that can be used. */
export const cliFound: Event = {
  cli: { state: "found", path: "/usr/local/bin/copilot", version: "1.0.102", min: "1.0.78" },
};

/** nobody is a user who is not signed in; a code can be asked for. */
export const nobody = (more: Partial<Account> = {}): Event => ({
  account: { state: "signed_out", host: "github.com", deviceFlow: true, ...more },
});

/** octocat is a user who signed in with VoxPilot. */
export const octocat = (more: Partial<Account> = {}): Event => ({
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

/** aCode is a sign-in that waits for the user to type a code. */
export const aCode = (more: Partial<SignIn> = {}): Event => ({
  signIn: {
    state: "waiting",
    code: "7K4P-QX2M",
    url: "https://github.com/login/device",
    expiresAt: Date.now() + 872_000,
    ...more,
  },
});

/** What a browser has and jsdom has not. */
export function standInForBrowser(): void {
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
