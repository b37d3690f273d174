import { openGallery } from "./gallery/gallery.mjs";
const gallery = await openGallery();
const base = gallery.shots.find((s) => s.name === "16-review-wrap");
const lines = Number(process.argv[2] ?? 100000);
const big = { path: "big.go", kind: "edited", added: lines / 2, removed: lines / 2, version: "v", size: 4e6, large: false };
const blocks = []; for (let i = 0; i < lines / 20; i++) blocks.push([i * 20 + 5, 10, i * 20 + 5, 10]);
const n = lines + 40;
const text = (side, i) => `\tvalue${i}, err := s.${side}.Exchange(ctx, "id${i}", ${i}) // ${side} comment`;
const shot = { ...base, name: "perf", localStorage: { "voxpilot.chat": "refresh", "voxpilot.review-wrap": process.argv[3] ?? "off", "voxpilot.review-layout": process.argv[4] ?? "unified" }, data: { ...base.data,
  "review-files": () => ({ source: "chat", version: "1", files: [{ ...big, path: "a.go", viewed: true }, big], total: 2, added: 1, removed: 1, viewed: 0 }),
  "review-diff": () => ({ path: "big.go", version: "v", oldLines: n, newLines: n, oldEnd: true, newEnd: true, blocks }),
  "review-lines": (q) => { const from = Number(q.get("from")); return { from, lines: Array.from({ length: Math.min(500, n - from) }, (_, i) => text(q.get("side"), from + i)) }; },
} };
await gallery.withShot(shot, { colorScheme: "light" }, (p) => console.log("PROBLEM", p), async (page) => {
  console.log("top after open", await page.evaluate(() => document.querySelector(".rv-scroll").scrollTop));
  for (const step of [40, 400, 4000]) {
    const r = await page.evaluate(async (step) => {
      const el = document.querySelector(".rv-scroll");
      const frames = []; const work = [];
      el.scrollTop = 1000;
      await new Promise((r) => setTimeout(r, 500));
      let last = performance.now();
      for (let i = 0; i < 240; i++) {
        el.scrollTop += step;
        await new Promise((r) => requestAnimationFrame(() => { const t0 = performance.now(); setTimeout(() => { work.push(performance.now() - t0); r(); }); }));
        const now = performance.now(); frames.push(now - last); last = now;
      }
      const q = (a, p) => [...a].sort((x, y) => x - y)[Math.floor(a.length * p)].toFixed(1);
      return { step, frames: [q(frames, 0.5), q(frames, 0.95), q(frames, 0.99)], work: [q(work, 0.5), q(work, 0.95), q(work, 0.99)], dom: document.querySelectorAll(".rv-rows *").length, blank: [...document.querySelectorAll(".dl:not(.h) > .c, .sl > .c:not(.e)")].filter((e) => e.textContent === "").length };
    }, step);
    console.log(JSON.stringify(r));
  }
});
await gallery.close();
