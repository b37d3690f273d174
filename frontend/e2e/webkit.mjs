// Access to the page in the app's own WebKitGTK window. The development build enables the Web Inspector
// if WEBKIT_INSPECTOR_HTTP_SERVER is set; its engine and window are the same as in the release build.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import bundle from "playwright-core/lib/utilsBundle";
import { waitForVisible } from "./desktop.mjs";
import { waitFor } from "./harness.mjs";

const run = promisify(execFile);

/** inspectorAddress returns a loopback address with a free port. */
export function inspectorAddress() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => resolve(`127.0.0.1:${port}`));
      });
  });
}

/**
 * openWindow returns the page in the window of an app that was started with
 * WEBKIT_INSPECTOR_HTTP_SERVER=address.
 *
 *   id                 X11 ID of the window
 *   evaluate(fn, arg)  runs a function in the page and returns its JSON value
 *   xdotool(…)         controls the mouse and the keyboard
 *   point(x, y)        moves the mouse to a position in the page
 *   close()            disconnects from the page
 */
export async function openWindow(app, address) {
  const id = await waitForVisible(app);
  const path = await waitFor(async () => {
    const list = await fetch(`http://${address}/`).then(
      (answer) => answer.text(),
      () => "",
    );
    return /\/socket\/\d+\/\d+\/WebPage/.exec(list)?.[0];
  }, "the page of the window can be inspected");
  const socket = new bundle.ws(`ws://${address}${path}`);
  const waiting = new Map();
  let target = "";
  let ids = 0;
  socket.on("message", (data) => {
    const { method, params } = JSON.parse(data);
    if (method === "Target.targetCreated" && params.targetInfo.type === "page")
      target = params.targetInfo.targetId;
    if (method === "Target.didCommitProvisionalTarget") target = params.newTargetId;
    if (method !== "Target.dispatchMessageFromTarget") return;
    const answer = JSON.parse(params.message);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  await waitFor(() => target, "the inspector names the page");
  const xdotool = (...args) => run("xdotool", args, { env: app.env }).then(({ stdout }) => stdout.trim());
  return {
    id,
    xdotool,
    close: () => socket.close(),
    async evaluate(fn, arg) {
      const expression = `JSON.stringify((${fn})(${JSON.stringify(arg) ?? ""}) ?? null)`;
      const answer = await new Promise((resolve) => {
        const n = ++ids;
        waiting.set(n, resolve);
        const message = JSON.stringify({
          id: n,
          method: "Runtime.evaluate",
          params: { expression, returnByValue: true },
        });
        socket.send(
          JSON.stringify({
            id: n,
            method: "Target.sendMessageToTarget",
            params: { targetId: target, message },
          }),
        );
      });
      assert.ok(!answer.result?.wasThrown, answer.result?.result?.description);
      return JSON.parse(answer.result.result.value);
    },
    // Relative to the window: xdotool's screen position is off if the window has a
    // frame.
    point: (x, y) => xdotool("mousemove", "--window", id, String(Math.round(x)), String(Math.round(y))),
  };
}
