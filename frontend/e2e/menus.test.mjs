// Menus and keys that the native window could intercept: the composer's context menu and clipboard, and
// Ctrl+Tab. Each key is sent only after the page shows the effect of the previous one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import { startChat, useModel, waitForIdle, waitForText } from "./page.mjs";
import { inspectorAddress, openWindow } from "./webkit.mjs";

const label = () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent;
const typed = () => document.querySelector(".composer textarea")?.value;

test("The composer's menu copies and pastes by keyboard, and Ctrl+Tab opens the previous chat", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const address = await inspectorAddress();
  const env = await start(t, { env: { WEBKIT_INSPECTOR_HTTP_SERVER: address } });
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  await startChat(env.page, env.folder, "say hello", "My model");
  await waitForText(env.page, "You said: say hello");
  await waitForIdle(env.page);
  await env.page.close();

  const page = await openWindow(env.app, address);
  t.after(() => page.close());
  const is = (fact, arg, what) => waitFor(() => page.evaluate(fact, arg), what);
  const key = (name) => page.xdotool("key", name);
  const type = async (text) => {
    const before = (await page.evaluate(typed)) ?? "";
    await page.xdotool("type", "--delay", "30", text);
    await waitFor(async () => (await page.evaluate(typed)) === before + text, `${text} is typed`);
  };
  /** choose opens the field's menu with a key and selects an entry by keyboard. */
  const choose = async (opener, name) => {
    await key(opener);
    await is(() => document.activeElement?.closest("[role=menu]") !== null, undefined, "the menu is open");
    await waitFor(async () => {
      if ((await page.evaluate(label))?.startsWith(name)) return true;
      await key("Down");
      return false;
    }, `${name} has the focus`);
    await key("Return");
    await is(
      () => document.activeElement?.tagName === "TEXTAREA",
      undefined,
      "the field has the focus again",
    );
  };
  const requested = (what) =>
    waitFor(
      () => model.seen.find(({ messages }) => what.test(textOf(messages.at(-1).content))),
      `the model is asked ${what}`,
    );

  await is(
    () => document.querySelector(".chat")?.click() ?? !!document.querySelector(".composer textarea"),
    undefined,
    "the chat is open",
  );
  const box = await page.evaluate(() => {
    const { left, top, width, height } = document.querySelector(".composer textarea").getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  await page.point(...box);
  await page.xdotool("click", "1");
  await is(() => document.activeElement?.tagName === "TEXTAREA", undefined, "the field has the focus");

  await t.test("copies what is selected, and pastes it at the caret", async () => {
    await type("say alpha");
    await key("ctrl+a");
    await is(() => document.activeElement.selectionEnd === 9, undefined, "all is selected");
    await choose("shift+F10", "Copy");
    await key("End");
    await type(" and ");
    await choose("Menu", "Paste");
    await waitFor(async () => (await page.evaluate(typed)) === "say alpha and say alpha", "it is pasted");
    await key("Return");
    await requested(/^say alpha and say alpha\s*$/m);
  });

  // Release builds of Wails handle right clicks before the page, depending on this property.
  await t.test("the page handles a right-click on an answer", async () => {
    const rule = () =>
      getComputedStyle(document.querySelector(".md p")).getPropertyValue("--default-contextmenu").trim();
    assert.equal(await page.evaluate(rule), "show");
  });

  await t.test("a confirmation opened from a menu by keyboard waits for its own answer", async () => {
    const menu = () => document.activeElement?.closest("[role=menu]") !== null;
    await page.evaluate(() => [...document.querySelectorAll("main header button")].at(-1).focus());
    await key("Return");
    await is(menu, undefined, "the menu of the chat is open");
    await waitFor(async () => {
      if ((await page.evaluate(label))?.startsWith("Delete")) return true;
      await key("Up");
      return false;
    }, "Delete has the focus");
    await key("Return");
    await is(() => document.activeElement?.textContent === "Cancel", undefined, "the question has the focus");
    await key("Escape");
    await is(() => document.querySelector(".dialog") === null, undefined, "the dialog is closed");
    await page.evaluate(() => document.querySelector(".composer textarea").focus());
  });

  await t.test("Ctrl+Tab opens the previously open chat", async () => {
    const open = () => page.evaluate(() => document.querySelector(".chat[aria-current]")?.dataset.id ?? "");
    const first = await open();
    await key("ctrl+n");
    await is(
      () => document.querySelector("main[aria-label='New chat'] textarea") === document.activeElement,
      undefined,
      "a new chat can be written",
    );
    await type("say other");
    await key("Return");
    const other = await requested(/^say other\s*$/m);
    assert.doesNotMatch(other.messages.map(({ content }) => textOf(content)).join("\n"), /say hello/);
    await waitFor(async () => ![first, ""].includes(await open()), "the other chat is open");
    await key("ctrl+Tab");
    await waitFor(async () => (await open()) === first, "the first chat is open");
    await is(() => document.activeElement?.tagName === "TEXTAREA", undefined, "its field has the focus");
    await type("say back");
    await key("Return");
    const back = await requested(/^say back\s*$/m);
    assert.match(back.messages.map(({ content }) => textOf(content)).join("\n"), /say hello/);
  });
});
