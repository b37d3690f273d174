// Interaction with the desktop: native file and folder dialogs, the user's editor, an input method. The
// page runs in Chromium. The dialogs are GTK's, in the app's own process, and are operated by keyboard.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  message,
  renderedText,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

const run = promisify(execFile);

/** ready starts an app with a chat in which the scripted model has answered once. */
async function ready(t, options) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  await startChat(env.page, env.folder, "say <b>hello</b> & goodbye", "My model");
  await waitForText(env.page, "You said: say <b>hello</b> & goodbye");
  await waitForIdle(env.page);
  return { model, ...env };
}

/** visible returns the app's visible windows with the given title. */
const visible = (app, title) =>
  run("xdotool", ["search", "--all", "--onlyvisible", "--pid", String(app.pid), "--name", `^${title}$`]).then(
    ({ stdout }) => stdout.split("\n").filter(Boolean),
    () => [],
  );

/**
 * answerDialog types a path into the dialog with the given title, and repeats this until the dialog
 * closes.
 */
async function answerDialog(app, title, path) {
  const [dialog] = await waitFor(async () => {
    const found = await visible(app, title);
    return found.length > 0 && found;
  }, `the dialog “${title}” is open`);
  await waitFor(async () => {
    if ((await visible(app, title)).length === 0) return true;
    const keys = ["key", "--clearmodifiers", "ctrl+a"];
    const typed = ["type", "--clearmodifiers", "--delay", "5", path];
    // The slash at the start of a path opens the location field.
    await run("xdotool", ["windowactivate", "--sync", dialog, ...keys]).catch(() => {});
    await run("xdotool", typed).catch(() => {});
    await run("xdotool", ["key", "--clearmodifiers", "Return"]).catch(() => {});
    // Typed keys take a moment to be processed.
    for (let looks = 0; looks < 40; looks++) {
      if ((await visible(app, title)).length === 0) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  }, `the dialog “${title}” takes ${path}`);
}

test("A chat is exported in each format to the chosen file", async (t) => {
  const { page, app, home } = await ready(t);
  const kinds = [
    { format: "Markdown", file: "chat.md", holds: /say <b>hello<\/b> & goodbye/ },
    { format: "HTML", file: "chat.html", holds: /say &lt;b&gt;hello&lt;\/b&gt; &amp; goodbye/ },
    { format: "JSON", file: "chat.json", holds: /goodbye/ },
  ];
  for (const { format, file, holds } of kinds) {
    const path = join(home, file);
    await page.getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name: `Export as ${format}…` }).click();
    await answerDialog(app, "Save as", path);
    await page.getByText("Chat exported.").waitFor();
    const text = await readFile(path, "utf8");
    assert.match(text, holds, format);
    assert.match(text, /You said: /, format);
    if (format === "JSON") assert.match(JSON.stringify(JSON.parse(text)), /say <b>hello<\/b> & goodbye/);
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
});

test("A moved folder is located, and the chat continues in it", async (t) => {
  const { page, app, folder } = await ready(t, { files: { "here.txt": "it is me\n" } });
  const moved = `${folder}-moved`;
  await app.stop();
  await rename(folder, moved);
  await app.start();
  await page.reload();
  await send(page, "say is anybody there");
  const banner = page.getByRole("alert", { name: "Folder not found" });
  await banner.waitFor();
  await banner.getByRole("button", { name: "Locate folder…" }).click();
  await answerDialog(app, "Choose a folder", moved);
  await banner.waitFor({ state: "detached" });
  await waitForText(page, "You said: say is anybody there");
  await waitForIdle(page);
  await send(page, "run cat here.txt");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  assert.match(await renderedText(page.locator("header .crumb")), /folder-moved/);
});

test("A file opens from the palette in the user's editor at its line", async (t) => {
  const { page, folder, home } = await ready(t, { files: { "src/refresh.go": "package src\n" } });
  // An editor that records its arguments.
  const [editor, told] = [join(home, "editor"), join(home, "told")];
  await writeFile(editor, `#!/bin/sh\nprintf '%s\\n' "$@" >'${told}.new' && mv '${told}.new' '${told}'\n`);
  await chmod(editor, 0o755);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await page.getByRole("textbox", { name: "Open files with" }).fill(`${editor} --wait {file}`);
  await page.getByRole("textbox", { name: "Open files with" }).press("Enter");
  await page.getByRole("button", { name: "Back to chats" }).click();
  await transcript(page).waitFor();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Type a command or the name of a chat" }).fill("@refresh");
  await page.getByRole("option", { name: /src\/refresh\.go/ }).waitFor();
  await page.keyboard.press("Enter");
  const args = await waitFor(() => readFile(told, "utf8").catch(() => ""), "the editor is called");
  assert.deepEqual(args.trim().split("\n"), ["--wait", join(folder, "src/refresh.go")]);
});

test("Enter that ends an input method composition doesn't send", async (t) => {
  const { page, model } = await ready(t);
  const asked = model.seen.length;
  const input = await page.context().newCDPSession(page);
  await message(page).focus();
  await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await waitFor(async () => (await message(page).inputValue()) === "にほん", "the word is being written");
  await message(page).evaluate((field) => {
    field.addEventListener("keydown", ({ key, isComposing }) => {
      if (key === "Enter") field.dataset.composing = String(isComposing);
    });
  });
  await page.keyboard.press("Enter");
  assert.equal(await message(page).getAttribute("data-composing"), "true");
  assert.match(await message(page).inputValue(), /にほん/);
  assert.equal(await transcript(page).getByText("にほん").count(), 0);
  assert.equal(model.seen.length, asked);

  // After the composition, Enter sends again.
  await send(page, "say 日本");
  await waitForText(page, "You said: say 日本");
});
