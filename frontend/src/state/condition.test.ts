import { describe, expect, test } from "vitest";
import { orchestratorFor } from "./account";
import { conditionOf } from "./condition";
import { newState, type State } from "./state";
import type { AccountState, Cause, CLIState, Connection, ConnectionState, Provider } from "./types";

const chatId = "c";

function make(
  more: {
    account?: AccountState;
    cli?: CLIState;
    state?: ConnectionState;
    cause?: Cause;
    providerId?: string;
    mainId?: string;
  } = {},
): State {
  const state = newState();
  state.account.state = more.account ?? "valid";
  state.cli.state = more.cli ?? "found";
  state.chats[chatId] = {
    id: chatId,
    title: "",
    folder: "/f",
    providerId: more.providerId ?? "copilot",
    mainId: more.mainId,
    permissionMode: "ask",
    createdAt: 1,
    updatedAt: 1,
  };
  if (more.state) {
    const connection: Connection = { chatId, state: more.state, cause: more.cause, since: 1 };
    state.connections[chatId] = connection;
  }
  return state;
}

const of = (more: Parameters<typeof make>[0]) => conditionOf(make(more), chatId);
const provider = (id: string, createdAt: number): Provider => ({
  id,
  name: id,
  baseUrl: "http://x",
  model: "m",
  createdAt,
});

describe("the one condition of a chat", () => {
  test("is the reason its agent needs a sign-in", () => {
    expect(of({ state: "needs_login", cause: "not_signed_in" })).toBe("sign_in");
    expect(of({ state: "needs_login" })).toBe("sign_in");
    expect(of({ state: "needs_login", cause: "no_access" })).toBe("no_access");
    expect(of({ state: "needs_login", cause: "locked" })).toBe("locked");
  });

  test("is the first of: sign-in, no access, CLI, folder, offline", () => {
    expect(of({ state: "needs_login", cause: "not_signed_in", cli: "missing" })).toBe("sign_in");
    expect(of({ account: "no_access", cli: "too_old" })).toBe("no_access");
    expect(of({ cli: "missing", state: "waiting", cause: "offline" })).toBe("missing");
    expect(of({ state: "failed", cause: "folder_gone" })).toBe("folder_gone");
    expect(of({ state: "waiting", cause: "exited" })).toBe("reconnecting");
    expect(of({ state: "waiting", cause: "offline" })).toBe("offline");
  });

  test.each([
    ["signed_out", "sign_in"],
    ["expired", "sign_in"],
    ["wrong_kind", "sign_in"],
    ["no_access", "no_access"],
    ["locked", "locked"],
    ["valid", undefined],
    ["own", undefined],
    ["unverified", undefined],
    ["unknown", undefined],
  ] as const)("of an agent not yet running follows from an account that is %s", (account, condition) => {
    expect(of({ account })).toBe(condition);
    expect(of({ account, state: "idle", cause: "idle" })).toBe(condition);
  });

  test("follows account changes since the agent was refused", () => {
    const now = { state: "needs_login", cause: "no_access" } as const;
    expect(of({ ...now, account: "signed_out" })).toBe("sign_in");
    expect(of({ ...now, account: "locked" })).toBe("locked");
    expect(of({ ...now, account: "valid" })).toBe("no_access");
  });

  test("of an agent with its own login is that it needs it", () => {
    const now = { state: "needs_login", cause: "not_signed_in" } as const;
    expect(of({ ...now, account: "expired", providerId: "qwen" })).toBe("agent_sign_in");
  });

  test("of a running agent doesn't depend on the account, only on its start", () => {
    expect(of({ account: "expired", state: "ready" })).toBeUndefined();
    expect(of({ account: "expired", state: "checking" })).toBeUndefined();
  });

  test("of a chat without GitHub is never a sign-in", () => {
    expect(of({ account: "signed_out", providerId: "practice" })).toBeUndefined();
    expect(of({ account: "signed_out", providerId: "p1" })).toBeUndefined();
    const state = make({ account: "signed_out", providerId: "own" });
    state.profiles.own = { id: "own", name: "Own", createdAt: 1, github: true };
    expect(conditionOf(state, chatId)).toBe("sign_in");
  });

  test("needs no sign-in while a main AI answers, until it delegates to Copilot", () => {
    const state = make({ state: "needs_login", cause: "not_signed_in", mainId: "p1" });
    expect(conditionOf(state, chatId)).toBeUndefined();
    state.turns.t = { id: "t", chatId, session: "fix", blockId: "b", state: "running", startedAt: 1 };
    expect(conditionOf(state, chatId)).toBe("sign_in");
    state.turns.t.state = "done";
    expect(conditionOf(state, chatId)).toBeUndefined();
    expect(of({ state: "waiting", cause: "offline", mainId: "p1" })).toBeUndefined();
    expect(of({ state: "failed", cause: "folder_gone", mainId: "p1" })).toBe("folder_gone");
  });
});

describe("the responder without Copilot", () => {
  test("is the default main AI, else the first configured, else none", () => {
    const state = newState();
    expect(orchestratorFor(state)).toBe("");
    state.providers = { b: provider("b", 2), a: provider("a", 1) };
    expect(orchestratorFor(state)).toBe("a");
    state.settings.mainId = "b";
    expect(orchestratorFor(state)).toBe("b");
    state.settings.mainId = "gone";
    expect(orchestratorFor(state)).toBe("a");
  });
});
