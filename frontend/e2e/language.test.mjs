// The language of the window: a newly selected language applies from the next page load on, and the
// reload loses no draft.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { message } from "./page.mjs";

test("The window uses the chosen language and keeps the draft", async (t) => {
  const { page, app } = await start(t);
  await page.getByRole("button", { name: "Try it without an account" }).click();
  await message(page).fill("not sent yet");

  const choose = async (settings, appearance, language, id) => {
    await page.getByRole("button", { name: settings, exact: true }).click();
    await page.getByRole("link", { name: appearance }).click();
    await page.getByLabel(language, { exact: true }).selectOption(id);
    await waitFor(
      () =>
        page
          .evaluate((lang) => document.documentElement.lang.startsWith(lang), id || "en")
          .catch(() => false),
      `the page is loaded in ${id || "the system's language"}`,
    );
    // The settings are still open, and closing them returns to the previous screen.
    await page.locator(".set-search").waitFor();
    await page.keyboard.press("Escape");
  };
  await choose("Settings", "Appearance", "Language", "de");
  const german = page.getByRole("textbox", { name: "Nachricht", exact: true });
  await waitFor(
    async () => (await german.inputValue().catch(() => "")) === "not sent yet",
    "the draft is shown",
  );

  // Backend messages are in that language too.
  await page.getByRole("button", { name: "Einstellungen", exact: true }).click();
  await page.getByRole("link", { name: "Diagnose" }).click();
  await page.getByText("frei auf dem Datenträger von").waitFor();
  await page.keyboard.press("Escape");

  // The language is stored with the settings and survives a restart.
  await app.restart();
  await german.waitFor();
  await choose("Einstellungen", "Darstellung", "Sprache", "zh");
  await page.getByRole("textbox").first().waitFor();
  await choose("设置", "外观", "语言", "");
  await message(page).waitFor();
  assert.equal(await message(page).inputValue(), "not sent yet");
});
