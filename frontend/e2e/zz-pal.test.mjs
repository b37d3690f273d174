import { test } from "node:test";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { start, until } from "./harness.mjs";
import { openWindow, inspectorAddress } from "./webkit.mjs";
const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const nap = (ms) => new Promise((r) => setTimeout(r, ms));
test("palette", async (t) => {
  const address = await inspectorAddress();
  const { page, app } = await start(t, { env: { WEBKIT_INSPECTOR_HTTP_SERVER: address }, prepare: ({ dataDir, folder }) =>
      run("go", ["run", "./internal/longchat", "-paragraphs", "12", dataDir, folder, "40"], { cwd: root }) });
  await page.close();
  const w = await openWindow(app, address);
  await until(() => w.evaluate(() => { const c = document.querySelector('.chat'); c?.click(); return !!c; }), "list");
  await until(() => w.evaluate(() => !!document.querySelector('.entry')), "shown");
  const { x, y } = await w.place();
  for (const fixed of [false, true]) {
    await w.evaluate((fixed) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(fixed ? "" : '[aria-hidden="true"] .scroll.bar-over{scrollbar-width:thin !important}'); document.adoptedStyleSheets = [sheet]; }, fixed);
    await w.xdotool("mousemove", String(x + 500), String(y + 300), "click", "4"); await nap(60);
    await w.xdotool("click", "4", "key", "ctrl+k");
    await until(() => w.evaluate(() => !!document.querySelector('.pal')), "palette");
    await w.xdotool("mousemove_relative", "4", "4"); await nap(80);
    await run("import", ["-window", "root", `/tmp/scrollwork/proof-${fixed ? "after" : "before"}.png`], { env: app.env });
    console.log(fixed, await w.evaluate(() => [document.querySelector('.scroll').className, !!document.querySelector('[aria-hidden=true] .scroll'), getComputedStyle(document.querySelector('.scroll')).scrollbarWidth]));
    await w.xdotool("key", "Escape");
    await until(() => w.evaluate(() => !document.querySelector('.pal')), "closed");
    await nap(300);
  }
  w.close();
});
