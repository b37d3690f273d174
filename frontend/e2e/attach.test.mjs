// Drag and drop, and pasting from the clipboard, from other programs into the release build's own window.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { drag, startDragSource, startInWindow } from "./desktop.mjs";
import { waitFor } from "./harness.mjs";
import { textOf } from "./model.mjs";
import { message, transcript, waitForText } from "./page.mjs";

/** A red image. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAGAAAABgCAIAAABt+uBvAAAA0klEQVR42u3QsREAEADAQOy/MxtISfE/QS5zD27W64DfGRQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBgUDAoGBQMCgYFg4JBwaBwAAu8Ab9RX3M/AAAAAElFTkSuQmCC",
  "base64",
);
const address = (path) => pathToFileURL(path).href;
const list = (...paths) => paths.map((path) => `${address(path)}\r\n`).join("");

/** redOn waits until the red image is visible on the screen. */
const redOn = (screenshot) =>
  waitFor(async () => {
    const { width, height, at } = await screenshot();
    for (let y = 0; y < height; y += 4)
      for (let x = 0; x < width; x += 4) if (at(x, y) === 0xff0000) return true;
    return false;
  }, "the picture is on the screen");

/** emptied waits until nothing is drawn around a position, for example because its composer was removed. */
const emptied = (screenshot, [x, y]) =>
  waitFor(async () => {
    const { at } = await screenshot();
    for (let down = -40; down <= 40; down++)
      for (let right = -100; right <= 100; right += 10)
        if (at(x + right, y + down) !== at(x, y)) return false;
    return true;
  }, "the composer is gone");

/**
 * waitForUserMessage returns the newest user message received by the model, once the message contains
 * `text`.
 */
const waitForUserMessage = (model, text) =>
  waitFor(() => {
    const all = model.seen.at(-1).messages.filter(({ role }) => role === "user");
    return textOf(all.at(-1)?.content).includes(text) && all.at(-1);
  }, `the model is asked ${text}`);

const images = ({ content }) =>
  Array.isArray(content) ? content.flatMap((part) => part.image_url?.url ?? []) : [];

async function write({ xdotool }, text) {
  await xdotool("type", "--delay", "20", text);
  await xdotool("key", "Return");
}

test("Dropped files, folders and pictures are attached and never replace the page", async (t) => {
  const env = await startInWindow(t, { files: { "a b.txt": "hello\n", "src/main.go": "package main\n" } });
  const { model, xdotool, folder, home, screenshot, openChat, browse } = env;
  const paths = {
    text: join(folder, "a b.txt"),
    folder: join(folder, "src"),
    outside: join(home, "Größe & 100%.txt"),
    picture: join(home, "red.png"),
  };
  await writeFile(paths.outside, "outside\n");
  await writeFile(paths.picture, png);
  const page = join(folder, "page.html");
  await writeFile(page, "<body style='background: #ff0000'>");

  // A screen without a composer rejects the drop, and the dropped HTML file doesn't replace the app's
  // page.
  const composer = await openChat();
  const one = await startDragSource(t, "drag", { "text/uri-list": list(page), "text/plain": page });
  const refused = await drag(xdotool, one, composer);
  await refused.over();
  await xdotool("key", "ctrl+comma");
  await refused.away();
  assert.equal(await refused.drop(), "refused");
  await openChat();
  const gone = await drag(xdotool, one, composer);
  await gone.over();
  await gone.back();
  await one.close();

  // Text is dropped as text, even after a file drag was canceled.
  const words = await startDragSource(t, "drag", { "text/plain": "say no file " });
  const text = await drag(xdotool, words, composer);
  await text.over();
  assert.equal(await text.drop(), "dropped");
  await words.close();
  await xdotool("mousemove", ...composer.map(String), "click", "1", "key", "ctrl+End");
  await write(env, "has come");
  const bare = await waitForUserMessage(model, "say no file has come");
  assert.doesNotMatch(textOf(bare.content), /page\.html/);

  const all = await startDragSource(t, "drag", { "text/uri-list": list(...Object.values(paths)) });
  const files = await drag(xdotool, all, composer);
  await files.over();
  assert.equal(await files.drop(), "dropped");
  await redOn(screenshot);
  await xdotool("mousemove", ...composer.map(String), "click", "1");
  await write(env, "say what came");
  const message = await waitForUserMessage(model, "say what came");
  assert.deepEqual(images(message), [`data:image/png;base64,${png.toString("base64")}`]);
  for (const path of [paths.text, paths.folder, paths.outside])
    assert.ok(
      textOf(message.content).includes(address(path)),
      `${path} is not in ${textOf(message.content)}`,
    );

  const shown = await browse();
  await shown.getByRole("navigation").getByText("say hello").first().click();
  for (const name of ["a b.txt", "src", "Größe & 100%.txt"]) await waitForText(shown, name);
  await transcript(shown).locator("img").waitFor();
});

test("Items dropped or pasted before a chat exists are sent with its first message", async (t) => {
  const env = await startInWindow(t, { files: { "a b.txt": "hello\n" } });
  const { model, xdotool, folder, home, screenshot, openChat } = env;
  const [text, drawn] = [join(folder, "a b.txt"), join(home, "red.png")];
  await writeFile(drawn, png);
  const composer = await openChat();
  await xdotool("mousemove", ...composer.map(String), "click", "1");
  await xdotool("key", "ctrl+n");
  await emptied(screenshot, composer);

  const offer = await startDragSource(t, "drag", { "text/uri-list": list(text) });
  const files = await drag(xdotool, offer, composer);
  await files.over();
  assert.equal(await files.drop(), "dropped");
  await offer.close();
  // The image is pasted from the clipboard into the field, which gets the focus after the drop.
  const picture = await startDragSource(t, "copy", { "image/png": png, "text/html": "<img src='red.png'>" });
  await xdotool("key", "ctrl+v");
  await redOn(screenshot);
  await picture.close();
  const another = await startDragSource(t, "copy", { "text/uri-list": list(drawn) });
  await xdotool("key", "ctrl+v");
  await write(env, "say what came first");
  const message = await waitForUserMessage(model, "say what came first");
  const url = `data:image/png;base64,${png.toString("base64")}`;
  assert.deepEqual(images(message), [url, url]);
  assert.ok(textOf(message.content).includes(address(text)), textOf(message.content));
  await another.close();

  const page = await env.browse();
  await page.getByRole("navigation").getByText("say what came first").first().click();
  await waitForText(page, "a b.txt");
  await transcript(page).locator("img").first().waitFor();
});

test("A copied picture is pasted, and so are copied files", async (t) => {
  const env = await startInWindow(t, { files: { "a b.txt": "hello\n" } });
  const { model, xdotool, folder, screenshot, openChat } = env;
  const composer = await openChat();
  await xdotool("mousemove", ...composer.map(String), "click", "1");

  // Browsers and some other programs offer HTML alongside the image.
  const picture = await startDragSource(t, "copy", { "image/png": png, "text/html": "<img src='red.png'>" });
  await xdotool("key", "ctrl+v");
  await redOn(screenshot);
  await picture.close();
  await write(env, "say what it shows");
  const shown = await waitForUserMessage(model, "say what it shows");
  assert.deepEqual(images(shown), [`data:image/png;base64,${png.toString("base64")}`]);

  const path = join(folder, "a b.txt");
  const files = await startDragSource(t, "copy", {
    "text/uri-list": list(path),
    "x-special/gnome-copied-files": `copy\n${address(path)}`,
    "text/plain": path,
  });
  await xdotool("key", "ctrl+v");
  await write(env, "say what it is");
  const named = await waitForUserMessage(model, "say what it is");
  assert.ok(textOf(named.content).includes(address(path)), textOf(named.content));
  assert.deepEqual(images(named), []);
  await files.close();

  // Files that can't be attached are reported; the others are attached.
  const mixed = await startDragSource(t, "copy", { "text/uri-list": `smb://nas/c.txt\r\n${list(path)}` });
  await xdotool("key", "ctrl+v");
  await write(env, "say what is here");
  const here = await waitForUserMessage(model, "say what is here");
  assert.ok(textOf(here.content).includes(address(path)), textOf(here.content));
  await mixed.close();

  const text = await startDragSource(t, "copy", { UTF8_STRING: "say plain words", "image/png": png });
  await xdotool("key", "ctrl+v");
  await xdotool("key", "Return");
  const plain = await waitForUserMessage(model, "say plain words");
  assert.deepEqual(images(plain), []);
  await text.close();

  const page = await env.browse();
  await page.getByRole("navigation").getByText("say hello").first().click();
  for (const [kind, body] of [
    ["image/bmp", "BM"],
    ["image/png", ""],
  ]) {
    const unusable = await startDragSource(t, "copy", { [kind]: body });
    await message(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    const said = page.getByRole("alert").filter({ hasText: "Can't use the copied image." });
    await said.waitFor();
    await message(page).fill(`not ${kind}`);
    await said.waitFor({ state: "detached" });
    await unusable.close();
  }
});
