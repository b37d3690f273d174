// Draws build/appicon.png and build/windows/icon.ico from build/appicon.svg
// with Chromium. Run it after a change of the drawing, from the project's root:
//
//	node build/icons.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../frontend/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const drawing = readFileSync(new URL("appicon.svg", import.meta.url), "utf8");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();

// The margin around the ground is macOS's; small icons of other systems would
// waste their few pixels on it.
async function draw(size, viewBox) {
  await page.setViewportSize({ width: size, height: size });
  const svg = drawing.replace(/viewBox="[^"]*"/, `viewBox="${viewBox}" width="${size}" height="${size}"`);
  await page.setContent(`<style>html,body{margin:0;background:transparent}svg{display:block}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

writeFileSync(new URL("appicon.png", import.meta.url), await draw(1024, "0 0 1024 1024"));

// An .ico is a directory of 16 bytes an image, and the images, here as PNG.
const sizes = [16, 24, 32, 48, 64, 128, 256];
const images = [];
for (const size of sizes) images.push(await draw(size, "92 92 840 840"));
const head = Buffer.alloc(6 + 16 * sizes.length);
head.writeUInt16LE(1, 2);
head.writeUInt16LE(sizes.length, 4);
let offset = head.length;
sizes.forEach((size, i) => {
  const at = 6 + 16 * i;
  head[at] = head[at + 1] = size % 256; // 0 means 256
  head.writeUInt16LE(1, at + 4);
  head.writeUInt16LE(32, at + 6);
  head.writeUInt32LE(images[i].length, at + 8);
  head.writeUInt32LE(offset, at + 12);
  offset += images[i].length;
});
writeFileSync(new URL("windows/icon.ico", import.meta.url), Buffer.concat([head, ...images]));
await browser.close();
