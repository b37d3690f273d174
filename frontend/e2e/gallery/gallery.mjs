// The gallery runs the built page, with its content security policy, in a browser. The fixtures in index.ts
// replace the app.

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, createServer, preview } from "vite";
import { inLanguage, translator } from "./translations.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));
// The axe-core version pinned by @axe-core/playwright.
const { source: axeSource } = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"))(
  "axe-core",
);
export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * stubApp runs in the page before its scripts. It freezes the clock, fills localStorage and replaces the
 * app.
 */
export function stubApp({ stored, now }) {
  // The clock is frozen so that all pictures show the same time.
  window.Date = class extends Date {
    constructor(...args) {
      if (args.length === 0) super(now);
      else super(...args);
    }
    static now() {
      return now;
    }
  };
  for (const [key, value] of Object.entries(stored)) {
    if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
  }
  window.go = { main: { App: new Proxy({}, { get: () => () => Promise.resolve() }) } };
  window.runtime = {
    EventsOn: (_, callback) => {
      window.galleryBatch = callback;
      return () => {};
    },
  };
}

/**
 * The number of screens that a test file checks at a time. build/e2e.sh sets E2E_SCREENS to 1 if it runs
 * other test files at the same time.
 */
export const screensAtATime = Number(process.env.E2E_SCREENS ?? 2);

/**
 * audit lists the elements that cross the sides of the window or overflow their box, and the buttons and links without
 * a name.
 */
export function audit() {
  // Content in a horizontally scrollable element is reachable.
  const scrolls = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest("svg, .sr, [aria-hidden=true]")) return [];
    const text = (element.textContent ?? "").trim().slice(0, 40);
    const name = `${element.tagName.toLowerCase()}.${element.className} "${text}"`;
    const found = [];
    if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(element))
      found.push(`off the side: ${name}`);
    if (
      style.overflowX === "hidden" &&
      element.scrollWidth > element.clientWidth + 1 &&
      style.textOverflow !== "ellipsis" &&
      !element.closest(".out, .diff, textarea, input")
    ) {
      found.push(`cut off: ${name}`);
    }
    if (element.matches("button, a, .btn, .tag, .pill") && style.overflow === "visible") {
      if (element.scrollWidth > element.clientWidth + 2) found.push(`spills: ${name}`);
    }
    if (element.matches("button, a") && !(element.getAttribute("aria-label") || text)) {
      found.push(`has no name: ${name}`);
    }
    return found;
  });
}

/** The request header with the ID of the seat (a reused browser page) that sends the request. */
const seatHeader = "x-voxpilot-seat";

export function responseFor(shot, url) {
  const query = url.searchParams;
  switch (url.pathname) {
    case "/data/app":
      return { run: "gallery", seq: 1, events: shot.app };
    case "/data/chat":
      return { run: "gallery", seq: 1, events: shot.chats?.[query.get("id")] ?? [] };
    case "/data/folder": {
      const path = query.get("path");
      const facts = { path, name: "", exists: false, branch: "", changed: 0, message: "" };
      return { ...facts, ...shot.folders?.[path] };
    }
    case "/data/items":
      if (query.get("aside")) return { run: "gallery", seq: 1, events: shot.aside ?? [], before: 0 };
      return { run: "gallery", seq: 1, events: shot.chats?.[query.get("chat")] ?? [], before: 0 };
    case "/data/search":
      return shot.hits ?? { hits: [], groups: [], total: 0 };
    case "/data/files":
      return { files: shot.files ?? [], total: shot.files?.length ?? 0 };
    case "/data/sessions":
      return { sessions: shot.sessions ?? [] };
    case "/data/processes":
      return shot.processes ?? [];
    case "/data/audit":
      return { permissions: shot.audit ?? [] };
    case "/data/declared":
      return {
        modes: [
          { id: "agent", name: "Agent" },
          { id: "plan", name: "Plan" },
        ],
        options: [
          {
            id: "model",
            name: "Model",
            category: "model",
            type: "select",
            value: "gpt-4.1",
            choices: [
              { id: "gpt-4.1", name: "GPT-4.1" },
              { id: "claude-sonnet-4.5", name: "Claude Sonnet 4.5" },
            ],
          },
        ],
      };
    case "/data/licences":
      return { components: shot.licenses ?? [] };
    case "/data/review-disk":
      return { state: "1" };
    case "/data/doctor":
      return shot.doctor ?? { checks: [], log: [], text: "", version: "0.1.0" };
    default: {
      const answer = shot.data?.[url.pathname.slice("/data/".length)];
      return typeof answer === "function" ? answer(query) : answer;
    }
  }
}

/** answer responds to a request of the page below /data/. */
function answer(shot, url, response) {
  const send = (status, type, body, headers = {}) => {
    response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store", ...headers });
    response.end(body);
  };
  if (url.pathname === "/data/avatar" && shot.avatar)
    return send(200, "image/png", Buffer.from(shot.avatar, "base64"));
  if (url.pathname === "/data/content") {
    const body = Buffer.from(shot.contents?.[url.searchParams.get("id")] ?? "");
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? 0);
    const size = { "X-Size": String(body.length), "X-Version": "1" };
    return send(200, "text/plain; charset=utf-8", body.subarray(offset, offset + limit), size);
  }
  const json = responseFor(shot, url);
  if (json !== undefined) return send(200, "application/json", JSON.stringify(json));
  const missing = { code: "not_found", message: `${url.pathname} is not in the gallery.` };
  return send(404, "application/json", JSON.stringify(missing));
}

/** readShots returns the fixtures as data, and translators from English to the other languages. */
export async function readShots() {
  // The catalogs read the language from the page, which doesn't exist in this process.
  globalThis.navigator ??= { languages: [], platform: "", userAgent: "" };
  globalThis.document ??= { documentElement: {} };
  const loader = await createServer({
    root,
    server: { middlewareMode: true, hmr: false, ws: false },
    appType: "custom",
    logLevel: "error",
  });
  try {
    const { shots, now } = await loader.ssrLoadModule("/e2e/gallery/index.ts");
    const { english } = await loader.ssrLoadModule("/src/i18n/english.ts");
    const { german } = await loader.ssrLoadModule("/src/i18n/de/index.ts");
    const { chinese } = await loader.ssrLoadModule("/src/i18n/zh/index.ts");
    const translators = { de: translator(english, german), zh: translator(english, chinese) };
    return { shots, now, translators };
  } finally {
    await loader.close();
  }
}

/**
 * openGallery serves the built page in the folder VOXPILOT_PAGE, or builds it into a temporary folder, and starts a
 * browser. The result's `close` method stops both and removes the temporary folder.
 */
export async function openGallery() {
  const { shots, now, translators } = await readShots();
  const built = process.env.VOXPILOT_PAGE;
  const outDir = built ?? mkdtempSync(join(tmpdir(), "voxpilot-gallery-"));
  if (!built) await build({ root, build: { outDir, emptyOutDir: true }, logLevel: "error" });
  // The server answers requests for data itself: if the browser intercepted them, it would
  // neither cache the page's scripts nor keep them compiled for the next shot.
  const seats = new Map();
  let opened = 0;
  const data = (request, response, next) => {
    const url = new URL(request.url, "http://gallery");
    const seat = seats.get(request.headers[seatHeader]);
    if (seat && url.pathname.startsWith("/data/")) answer(seat.shot, url, response);
    else next();
  };
  const server = await preview({
    root,
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
    plugins: [
      { name: "voxpilot:data", configurePreviewServer: (server) => void server.middlewares.use(data) },
    ],
    logLevel: "error",
  });
  const origin = server.resolvedUrls.local[0].replace(/\/$/, "");
  // Fixed text rendering settings, so that pictures from different machines are comparable.
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--disable-lcd-text"];
  const browser = await chromium.launch({ executablePath, args });

  // A new page in a new context costs four times as much as reusing a page for the next shot. Idle pages
  // are therefore reused, grouped by the options that can't be changed later.
  const idle = new Map();

  /** newSeat opens a browser page in its own context. A seat is used for one shot after another. */
  async function newSeat(fixed) {
    const id = String(++opened); // two seats may be opened at the same time
    const context = await browser.newContext({
      locale: "en-GB",
      extraHTTPHeaders: { [seatHeader]: id },
      ...fixed,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const seat = { context, page, devtools: await context.newCDPSession(page) };
    seats.set(id, seat);
    page.on("request", (request) => {
      seat.requests.add(request);
      if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url()))
        seat.problem(`asks for ${request.url()}`);
    });
    page.on("requestfinished", (request) => seat.requests.delete(request));
    page.on("requestfailed", (request) => seat.requests.delete(request));
    page.on("pageerror", (error) => seat.problem(`error: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && seat.problem(`console: ${message.text()}`));
    await seat.devtools.send("Page.enable");
    return seat;
  }

  /** sit sets up a seat's page for a shot. */
  async function sit(seat, shot, problem, { colorScheme, contrast, reducedMotion, forcedColors }) {
    const [width, height] = shot.size ?? [1280, 800];
    const { page, devtools } = seat;
    Object.assign(seat, { shot, problem, requests: new Set() });
    await page.setViewportSize({ width, height });
    await page.emulateMedia({
      colorScheme: colorScheme ?? "light",
      contrast: contrast ?? "no-preference",
      reducedMotion: reducedMotion ?? "no-preference",
      forcedColors: forcedColors ?? "none",
    });
    const source = `(${stubApp})(${JSON.stringify({ stored: shot.localStorage ?? {}, now })})`;
    ({ identifier: seat.script } = await devtools.send("Page.addScriptToEvaluateOnNewDocument", { source }));
  }

  /** leave resets a seat's page, so that nothing of this shot affects the next one. */
  async function leave(seat) {
    const { page, devtools } = seat;
    Object.assign(seat, { problem: () => {} });
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("about:blank");
    // The pointer leaves the page so that it hovers over nothing in the next shot.
    await page.mouse.move(-100, -100);
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage,indexeddb" });
    await devtools.send("Page.removeScriptToEvaluateOnNewDocument", { identifier: seat.script });
  }

  /**
   * withShot opens a shot, performs its actions and calls `use` with the page. It calls `problem` for each page
   * error, console error and request to another server.
   */
  async function withShot(shot, look, problem, use) {
    const { colorScheme, contrast, reducedMotion, forcedColors, ...fixed } = look;
    const kind = JSON.stringify(fixed);
    if (!idle.has(kind)) idle.set(kind, []);
    const seat = idle.get(kind).pop() ?? (await newSeat(fixed));
    try {
      await sit(seat, shot, problem, look);
      const { page } = seat;
      await page.goto(new URL(shot.path ?? "/", origin).href);
      await page.waitForFunction(
        (own) => own || performance.getEntriesByName("voxpilot:chats-painted").length > 0,
        shot.path !== undefined,
      );
      if (shot.later) {
        // Later events must not arrive until the chat has rendered.
        const isOpen = Object.values(shot.chats ?? {}).some((events) => events.some((event) => event.item));
        if (isOpen) await page.locator(".transcript :is(.msg, .banner, details)").first().waitFor();
        const batch = { run: "gallery", first: 2, events: shot.later };
        await page.evaluate((each) => window.galleryBatch(each), batch);
      }
      const translate = translators[look.locale?.slice(0, 2)];
      await shot.act?.(translate ? inLanguage(page, translate) : page);
      await page.evaluate(() => document.fonts.ready);
      do await waitForStillness(page);
      while (seat.requests.size > 0);
      await use(page);
      await leave(seat);
    } catch (error) {
      await seat.context.close();
      throw error;
    }
    idle.get(kind).push(seat);
  }

  return {
    shots,
    browser,
    withShot,
    close: async () => {
      await browser.close();
      await server.close();
      if (!built) rmSync(outDir, { recursive: true, force: true });
    },
  };
}

/**
 * waitForStillness waits until the DOM has been unchanged for a while and no code is waiting for syntax
 * highlighting.
 */
async function waitForStillness(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const done = () => {
          if (document.documentElement.hasAttribute("data-waits")) {
            quiet = setTimeout(done, 150);
            return;
          }
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        };
        let quiet = setTimeout(done, 150);
        const observer = new MutationObserver(() => {
          clearTimeout(quiet);
          quiet = setTimeout(done, 150);
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      }),
  );
}

/** picture takes a screenshot without animations or a caret. */
export function picture(page) {
  return page.screenshot({ animations: "disabled", caret: "hide" });
}

/** axe returns the axe violations of a page, one line each. It runs all rules if none are given. */
export async function axe(page, rules) {
  // axe stays loaded in the page for the next call: loading it costs as much as running it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const options = { resultTypes: ["violations"] };
  if (rules) options.runOnly = { type: "rule", values: rules };
  // Open menus are outside all landmarks, as is usual.
  else if ((await page.locator("[role=menu]").count()) > 0) options.rules = { region: { enabled: false } };
  const violations = await page.evaluate(
    (each) => window.axe.run(document, each).then((found) => found.violations),
    options,
  );
  return violations.flatMap((each) =>
    each.nodes.map((node) => `${each.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`),
  );
}
