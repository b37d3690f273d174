// Takes a picture of every state of the window, in light and dark:
//
//   node e2e/gallery/run.mjs [part of a shot's name]
//
// Pictures are written to e2e/.out/gallery. If GALLERY_REFERENCE names a folder of reference pictures,
// each picture is placed next to its reference. The command fails if the page throws, violates its content security
// policy, requests anything from another server, has overflowing content, or breaks an axe rule.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { audit, axe, openGallery, picture } from "./gallery.mjs";

const out = fileURLToPath(new URL("../.out/gallery", import.meta.url));
const filter = process.argv[2] ?? "";
const reference = process.env.GALLERY_REFERENCE ?? "";
mkdirSync(out, { recursive: true });

const gallery = await openGallery();
const problems = [];
const pairs = [];
try {
  for (const shot of gallery.shots.filter((each) => each.name.includes(filter))) {
    for (const colorScheme of ["light", "dark"]) {
      const name = `${shot.name}-${colorScheme}`;
      const problem = (what) => problems.push(`${name}: ${what}`);
      try {
        await gallery.withShot(shot, { colorScheme }, problem, async (page) => {
          writeFileSync(join(out, `${name}.png`), await picture(page));
          if (colorScheme === "light") for (const what of await page.evaluate(audit)) problem(what);
          for (const what of await axe(page)) problem(what);
        });
        const width = shot.size?.[0] ?? 1280;
        pairs.push({ name, reference: `${shot.reference ?? shot.name}-${colorScheme}.png`, width });
      } catch (thrown) {
        problem(String(thrown));
      }
    }
  }
  if (reference !== "") {
    const page = await gallery.browser.newPage();
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
  await gallery.close();
}
writeFileSync(join(out, "problems.txt"), problems.join("\n"));
for (const each of problems) console.error(each);
console.error(`${pairs.length} pictures in ${out}, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
