import { test } from "node:test";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { start, until } from "./harness.mjs";
import { openWindow, inspectorAddress } from "./webkit.mjs";
const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
test("probe", async (t) => {
  const address = await inspectorAddress();
  const { page, app } = await start(t, { env: { WEBKIT_INSPECTOR_HTTP_SERVER: address }, prepare: ({ dataDir, folder }) =>
      run("go", ["run", "./internal/longchat", "-paragraphs", "400", dataDir, folder, "6"], { cwd: root }) });
  const w = await openWindow(app, address);
  const now = Date.now();
  const measure = () => {
    const t0 = performance.now();
    document.querySelector('.chat').click();
    window.m = {};
    const look = () => { if (document.querySelector('[role=log]')?.textContent.includes("Paragraph 400 of answer 3")) { window.m.t1 = performance.now()-t0; requestAnimationFrame(() => setTimeout(() => { window.m.t = performance.now()-t0; window.m.nodes = document.querySelectorAll('[role=log] *').length; })); } else requestAnimationFrame(look); };
    look();
  };
  await w.evaluate(() => localStorage.clear());
  for (const [name, p] of [["webkit", w], ["chromium", page]]) {
    await until(() => p.evaluate(() => !!document.querySelector('.chat')), "list");
    await p.evaluate(measure);
    console.log(name, "switch", await until(() => p.evaluate(() => window.m?.t && window.m), "shown"));
    // find
    await p.evaluate(() => window.dispatchEvent(new KeyboardEvent("keydown", {key: "f", ctrlKey: true, bubbles: true})));
    const has = await until(() => p.evaluate(() => !!document.querySelector('.find-field') || document.activeElement?.tagName), "bar");
    console.log(name, "bar", has);
    await p.evaluate(() => { const f = document.querySelector('.find-field'); if (!f) return; window.f = []; let last = performance.now(); const tick = () => { const n = performance.now(); window.f.push(n-last); last = n; requestAnimationFrame(tick); }; tick(); });
    for (const q of ["k","ke","ket","kett","kettl","kettle"]) {
      await p.evaluate((q) => { const f = document.querySelector('.find-field'); window.f.length = 0; window.t0 = performance.now(); f.value = q; f.dispatchEvent(new Event("input", {bubbles: true})); window.done = 0; const s = document.querySelector('.findbar [role=status]'); const before = s.textContent; const o = new MutationObserver(() => { window.done = performance.now() - window.t0; }); o.observe(s, {childList: true, characterData: true, subtree: true}); setTimeout(() => o.disconnect(), 2500) }, q);
      await new Promise((r) => setTimeout(r, 2500));
      console.log(name, q, await p.evaluate(() => [document.querySelector('.findbar [role=status]').textContent, Math.round(window.done), "blocked over 50ms:", window.f.filter((n) => n > 50).map(Math.round), "sum", Math.round(window.f.filter((n) => n > 50).reduce((a, b) => a + b, 0))]));
    }
  }
  // start: reload to the chat
  for (const [name, p] of [["webkit", w], ["chromium", page]]) {
    if (name === "webkit") continue;
    await p.addInitScript(() => { const look = () => { if (document.querySelector('[role=log]')?.textContent.includes("Paragraph 400 of answer 3")) requestAnimationFrame(() => setTimeout(() => { window.shown = performance.now(); })); else requestAnimationFrame(look); }; look(); });
    await p.reload();
    console.log(name, "start", await until(() => p.evaluate(() => window.shown), "shown"), await p.evaluate(() => performance.getEntriesByName("voxpilot:chats-painted")[0]?.startTime));
  }
  w.close();
});
