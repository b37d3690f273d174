// Renders the icons of the Linux packages from build/appicon.svg with Chromium. Run it
// from the project's root after changing the drawing:
//
//	node build/package/icons.mjs
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../frontend/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const drawing = readFileSync(new URL("../appicon.svg", import.meta.url), "utf8");
// The margin is removed, since only macOS icons have one.
const tight = drawing.replace(/viewBox="[^"]*"/, 'viewBox="92 92 840 840"');

const folder = new URL("linux/icons/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("scalable.svg", folder), tight);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
for (const size of [16, 22, 24, 32, 48, 64, 96, 128, 256, 512]) {
  await page.setViewportSize({ width: size, height: size });
  const svg = tight.replace("<svg ", `<svg width="${size}" height="${size}" `);
  await page.setContent(`<style>html,body{margin:0;background:transparent}svg{display:block}</style>${svg}`);
  writeFileSync(new URL(`${size}.png`, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();
