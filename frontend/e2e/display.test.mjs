// The display disappears while the app runs, as happens when a desktop session ends and its X server
// exits.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { send, startChat, useModel, waitForRunning } from "./page.mjs";

/** ownDisplay starts an X server that the test can stop. */
async function ownDisplay(t) {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  };
  t.after(end);
  const [number] = await once(server.stdio[3], "data");
  return { name: `:${String(number).trim()}`, end };
}

test("Nothing on screen is lost when the display disconnects", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const display = await ownDisplay(t);
  const { page, app, folder } = await start(t, { env: { DISPLAY: display.name } });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "stream 5000 every 10", "My model");
  await waitForRunning(page);
  await send(page, "say this later");
  await page.getByText("say this later").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("not sent yet");
  const answer = page.locator(".prose").last();
  await waitFor(async () => (await answer.textContent()).length > 200, "some of the answer is shown");
  const shown = (await answer.textContent()).trim();

  await display.end();
  await waitFor(() => !app.running, "the app ends with its display");
  await waitFor(async () => (await app.processes()).length === 0, "its child processes exit too");

  // The display that the tests run on still exists.
  app.env.DISPLAY = process.env.DISPLAY;
  await app.start();
  await page.reload();
  await page.getByText("stream 5000 every 10").first().click();
  await page.getByText("say this later").waitFor();
  await page.getByRole("button", { name: "Send now" }).waitFor();
  const finalText = (await page.locator(".prose").last().textContent()).trim();
  assert.ok(
    finalText.startsWith(shown),
    `got ${finalText.length} characters, want the ${shown.length} shown before`,
  );
});
