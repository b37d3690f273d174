// A GitHub for tests: the one of internal/fakegithub, as a program of its own.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { helper, until } from "./harness.mjs";

/** The id of the OAuth app that it knows. */
export const clientId = "Ov23fakefakefakefake";

/**
 * startGitHub starts it for one test. When the test ends, it fails where the app
 * did what it may not do to the real one.
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
  const tell = (command) => ask({ method: "POST", body: JSON.stringify(command) });
  return {
    url,
    /** What it was asked: [{method, path, status}]. */
    requests: async () => (await ask({})).requests ?? [],
    /** The user types the code that waits, and says yes. */
    approve: (login, token = "") => tell({ do: "approve", approval: { user: { login }, token } }),
    deny: () => tell({ do: "deny" }),
    expire: () => tell({ do: "expire" }),
    grant: (token, login) => tell({ do: "grant", token, user: { login } }),
    /** Tokens end: one, or all that there are. */
    revoke: (token = "") => tell({ do: "revoke", token }),
    /** What is wrong with it, such as "cut"; "" ends that. */
    trouble: (trouble) => tell({ do: "trouble", trouble }),
    /** The code that waits for the user. */
    code: () => until(async () => (await ask({})).code, "a code waits for the user"),
  };
}
