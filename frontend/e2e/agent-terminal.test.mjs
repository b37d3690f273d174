// The terminal of an agent's sign-in, under the page's Content-Security-Policy: focus, keys, pasted text, links, hostile
// output and reloads. The app is replaced by a recorder of calls.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openGallery } from "./gallery/gallery.mjs";

const gallery = await openGallery();
after(() => gallery.close());

/** record replaces the app by one that records calls and returns the given output of the terminal. */
function record(output) {
  window.calls = [];
  const get = (_, name) => {
    if (typeof name !== "string" || name === "then") return undefined;
    return (...args) => {
      window.calls.push([name, ...args]);
      const data = btoa(output);
      return Promise.resolve(
        name === "AgentTerminalOutput" ? { profileId: "codex", id: "t", offset: 0, data } : undefined,
      );
    };
  };
  window.go = { main: { App: new Proxy({}, { get }) } };
}

/** deliver passes further output to the window. */
function deliver({ offset, text }) {
  const event = { agentTerminal: { profileId: "codex", id: "t", offset, data: btoa(text) } };
  window.batches = (window.batches ?? 1) + 1;
  window.galleryBatch({ run: "gallery", first: window.batches, events: [event] });
}

/** paste pastes text into the focused element. */
function paste(text) {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
}

/** inTerminal opens the terminal with an output and calls `use`. It fails on any page or console error. */
async function inTerminal(output, use) {
  const shot = gallery.shots.find((each) => each.name === "06m6-agent-sign-in-terminal");
  const problems = [];
  const act = async (page) => {
    await page.evaluate(record, output);
    await page.getByRole("button", { name: "Show terminal" }).click();
    await page.locator(".xterm-helper-textarea").waitFor();
    await page.waitForFunction(() => window.calls.some(([name]) => name === "AgentTerminalOutput"));
    await page.waitForFunction(() => document.activeElement?.className === "xterm-helper-textarea");
  };
  await gallery.withShot({ ...shot, act }, { colorScheme: "light" }, (what) => problems.push(what), use);
  assert.deepEqual(problems, []);
}
const rows = (page) => page.locator(".terminal-host .xterm-rows");
const calls = (page, name) =>
  page.evaluate((of) => window.calls.filter(([each]) => each === of).map(([, ...args]) => args), name);
const typed = async (page) => (await calls(page, "WriteAgentTerminal")).map(([, text]) => text).join("");

test("keys reach the program, and Ctrl+Tab leaves the terminal", () =>
  inTerminal("login: ", async (page) => {
    await rows(page).getByText("login:").waitFor();
    await page.keyboard.type("anna");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() =>
      window.calls
        .map((call) => call[2])
        .join("")
        .includes("\t"),
    );
    assert.equal(await typed(page), "anna\u001b\t");
    assert.equal(await page.getByRole("dialog").count(), 1);
    await page.keyboard.press("Control+Tab");
    const stop = page.getByRole("button", { name: "Cancel sign-in…" });
    assert.ok(await stop.evaluate((button) => button === document.activeElement));
    // Outside of the terminal, Escape asks before it ends the program.
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Cancel the sign-in?" }).waitFor();
    assert.deepEqual(await calls(page, "CancelAgentSignIn"), []);
    await page.getByRole("button", { name: "Cancel sign-in", exact: true }).click();
    await page.waitForFunction(() => window.calls.some(([name]) => name === "CancelAgentSignIn"));
  }));

test("the program learns the size of the terminal", () =>
  inTerminal("ready", async (page) => {
    await page.waitForFunction(() => window.calls.some(([name]) => name === "ResizeAgentTerminal"));
    const [, columns, lines] = (await calls(page, "ResizeAgentTerminal")).at(-1);
    assert.ok(columns > 60 && lines > 10, `${columns} by ${lines}`);
    await page.setViewportSize({ width: 720, height: 480 });
    await page.waitForFunction((was) => {
      const sizes = window.calls.filter(([name]) => name === "ResizeAgentTerminal");
      return sizes.at(-1)[3] < was;
    }, lines);
  }));

test("pasted text is bracketed and can't contain control characters", () =>
  inTerminal("\u001b[?2004hcode: ", async (page) => {
    await rows(page).getByText("code:").waitFor();
    await page.evaluate(paste, "7K4P\u001b[201~\u0003QX2M");
    await page.waitForFunction(() => window.calls.some(([name]) => name === "WriteAgentTerminal"));
    assert.equal(await typed(page), "\u001b[200~7K4P[201~QX2M\u001b[201~");
  }));

test("a link is opened only after a question that shows its address", () =>
  inTerminal("\u001b]8;;https://another.example.com/\u0007the page\u001b]8;;\u0007\r\n", async (page) => {
    const link = rows(page).getByText("the page");
    await link.waitFor();
    const box = await link.boundingBox();
    await page.mouse.move(box.x + 10, box.y + box.height / 2);
    await page.mouse.move(box.x + 14, box.y + box.height / 2);
    await page.mouse.click(box.x + 14, box.y + box.height / 2);
    await page.getByText("https://another.example.com/").waitFor();
    assert.deepEqual(await calls(page, "OpenURL"), []);
    await page.getByRole("button", { name: "Open in browser" }).click();
    await page.waitForFunction(() => window.calls.some(([name]) => name === "OpenURL"));
    assert.deepEqual(await calls(page, "OpenURL"), [["https://another.example.com/"]]);
  }));

test("hostile output changes nothing outside of the terminal", async () => {
  const questions = "\u001b[c\u001b[6n";
  const output = `\u001b]0;Owned\u0007\u001b]2;Owned\u0007\u001b]52;c;c3RvbGVu\u0007\u001b]11;#ff0000\u0007\u001b]10;#f00;?\u0007${questions}safe`;
  await inTerminal(output, async (page) => {
    await rows(page).getByText("safe").waitFor();
    assert.equal(await page.title(), "VoxPilot");
    assert.deepEqual(await calls(page, "Copy"), []);
    // No terminal has shown this output yet, so its questions are answered, once.
    const answers = "\u001b[?1;2c\u001b[1;1R";
    await page.waitForFunction(
      () => window.calls.filter(([name]) => name === "WriteAgentTerminal").length > 0,
    );
    assert.equal((await typed(page)).slice(0, answers.length), answers);
    await page.evaluate(deliver, { offset: output.length, text: "\u001b[6n new" });
    await rows(page).getByText("safe new").waitFor();
    await page.waitForFunction(
      (size) =>
        window.calls
          .filter(([name]) => name === "WriteAgentTerminal")
          .flatMap(([, , text]) => text)
          .join("").length > size,
      answers.length,
    );
    assert.match((await typed(page)).slice(answers.length).replace("\u001b", "ESC"), /^ESC\[\d+;\d+R$/);
  });
});
