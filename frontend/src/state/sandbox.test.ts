import { describe, expect, test } from "vitest";
import {
  areSameSandbox,
  foundSites,
  isOffered,
  isSandboxed,
  namedSites,
  newChatSandbox,
  portFrom,
  shortHost,
  siteFrom,
  sitesOf,
  withChoices,
} from "./sandbox";
import { newState } from "./state";
import type { SandboxState } from "./types";

const stateWith = (state: SandboxState) => ({
  ...newState(),
  profiles: {
    q: { id: "q", name: "Qwen", command: "/bin/qwen", createdAt: 1 },
    port: { id: "port", name: "Remote", address: "127.0.0.1:9", createdAt: 1 },
  },
  sandbox: { state },
});

describe("a chat's sandbox", () => {
  test("is offered only where it works, and not for agents on a port", () => {
    const offered = (state: SandboxState, agent = "copilot") => isOffered(stateWith(state), agent);
    expect([offered("ready"), offered("checking"), offered("limited"), offered("unavailable")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(offered("ready", "q")).toBe(true);
    expect(offered("ready", "port")).toBe(false);
  });

  test("stays on where it doesn't work, because then no command runs", () => {
    expect(isSandboxed(stateWith("unavailable"), "copilot", { on: true })).toBe(true);
    expect(isSandboxed(stateWith("ready"), "q", { on: true })).toBe(true);
    expect(isSandboxed(stateWith("ready"), "port", { on: true })).toBe(false);
    expect(isSandboxed(stateWith("ready"), "copilot", undefined)).toBe(false);
  });

  test("is on in new chats only if the settings say so and it works", () => {
    const state = stateWith("ready");
    expect(newChatSandbox(state, "copilot")).toEqual({});
    state.settings = { ...state.settings, sandbox: { ...state.settings.sandbox, newChats: true } };
    expect(newChatSandbox(state, "copilot")).toEqual({ on: true });
    expect(newChatSandbox(state, "q")).toEqual({});
    expect(newChatSandbox({ ...state, sandbox: { state: "limited" } }, "copilot")).toEqual({});
  });

  test("equals another one with the same effect", () => {
    expect(areSameSandbox(undefined, { on: false, write: [] })).toBe(true);
    expect(areSameSandbox({ on: true }, { on: true, network: "off" })).toBe(false);
    expect(areSameSandbox({ on: true, masked: true }, { on: true })).toBe(true);
  });

  test("stays masked when the user changes other options", () => {
    const masked = { on: true, masked: true };
    expect(withChoices(masked, { on: true, network: "off" })).toEqual({
      on: true,
      network: "off",
      masked: true,
    });
    expect(withChoices(masked, { on: false })).toEqual({ on: false });
    expect(withChoices(undefined, { on: true })).toEqual({ on: true });
  });
});

describe("the sites", () => {
  const state = newState();
  state.sandbox = {
    state: "ready",
    sites: [
      { host: "registry.example.dev", tool: "npm" },
      { host: "modules.example.dev", tool: "Go" },
      { host: "registry.example.dev", tool: "pip" },
    ],
  };
  state.settings = {
    ...state.settings,
    sandbox: { ...state.settings.sandbox, sites: ["example.org"], blockedSites: ["modules.example.dev"] },
  };

  test("of a chat are its own, those of the settings, and those found but not blocked", () => {
    expect(sitesOf(state, { sites: ["a.example", "example.org"] })).toEqual([
      "a.example",
      "example.org",
      "registry.example.dev",
    ]);
  });

  test("that were found name all their tools", () => {
    expect(foundSites(state.sandbox, state.settings.sandbox)).toEqual([
      { host: "registry.example.dev", tools: ["npm", "pip"] },
    ]);
  });

  test("beyond the first three are counted, but never a single one", () => {
    expect(namedSites(["a", "b", "c", "d"])).toEqual({ names: ["a", "b", "c", "d"], more: 0 });
    expect(namedSites(["a", "b", "c", "d", "e"])).toEqual({ names: ["a", "b", "c"], more: 2 });
  });

  test("are shown without the usual ports", () => {
    expect([shortHost("a.example:443"), shortHost("a.example:8443"), shortHost("a.example")]).toEqual([
      "a.example",
      "a.example:8443",
      "a.example",
    ]);
  });

  test.each([
    ["Example.COM", "example.com"],
    [" *.example.com ", "*.example.com"],
    ["example.com.", "example.com"],
    ["localhost:8080", "localhost:8080"],
    ["*.example.com:8443", "*.example.com:8443"],
    ["10.0.0.7", "10.0.0.7"],
    ["bücher.example", "xn--bcher-kva.example"],
  ])("accept %s", (typed, site) => {
    expect(siteFrom(typed)).toBe(site);
  });

  test.each([
    "",
    "https://example.com",
    "example.com/a",
    "example.com:0",
    "example.com:",
    "*.com",
    "a b",
    "*",
    "*.*.a",
    "a..b",
    "123",
    "*.10.0.0.7",
    "a@b",
  ])("reject “%s”", (typed) => {
    expect(siteFrom(typed)).toBeUndefined();
  });
});

test("ports are numbers from 1 to 65535", () => {
  expect([portFrom("5432"), portFrom(" 1 "), portFrom("65535")]).toEqual([5432, 1, 65535]);
  for (const typed of ["0", "65536", "-1", "80.5", "1e3", "x", ""]) expect(portFrom(typed)).toBeUndefined();
});
