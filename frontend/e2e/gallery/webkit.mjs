// The gallery in WebKitGTK, the engine of the app's window on Linux. A small server serves the built page
// and its fixtures, and build/webkitshot takes the pictures.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { build } from "vite";
import { executablePath, readShots, responseFor, root, stubApp } from "./gallery.mjs";

const run = promisify(execFile);
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/**
 * ready runs in the page. It waits for the first rendering, performs the actions, waits until the page no
 * longer changes, and then sets the title to "picture".
 */
async function ready({ act, wait }) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const still = document.createElement("link");
  still.rel = "stylesheet";
  still.href = "/still.css";
  document.head.append(still);
  const waitFor = async (fact) => {
    while (!fact()) await frame();
  };
  if (wait) await waitFor(() => performance.getEntriesByName("voxpilot:chats-painted").length > 0);
  const seen = (selector) => waitFor(() => document.querySelector(selector));
  for (const [what, ...on] of act) {
    if (what === "key") {
      // The key press is repeated because the page may not be listening for it yet.
      const [key, code, selector] = on;
      const init = { key, code, ctrlKey: true, bubbles: true, cancelable: true };
      for (let frames = 0; !document.querySelector(selector); frames++) {
        if (frames % 60 === 0)
          (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", init));
        await frame();
      }
    } else if (what === "type") {
      const field = document.querySelector(on[0]);
      field.value = on[1];
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    } else if (what === "click") document.querySelector(on[0]).click();
    else await seen(on[0]);
  }
  await document.fonts.ready;
  // Syntax highlighting takes many frames.
  await waitFor(() => !document.documentElement.hasAttribute("data-waits"));
  for (let frames = 0; frames < 10; frames++) await frame();
  document.title = "picture";
}

/** Turns off animations, transitions and the caret, and hides the robot, which comes from a system font. */
const still = `*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
.bot { visibility: hidden; }`;

const weights = ["regular", "medium", "semibold"];
const sample = "Fix token refresh race Copy code Check again Sign in to GitHub Rename billing webhooks";
const lineHeight = 20;
const plainLines = `body { background: #fff; color: #1b1d22; } p { height: ${lineHeight}px; font-size: 13px; line-height: ${lineHeight}px; white-space: nowrap; }`;

/**
 * inkOf measures a picture that shows one line of text in each font weight. It returns the total darkness
 * of each line by weight.
 */
async function inkOf(path, width) {
  const options = { encoding: "buffer", maxBuffer: 64 * 1024 * 1024 };
  const args = [path, "-colorspace", "gray", "-depth", "8", "gray:-"];
  const { stdout } = await run("convert", args, options);
  const line = (at) => stdout.subarray(at * lineHeight * width, (at + 1) * lineHeight * width);
  const ink = (at) => line(at).reduce((sum, gray) => sum + 255 - gray, 0);
  return Object.fromEntries(weights.map((name, at) => [name, ink(at)]));
}

/**
 * openWebKit builds the page and webkitshot. The `take` function that it returns renders shots in the
 * given order.
 */
export async function openWebKit() {
  const { shots, now } = await readShots();
  const dir = mkdtempSync(join(tmpdir(), "voxpilot-webkit-"));
  const [pages, program] = [join(dir, "page"), join(dir, "webkitshot")];
  await run("go", ["build", "-o", program, "./build/webkitshot"], { cwd: join(root, "..") });
  await build({ root, build: { outDir: pages, emptyOutDir: true }, logLevel: "error" });
  const looks = [];

  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://page");
    const [, index] = /^\/(\d+)\//.exec(request.url) ?? /look=(\d+)/.exec(request.headers.cookie ?? "") ?? [];
    const look = looks[Number(index)];
    const send = (body, type, more = {}) => {
      response.writeHead(200, { "content-type": type, ...more });
      response.end(body);
    };
    const path = url.pathname.replace(/^\/\d+\//, "/");
    if (path === "/still.css") return send(still, "text/css");
    if (path === "/weights") {
      const html = readFileSync(join(pages, "index.html"), "utf8");
      const [style] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      const lines = weights.map((name) => `<p style="font-weight:var(--w-${name})">${sample}</p>`).join("");
      const done = `document.fonts.ready.then(() => setTimeout(() => { document.title = "picture"; }, 200));`;
      const look = `localStorage.setItem("voxpilot.look", '{"theme":"light"}');`;
      return send(
        `<html lang="en"><head><script>${look}</script><script src="/before-paint.js"></script>${style}<style>${plainLines}</style></head><body>${lines}<script>${done}</script></body></html>`,
        types[".html"],
      );
    }
    if (path === "/data/content") {
      const body = Buffer.from(look.shot.contents?.[url.searchParams.get("id")] ?? "");
      const [offset, limit] = ["offset", "limit"].map((name) => Number(url.searchParams.get(name) ?? 0));
      return send(body.subarray(offset, offset + limit), "application/octet-stream", {
        "X-Size": String(body.length),
        "X-Version": "1",
      });
    }
    if (path.startsWith("/data/")) {
      const json = responseFor(look.shot, new URL(path + url.search, url));
      if (json !== undefined) return send(JSON.stringify(json), "application/json");
      response.writeHead(404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ code: "not_found", message: `${path} is not in the gallery.` }));
    }
    if (path === "/") {
      const before = `(${stubApp})(${JSON.stringify({ stored: look.stored, now })});`;
      const after = `(${ready})(${JSON.stringify({ act: look.act ?? [], wait: !look.shot.path })});`;
      const html = readFileSync(join(pages, "index.html"), "utf8")
        .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
        .replace("<head>", `<head><script>${before}</script>`)
        .replace("</body>", `<script>${after}</script></body>`);
      return send(html, types[".html"], { "set-cookie": `look=${index}; Path=/` });
    }
    try {
      send(readFileSync(join(pages, path)), types[extname(path)] ?? "application/octet-stream");
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;

  /** take renders pictures, each of a shot with a theme, a language and actions. */
  async function take(wanted) {
    const args = wanted.flatMap(({ name, language = "en", theme, act, change = {} }, i) => {
      const shot = shots.find((each) => each.name === name);
      if (!shot) throw new Error(`the gallery has no ${name}`);
      const settings = (event) =>
        event.settings ? { settings: { ...event.settings, theme, language, ...change } } : event;
      const stored = {
        ...shot.localStorage,
        "voxpilot.language": language,
        "voxpilot.look": JSON.stringify({ theme }),
      };
      looks[i] = { shot: { ...shot, app: shot.app.map(settings) }, stored, act };
      const [width, height] = shot.size ?? [1280, 800];
      return [`${origin}/${i}/`, join(dir, `${i}.png`), String(width), String(height)];
    });
    await run(program, args);
    return wanted.map((_, i) => readFileSync(join(dir, `${i}.png`)));
  }

  /**
   * measure renders a line in each font weight. It returns what inkOf measures in WebKitGTK, followed by
   * what it measures in Chromium.
   */
  async function measure() {
    const [width, height] = [720, 100];
    const [here, there] = [join(dir, "weights.png"), join(dir, "chromium.png")];
    await run(program, [`${origin}/weights`, here, String(width), String(height)]);
    const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--disable-lcd-text"];
    const browser = await chromium.launch({ executablePath, args });
    try {
      const page = await browser.newPage({ viewport: { width, height } });
      await page.goto(`${origin}/weights`);
      await page.waitForFunction(() => document.title === "picture");
      await page.screenshot({ path: there });
    } finally {
      await browser.close();
    }
    return [await inkOf(here, width), await inkOf(there, width)];
  }

  return {
    take,
    weights: measure,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
