// User actions in the window, and queries for its visible content.

import { waitFor } from "./harness.mjs";

/** transcript locates the log of the open chat. */
export const transcript = (page) => page.getByRole("log", { name: "Transcript" });

/** message locates the composer's text field. */
export const message = (page) => page.getByRole("textbox", { name: "Message", exact: true });

/** renderedText returns the rendered text of the elements that a locator matches. */
export const renderedText = async (locator) => (await locator.allInnerTexts()).join("\n");

/**
 * send replaces the content of the message field with `text` and sends it with Enter. If the transcript is scrolled up,
 * send first jumps to its end.
 */
export async function send(page, text) {
  const jump = page.getByRole("button", { name: "Jump to latest" });
  if (await jump.isVisible()) await jump.click();
  await message(page).fill(text);
  await message(page).press("Enter");
  await waitFor(async () => (await message(page).inputValue()) === "", "the message is taken");
}

/** waitForIdle waits until no turn is running in the open chat. */
export async function waitForIdle(page) {
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await page.locator(".turn-foot[data-state=running]").waitFor({ state: "detached" });
}

/** waitForRunning waits until a turn is running in the open chat. */
export const waitForRunning = (page) =>
  page.getByRole("button", { name: "Stop", exact: true }).first().waitFor();

/** waitForText waits until the transcript contains `text`. */
export const waitForText = (page, text) => transcript(page).getByText(text).first().waitFor();

/** requestCard locates the pending permission request. */
export const requestCard = (page) => page.getByRole("group", { name: /^Permission request/ });

/**
 * answerRequest answers the pending permission request. Its buttons ignore input briefly, so it clicks until the
 * request has been answered.
 */
export async function answerRequest(page, name) {
  await requestCard(page).waitFor();
  const asked = await requestCard(page).elementHandle();
  await waitFor(async () => {
    if (!(await asked.evaluate((element) => element.isConnected))) return true;
    // Clicking Reject first asks for a reason; a button with the same name then confirms the rejection.
    const button = await asked.$(`button[aria-label="${name}"]`);
    await button?.click({ timeout: 500 }).catch(() => {});
    return false;
  }, `the request is answered with ${name}`);
}

/** expandAll expands all collapsed blocks and line groups on screen. */
export async function expandAll(page) {
  const folded = transcript(page).locator(
    "details.copilot-block:not([open]) > summary, .ln[aria-expanded=false]:has(> .g > .fold)",
  );
  while ((await folded.count()) > 0) await folded.first().click();
}

/**
 * activityRow locates the last activity line or tool row whose accessible name starts with `words`, such
 * as "Edited greeting.txt".
 */
export const activityRow = (page, words) =>
  transcript(page).locator(`button:is(.ln, .tool)[aria-label^="${words}"]`).last();

/**
 * waitForRow waits until the text of a tool row matches `pattern`. It reopens blocks that collapse
 * automatically.
 */
export async function waitForRow(page, words, pattern) {
  await waitFor(async () => {
    await expandAll(page);
    return pattern.test(await renderedText(activityRow(page, words)));
  }, `the row of “${words}” says ${pattern}`);
}

/** openRow expands a tool row and returns it with its content. */
export async function openRow(page, words) {
  const found = activityRow(page, words);
  await waitFor(async () => {
    await expandAll(page);
    if ((await found.count()) === 0) return false;
    if ((await found.getAttribute("aria-expanded", { timeout: 500 }).catch(() => "")) === "true") return true;
    await found.click({ timeout: 500 }).catch(() => {});
    return false;
  }, `the row of “${words}” is open`);
  return found.locator("xpath=..");
}

/**
 * startChat creates a chat from the new chat screen, in a folder given by its path, and sends `text` as
 * its first message.
 */
export async function startChat(page, folder, text, provider) {
  await page.getByRole("button", { name: /^(Folder: .*|Choose a folder)$/ }).click();
  await page.getByRole("combobox", { name: "Folder path" }).fill(folder);
  await page.getByRole("button", { name: "Use this folder" }).click();
  if (provider) {
    await page.getByRole("button", { name: /^Model: / }).click();
    // Other agents are listed by name, and a user-provided model by the model's name. The agent or model
    // used in the previous chat is already selected.
    const list = page.getByRole("listbox", { name: "Model" });
    const option = list.getByRole("option", {
      name: new RegExp(`^${provider}|Copilot CLI with ${provider}$`),
    });
    const chosen = list.getByText(new RegExp(`^${provider}(,|$)`)); // the heading of the selected agent's models
    await option.or(chosen).first().waitFor();
    if ((await option.count()) > 0) await option.click();
    else await page.keyboard.press("Escape");
  }
  await message(page).fill(text);
  await page.locator(".composer .send:enabled").waitFor();
  await message(page).press("Enter");
  // Elements behind a dialog, such as the trust sheet, are hidden from role queries.
  await transcript(page).or(page.getByRole("dialog")).first().waitFor();
}

/** useModel sets up a user-provided model during the first run. */
export async function useModel(page, { url, key, headers = "", name = "My model", model = "scripted-1" }) {
  await page.getByRole("button", { name: "Use your own model" }).click();
  const form = page.getByRole("form", { name: "Add a model" });
  await form.getByLabel("Server address").fill(url);
  await form.getByLabel("Model", { exact: true }).fill(model);
  await form.getByLabel("API key").fill(key);
  await form.getByLabel("Headers").fill(headers);
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByRole("button", { name: "Use this model" }).click();
  await page.getByRole("heading", { name: `Using ${model}` }).waitFor();
}
