// Using an input method in the release build's own window. GTK has one built in: Ctrl+Shift+U, a code
// point, and Enter to end the composition.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startInWindow } from "./desktop.mjs";
import { waitFor } from "./harness.mjs";
import { textOf } from "./model.mjs";

test("Enter that ends a composition doesn't send; the next one does", async (t) => {
  const { model, xdotool, openChat } = await startInWindow(t);
  const composer = await openChat();
  await xdotool("mousemove", ...composer.map(String), "click", "1");
  const before = model.seen.length;
  await xdotool("type", "--delay", "20", "say ");
  await xdotool("key", "ctrl+shift+u");
  await xdotool("type", "--delay", "50", "3042");
  await xdotool("key", "Return");
  // A dead key composes without Enter. Arrow keys and Escape belong to the composition too.
  await xdotool("key", "ctrl+shift+u");
  await xdotool("type", "--delay", "50", "30");
  await xdotool("key", "Up", "Escape", "dead_acute", "e");
  await xdotool("key", "Return");
  const asked = await waitFor(
    () => model.seen.slice(before).find(({ messages }) => /^say /m.test(textOf(messages.at(-1).content))),
    "the message is sent",
  );
  assert.match(textOf(asked.messages.at(-1).content), /^say あé\s*$/m);
});
