// Finding and organizing chats: the palette, search, pins, the archive, and undoing a deletion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { message, send, transcript, waitForIdle, waitForText } from "./page.mjs";

test("Chats are found by title and content, pinned, archived, deleted and restored", async (t) => {
  const { page, app } = await start(t);
  const link = (name) => page.getByRole("link", { name, exact: false });
  const title = (name) => page.getByRole("heading", { name, level: 1 });
  const rename = async (to) => {
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Chat title" }).fill(to);
    await page.keyboard.press("Enter");
    await title(to).waitFor();
  };

  await page.getByRole("button", { name: "Try it without an account" }).click();
  await message(page).waitFor();
  await send(page, "hello, here is a xylophone");
  await waitForText(page, "Three things to try");
  await waitForIdle(page);
  await rename("The first of all chats");

  // A second chat, in the same folder.
  await page.keyboard.press("Control+n");
  await page.getByRole("main", { name: "New chat" }).waitFor();
  if ((await page.getByRole("button", { name: "Model: Practice" }).count()) === 0) {
    await page.getByRole("button", { name: /^Model: / }).click();
    await page.getByRole("option", { name: /^Practice/ }).click();
  }
  await message(page).fill("hello again");
  await page.locator(".composer .send:enabled").waitFor();
  await message(page).press("Enter");
  await waitForText(page, "Three things to try");
  await waitForIdle(page);
  await rename("Something else");

  await t.test("the palette opens a chat by a part of its name", async () => {
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Command palette" });
    await palette.getByRole("combobox", { name: "Type a command or the name of a chat" }).fill("first");
    await palette.getByRole("option", { name: /The first of all chats/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await title("The first of all chats").waitFor();
    await waitFor(
      () => message(page).evaluate((field) => field === document.activeElement),
      "the composer has the focus",
    );
  });

  await t.test("the palette finds files of the chat's folder, and Escape returns the focus", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("@greet");
    await page.getByRole("option", { name: "greeting.txt" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await waitFor(
      () => message(page).evaluate((field) => field === document.activeElement),
      "the composer has the focus",
    );
  });

  await t.test("the search finds a word in an old chat and opens it", async () => {
    await link("Something else").click();
    await title("Something else").waitFor();
    await page.keyboard.press("Control+Shift+f");
    const results = page.getByRole("region", { name: "Search results" });
    await page.getByRole("searchbox", { name: "Search all chats" }).fill("xyloph");
    const found = results.getByRole("button", { name: /^You/ });
    await found.waitFor();
    await page
      .getByRole("status", { name: "Result count" })
      .filter({ hasText: /^\d+ results? in \d+ chats?$/ })
      .waitFor();
    await page.getByRole("region", { name: "Preview" }).locator("mark").first().waitFor();
    await found.focus();
    await page.keyboard.press("Enter");
    await title("The first of all chats").waitFor();
    await transcript(page).getByText("here is a xylophone").waitFor();
  });

  await t.test("an unused word has no results, and this is shown", async () => {
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("searchbox", { name: "Search all chats" }).fill("quetzalcoatlus");
    await page.getByText("Nothing matches “quetzalcoatlus”.", { exact: false }).waitFor();
  });

  const actions = async (name, entry) => {
    await link(name).click({ button: "right" });
    await page.getByRole("menuitem", { name: entry }).click();
  };
  const order = () =>
    page
      .locator(".chats a[data-id]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));

  await t.test("a pinned chat is first, even after a restart", async () => {
    await actions("The first of all chats", "Pin");
    await waitFor(
      async () => (await order())[0]?.startsWith("The first of all chats"),
      "the pinned chat is first",
    );
    assert.match((await order())[0], /pinned/);
    await app.restart();
    await link("The first of all chats").waitFor();
    assert.match((await order())[0], /^The first of all chats, .*pinned/);
  });

  await t.test("an archived chat is folded at the end, and can be unarchived", async () => {
    await actions("Something else", "Archive");
    const archive = page.getByRole("button", { name: /^Archived/ });
    await archive.waitFor();
    await waitFor(async () => (await order()).length === 1, "one row remains");
    await archive.click();
    await actions("Something else", "Unarchive");
    await archive.waitFor({ state: "detached" });
    assert.equal((await order()).length, 2);
  });

  await t.test("the list is filtered while typing, and leads to the search", async () => {
    await link("Something else").focus();
    await page.keyboard.type("first");
    await waitFor(async () => (await order()).length === 1, "one chat matches");
    await page.getByRole("button", { name: "Search all chats" }).click();
    await waitFor(
      async () => (await page.getByRole("searchbox", { name: "Search all chats" }).inputValue()) === "first",
      "the search has the words",
    );
    await page.getByRole("button", { name: "Clear filter" }).click();
    await waitFor(async () => (await order()).length === 2, "all chats are back");
  });

  await t.test("a deletion is undone by keyboard, or else removes the chat permanently", async () => {
    await link("Something else").focus();
    await page.keyboard.press("Delete");
    await page
      .getByRole("dialog", { name: "Delete this chat?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await link("Something else").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await waitFor(
      () => page.evaluate(() => document.activeElement?.getAttribute("aria-label")?.startsWith("The first")),
      "the remaining row has the focus",
    );
    await page.keyboard.press("Control+z");
    await link("Something else").waitFor();

    await link("Something else").click();
    await title("Something else").waitFor();
    await page.getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page
      .getByRole("dialog", { name: "Delete this chat?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByText("“Something else” deleted.").waitFor();
    // Once undo is no longer possible, the window moves on to a new chat.
    await page.getByRole("main", { name: "New chat" }).waitFor();
    assert.equal(await link("Something else").count(), 0);
    await app.restart();
    await link("The first of all chats").waitFor();
    assert.equal(await link("Something else").count(), 0);
  });
});
