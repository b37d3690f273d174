// Takes a picture of every state of the window, in light and dark:
//
//   node e2e/gallery/run.mjs [part of a name]
//
// The built page is served as it ships, with its policy; the app behind it is
// fixtures (index.ts). Pictures go to e2e/.out/gallery. Where GALLERY_REFERENCE
// names a folder of reference pictures, each is put beside its own.
// It fails where the page throws, breaks its policy, asks for anything but its
// own files, lets something run out of its box, or breaks a rule of axe.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";
import { build, createServer, preview } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "e2e/.out/gallery");
const filter = process.argv[2] ?? "";
const reference = process.env.GALLERY_REFERENCE ?? "";
const executablePath = process.env.VOXPILOT_CHROMIUM ?? "/usr/bin/chromium";
mkdirSync(out, { recursive: true });

/** What stands for the app in the page. */
function standIn({ kept, now }) {
  // The clock stands still, so that every picture says the same.
  window.Date = class extends Date {
    constructor(...args) {
      if (args.length === 0) super(now);
      else super(...args);
    }
    static now() {
      return now;
    }
  };
  for (const [key, value] of Object.entries(kept)) {
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

/** What runs out of its box, or has no name. */
function audit() {
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest("svg, .sr, [aria-hidden=true]")) return [];
    const text = (element.textContent ?? "").trim().slice(0, 40);
    const name = `${element.tagName.toLowerCase()}.${element.className} "${text}"`;
    const found = [];
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`off the side: ${name}`);
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

function answer(shot, url) {
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
    case "/data/sessions":
      return { sessions: shot.sessions ?? [] };
    case "/data/processes":
      return shot.processes ?? [];
    case "/data/audit":
      return { permissions: shot.audit ?? [] };
    case "/data/doctor":
      return shot.doctor ?? { checks: [], log: [], text: "", version: "0.1.0" };
    default:
      return undefined;
  }
}

async function serve(shot, route) {
  const url = new URL(route.request().url());
  if (url.pathname === "/data/avatar" && shot.avatar) {
    return route.fulfill({ body: Buffer.from(shot.avatar, "base64"), contentType: "image/png" });
  }
  if (url.pathname === "/data/content") {
    const body = Buffer.from(shot.contents?.[url.searchParams.get("id")] ?? "");
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? 0);
    return route.fulfill({
      body: body.subarray(offset, offset + limit),
      headers: { "X-Size": String(body.length), "X-Version": "1" },
    });
  }
  const json = answer(shot, url);
  if (json !== undefined) return route.fulfill({ json });
  return route.fulfill({
    status: 404,
    json: { code: "not_found", message: `${url.pathname} is not in the gallery.` },
  });
}

const loader = await createServer({
  root,
  server: { middlewareMode: true, hmr: false, ws: false },
  appType: "custom",
  logLevel: "error",
});
const { shots, now } = await loader.ssrLoadModule("/e2e/gallery/index.ts");
await loader.close();
const outDir = join(root, "e2e/.out/dist");
await build({ root, build: { outDir, emptyOutDir: true }, logLevel: "error" });
const server = await preview({
  root,
  build: { outDir },
  preview: { port: 0, host: "127.0.0.1" },
  logLevel: "error",
});
const origin = server.resolvedUrls.local[0].replace(/\/$/, "");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

const problems = [];
const pairs = [];
try {
  for (const shot of shots.filter((each) => each.name.includes(filter))) {
    const [width, height] = shot.size ?? [1280, 800];
    for (const colorScheme of ["light", "dark"]) {
      const name = `${shot.name}-${colorScheme}`;
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: "en-GB" });
      const page = await context.newPage();
      page.setDefaultTimeout(5000);
      const problem = (what) => problems.push(`${name}: ${what}`);
      page.on("pageerror", (error) => problem(`error: ${error.message}`));
      page.on("console", (message) => message.type() === "error" && problem(`console: ${message.text()}`));
      page.on("request", (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
          problem(`asks for ${request.url()}`);
      });
      try {
        await page.addInitScript(standIn, { kept: shot.kept ?? {}, now });
        await page.route("**/data/**", (route) => serve(shot, route));
        await page.goto(origin);
        await page.waitForFunction(() => performance.getEntriesByName("voxpilot:chats-painted").length > 0);
        if (shot.later) {
          const batch = { run: "gallery", first: 2, events: shot.later };
          await page.evaluate((each) => window.galleryBatch(each), batch);
        }
        await shot.act?.(page);
        await page.evaluate(() => document.fonts.ready);
        await page.waitForTimeout(150);
        await page.screenshot({ path: join(out, `${name}.png`), animations: "disabled", caret: "hide" });
        if (colorScheme === "light") for (const what of await page.evaluate(audit)) problem(what);
        // An open menu hangs outside of every landmark, as menus do.
        const hasMenu = (await page.locator("[role=menu]").count()) > 0;
        const axe = new AxeBuilder({ page }).disableRules(hasMenu ? ["region"] : []);
        const { violations } = await axe.analyze();
        for (const each of violations) {
          for (const node of each.nodes)
            problem(`${each.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`);
        }
        pairs.push({ name, reference: `${shot.reference ?? shot.name}-${colorScheme}.png`, width });
      } catch (thrown) {
        problem(String(thrown));
      }
      await context.close();
    }
  }
  if (reference !== "") {
    const page = await browser.newPage();
    const image = (path) => `data:image/png;base64,${readFileSync(path).toString("base64")}`;
    for (const pair of pairs) {
      const path = join(reference, pair.reference);
      if (!existsSync(path)) continue;
      await page.setViewportSize({ width: pair.width * 2 + 8, height: 800 });
      await page.setContent(
        `<body style="margin:0;display:flex;gap:8px;align-items:start;background:#f0f"><img src="${image(path)}"><img src="${image(join(out, `${pair.name}.png`))}">`,
      );
      await page.locator("body").screenshot({ path: join(out, `${pair.name}.pair.png`) });
    }
  }
} finally {
  await browser.close();
  await server.close();
}
writeFileSync(join(out, "problems.txt"), problems.join("\n"));
for (const each of problems) console.error(each);
console.error(`${pairs.length} pictures in ${out}, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
