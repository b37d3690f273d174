// A fake GitHub for tests: internal/fakegithub as a separate process.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { helper, waitFor } from "./harness.mjs";

/** Client ID of the OAuth app that the fake GitHub accepts. */
export const clientId = "Ov23fakefakefakefake";

/**
 * startGitHub starts a fake GitHub for one test. When the test ends, it fails the test if the app did
 * anything that clients must not do to the real GitHub.
 */
export async function startGitHub(t) {
  const child = spawn(await helper("fakegithub/cmd"), { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const ended = once(child, "exit");
  t.after(async () => {
    child.stdin.end();
    const [code] = await ended;
    assert.equal(code, 0, errors);
  });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error(`the fake GitHub did not start: ${errors}`)));
  });
  const ask = async (init) => {
    const answer = await fetch(`${url}/_control`, init);
    const body = await answer.json();
    assert.ok(answer.ok, body.message);
    return body;
  };
  const set = (command) => ask({ method: "POST", body: JSON.stringify(command) });
  return {
    url,
    /** Returns the requests received: [{method, path, status}]. */
    requests: async () => (await ask({})).requests ?? [],
    /** Simulates a user who enters the pending code and approves. */
    approve: (login, token = "") => set({ do: "approve", approval: { user: { login }, token } }),
    deny: () => set({ do: "deny" }),
    expire: () => set({ do: "expire" }),
    grant: (token, login) => set({ do: "grant", token, user: { login } }),
    /** Revokes a token, or all tokens if `token` is "". */
    revoke: (token = "") => set({ do: "revoke", token }),
    /** Sets a fault, such as "cut"; "" clears it. */
    trouble: (trouble) => set({ do: "trouble", trouble }),
    /** Waits for a pending user code and returns it. */
    code: () => waitFor(async () => (await ask({})).code, "a code waits for the user"),
  };
}
