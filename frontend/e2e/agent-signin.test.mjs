// An agent with its own sign-in in the real app: a variable, the agent's own method, and a terminal that stays open over a
// reload of the window. The agent is a script of a few lines.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";

/** An ACP agent that refuses sessions until it is signed in; a file next to it keeps the sign-in. */
const agent = `
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const store = process.argv[1] + ".state", denied = process.argv[1] + ".denied";
const lines = createInterface({ input: process.stdin });
if (process.argv.includes("--login")) {
  process.stdout.write("Terminal: " + process.stdin.isTTY + "\\r\\nCode: ");
  lines.on("line", (line) => {
    if (line !== "7K4P") return process.exit(3);
    writeFileSync(store, "");
    process.exit(0);
  });
} else {
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const authMethods = [
    { id: "web", name: "Login with Example", description: "Opens a page" },
    { id: "key", name: "Use EXAMPLE_KEY", type: "env_var", vars: [{ name: "EXAMPLE_KEY" }] },
    { id: "cli", name: "Subscription", type: "terminal", args: ["--login"] },
  ];
  lines.on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const isSignedIn = existsSync(store) || process.env.EXAMPLE_KEY === "secret";
    const refuse = (message) => write({ id, error: { code: -32000, message } });
    const answer = (result) => write({ id, result });
    if (method === "initialize")
      answer({ protocolVersion: 1, agentCapabilities: { auth: { logout: {} } }, authMethods });
    else if (method === "authenticate") {
      if (params.methodId === "web" && !existsSync(denied)) {
        writeFileSync(denied, "");
        return refuse("The page was closed.");
      }
      if (params.methodId === "web") writeFileSync(store, "");
      if (params.methodId === "key" && !isSignedIn) return refuse("Wrong key.");
      answer({});
    } else if (method === "session/new") isSignedIn ? answer({ sessionId: "s" }) : refuse("Authentication required");
    else if (method === "session/prompt") {
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello from the agent" } };
      write({ method: "session/update", params: { sessionId: "s", update } });
      answer({ stopReason: "end_turn" });
    } else answer({});
  });
}
`;

/** ready starts the app with a chat whose agent needs a sign-in, and sends a message. */
async function ready(t) {
  const env = await start(t, { files: { "agent.mjs": agent } });
  const { page, folder } = env;
  const command = join(folder, "agent.mjs");
  await page.getByRole("button", { name: "Set up later" }).click();
  const chatId = await page.evaluate(
    async ([program, script, where]) => {
      const app = window.go.main.App;
      const profile = await app.SaveProfile(
        { name: "Example", command: program, args: [script], env: [] },
        {},
      );
      return (await app.CreateChat(where, profile.id)).id;
    },
    [process.execPath, command, folder],
  );
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link").first().click();
  await page.evaluate((id) => window.go.main.App.Send(id, "hello", []), chatId);
  const trust = page.getByRole("button", { name: /^Trust/ });
  const banner = page.getByRole("alert", { name: "Sign-in needed" });
  await trust.or(banner).first().waitFor();
  if (await trust.first().isVisible()) await trust.first().click();
  await page.getByRole("button", { name: "Login with Example" }).waitFor();
  return { ...env, banner };
}
const answered = (page) => page.getByText("Hello from the agent").first().waitFor();

test("An agent's own method is refused, then accepted, and the message is sent", async (t) => {
  const { page, banner } = await ready(t);
  await page.getByRole("button", { name: "Login with Example" }).click();
  await banner.getByText("The page was closed.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await answered(page);
});

test("The value of a variable signs in", async (t) => {
  const { page } = await ready(t);
  await page.getByRole("button", { name: "Use EXAMPLE_KEY…" }).click();
  await page.getByRole("textbox", { name: "EXAMPLE_KEY" }).fill("secret");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await answered(page);
});

test("A sign-in in a terminal survives a reload of the window", async (t) => {
  const { page, app } = await ready(t);
  await page.getByRole("button", { name: "Subscription…" }).click();
  const command = page.getByRole("region", { name: "Command" });
  assert.match(await command.innerText(), /agent\.mjs --login$/);
  await page.getByRole("button", { name: "Run" }).click();
  const rows = page.locator(".terminal-host .xterm-rows");
  await rows.getByText("Terminal: true").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Show terminal" }).click();
  await rows.getByText("Code:").waitFor();
  await page.keyboard.type("7K4P\r");
  await answered(page);
  await waitFor(
    async () => !(await app.processes()).some((each) => each.command.includes("--login")),
    "the program of the sign-in ended",
  );
});
