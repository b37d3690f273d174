// Menus and keys that the system's own window could take for itself: the context
// menu of the composer and its clipboard, and Ctrl+Tab.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startInWindow } from "./desktop.mjs";
import { until } from "./harness.mjs";
import { textOf } from "./model.mjs";

test("The composer's menu copies and pastes by keys, and Ctrl+Tab leads to the chat before", async (t) => {
  const { model, xdotool, openChat } = await startInWindow(t);
  const keys = (...names) => xdotool("key", "--delay", "120", ...names);
  const type = (text) => xdotool("type", "--delay", "30", text);
  const asked = (what) =>
    until(
      () => model.seen.find(({ messages }) => what.test(textOf(messages.at(-1).content))),
      `the model is asked ${what}`,
    );
  const composer = await openChat();
  await xdotool("mousemove", ...composer.map(String), "click", "1");

  await t.test("copies what is selected, and pastes it at the caret", async () => {
    await type("say alpha");
    // Cut, Copy, Paste, Select all.
    await keys("ctrl+a", "shift+F10", "Down", "Down", "Return");
    await keys("End");
    await type(" and ");
    // Nothing is selected: Paste is the first that can be chosen.
    await keys("Menu", "Down", "Return");
    await keys("Return");
    await asked(/^say alpha and say alpha\s*$/m);
  });

  await t.test("Ctrl+Tab opens the chat that was on screen before", async () => {
    await keys("ctrl+n");
    await type("say other");
    await keys("Return");
    const other = await asked(/^say other\s*$/m);
    assert.doesNotMatch(other.messages.map(({ content }) => textOf(content)).join("\n"), /say hello/);
    await keys("ctrl+Tab");
    await type("say back");
    await keys("Return");
    const back = await asked(/^say back\s*$/m);
    assert.match(back.messages.map(({ content }) => textOf(content)).join("\n"), /say hello/);
  });
});
