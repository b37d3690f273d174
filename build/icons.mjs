// Renders build/appicon.png, build/linux/window.png and build/windows/icon.ico from
// build/appicon.svg, and the tray icons, with Chromium. Run it from the project's root
// after changing a drawing:
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

async function paint(size, svg) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>html,body{margin:0;background:transparent}svg{display:block}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

// macOS icons have a margin, which would waste pixels in the small icons of other systems.
const draw = (size, viewBox) =>
  paint(size, drawing.replace(/viewBox="[^"]*"/, `viewBox="${viewBox}" width="${size}" height="${size}"`));

// ico returns an .ico file: a header, a directory entry of 16 bytes for each image, and
// the images as PNG.
async function ico(sizes, image) {
  const images = [];
  for (const size of sizes) images.push(await image(size));
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
  return Buffer.concat([head, ...images]);
}

writeFileSync(new URL("appicon.png", import.meta.url), await draw(1024, "0 0 1024 1024"));
// On Linux the window icon is sent to the window manager as pixels whenever the window is
// shown: at 1024 pixels, that is 4 MB and takes 30 ms.
writeFileSync(new URL("linux/window.png", import.meta.url), await draw(128, "92 92 840 840"));
writeFileSync(
  new URL("windows/icon.ico", import.meta.url),
  await ico([16, 24, 32, 48, 64, 128, 256], (size) => draw(size, "92 92 840 840")),
);

// ── The tray ────────────────────────────────────────────────────────────────
//
// Tray icons have one color and a grid of 22 by 22; the state is in the shape. Panels
// recolor such icons by filling all paths, so they contain only filled paths, no strokes
// or masks. The gap between a badge and the five bars is therefore part of the paths.

const f = (n) => String(Math.round(n * 1000) / 1000);
const at = ([x, y]) => `${f(x)} ${f(y)}`;

// The bars of the logo are 2.6 wide and have round ends.
const bar = (x, bottom) => `M${at([x, 5.3])}a1.3 1.3 0 0 1 2.6 0V${f(bottom - 1.3)}a1.3 1.3 0 0 1 -2.6 0z`;
const whole = [bar(2, 10), bar(5.9, 14), bar(9.7, 18), bar(13.5, 14), bar(17.4, 10)].join("");

// The badge is at the lower right, with a transparent gap around it.
const badge = { x: 17.4, y: 17, gap: 5.6 };
const edge = (x) => badge.y - Math.sqrt(badge.gap ** 2 - (x - badge.x) ** 2);
// bite is the point where the gap meets the round end of the longest bar.
const bite = (() => {
  const [cx, cy, r] = [11, 16.7, 1.3];
  const [dx, dy] = [badge.x - cx, badge.y - cy];
  const d = Math.hypot(dx, dy);
  const along = (d * d + r * r - badge.gap ** 2) / (2 * d);
  const aside = Math.sqrt(r * r - along * along);
  return [cx + (along * dx - aside * dy) / d, cy + (along * dy + aside * dx) / d];
})();
const around = (to) => `A${badge.gap} ${badge.gap} 0 0 0 ${at(to)}`;
const cut = [
  bar(2, 10),
  bar(5.9, 14),
  `M9.7 5.3a1.3 1.3 0 0 1 2.6 0V${f(edge(12.3))}${around(bite)}A1.3 1.3 0 0 1 9.7 16.7z`,
  `M13.5 5.3a1.3 1.3 0 0 1 2.6 0V${f(edge(16.1))}${around([13.5, edge(13.5)])}z`,
  bar(17.4, 10),
].join("");

const onBadge = (radius, degrees) => {
  const a = (degrees * Math.PI) / 180;
  return [badge.x + radius * Math.cos(a), badge.y + radius * Math.sin(a)];
};
// An open ring, like a spinner.
const [outer, inner, from, to] = [4.15, 2.45, -60, 200];
const ring = `M${at(onBadge(outer, from))}A${outer} ${outer} 0 1 1 ${at(onBadge(outer, to))}L${at(onBadge(inner, to))}A${inner} ${inner} 0 1 0 ${at(onBadge(inner, from))}z`;
const disc = `M13.2 17a4.2 4.2 0 0 1 8.4 0a4.2 4.2 0 0 1 -8.4 0z`;

// line returns the path of a line with round ends.
const line = ([x1, y1], [x2, y2], width) => {
  const r = width / 2;
  const d = Math.hypot(x2 - x1, y2 - y1);
  const [nx, ny] = [(-(y2 - y1) / d) * r, ((x2 - x1) / d) * r];
  return `M${at([x1 + nx, y1 + ny])}A${r} ${r} 0 0 1 ${at([x1 - nx, y1 - ny])}L${at([x2 - nx, y2 - ny])}A${r} ${r} 0 0 1 ${at([x2 + nx, y2 + ny])}z`;
};
const arm = 2.7;
const cross =
  line([badge.x - arm, badge.y - arm], [badge.x + arm, badge.y + arm], 2.1) +
  line([badge.x - arm, badge.y + arm], [badge.x + arm, badge.y - arm], 2.1);
const slash = line([4, 19], [19, 3], 1.8);

const shapes = {
  idle: [whole],
  running: [cut, ring],
  "needs-you": [cut, disc],
  failed: [cut, cross],
  offline: [{ d: whole, opacity: 0.55 }, slash],
};

// KDE recolors icons with this class, GNOME those with this file name suffix. The gray is
// visible on dark and light panels.
const symbolic = (paths) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="22" height="22" viewBox="0 0 22 22"><style id="current-color-scheme" type="text/css">.ColorScheme-Text{color:#bebebe}</style>${paths
    .map((path) => path.d ?? path)
    .map((d, i) => `<path class="ColorScheme-Text" fill="currentColor"${paths[i].opacity ? ` opacity="${paths[i].opacity}"` : ""} d="${d}"/>`)
    .join("")}</svg>\n`;
const tray = (name) => new URL(`../backend/platform/tray/icons/${name}`, import.meta.url);
const colors = { light: "#f2f3f5", dark: "#1c1f25", black: "#000000" };

for (const [name, paths] of Object.entries(shapes)) {
  const svg = symbolic(paths);
  const inColor = (color) => (size) =>
    paint(size, svg.replace("#bebebe", colors[color]).replace('width="22" height="22"', `width="${size}" height="${size}"`));
  writeFileSync(tray(`voxpilot-tray-${name}-symbolic.svg`), svg);
  // For Linux panels that accept only pixels; most are dark.
  for (const size of [22, 44]) writeFileSync(tray(`${name}-${size}.png`), await inColor("light")(size));
  writeFileSync(tray(`${name}-template.png`), await inColor("black")(32));
  for (const color of ["light", "dark"])
    writeFileSync(tray(`${name}-${color}.ico`), await ico([16, 20, 24, 32, 48], inColor(color)));
}
await browser.close();
