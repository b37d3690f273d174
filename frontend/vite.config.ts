import solid from "vite-plugin-solid";
import { defineConfig, type Plugin } from "vitest/config";

// withoutPolicyInDev removes the page's Content-Security-Policy (in index.html), but only
// on Vite's development server, which injects inline scripts and styles for hot reload
// and uses a WebSocket.
const withoutPolicyInDev: Plugin = {
  name: "voxpilot:without-policy-in-dev",
  apply: "serve",
  transformIndexHtml: (html, { server }) =>
    server ? html.replace(/\s*<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, "") : html,
};

// xtermUnderPolicy adapts xterm to the page's Content-Security-Policy, which forbids style elements and style attributes
// in markup: its style elements become <terminal-rules> (terminalRules.ts), and its style attributes are set through
// the style object. The build fails if another version of xterm sets styles in other ways.
const xtermUnderPolicy: Plugin = {
  name: "voxpilot:xterm-under-policy",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    if (!id.includes("/@xterm/xterm/lib/")) return;
    const replace = (what: RegExp, count: number, by: (...parts: string[]) => string) => {
      const found = code.match(what)?.length ?? 0;
      if (found !== count) this.error(`${what} occurs ${found} times in xterm, want ${count}`);
      code = code.replace(what, by);
    };
    replace(/createElement\("style"\)/g, 3, () => 'createElement("terminal-rules")');
    replace(
      /(\w+)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w+)\};`\)/g,
      1,
      (_all, element, style) => `${element}.style.cssText+=${style}+";"`,
    );
    if (code.includes('setAttribute("style"')) this.error("xterm sets a style attribute");
    return { code, map: null };
  },
};

export default defineConfig({
  // There are no routes. Vite must answer 404 for unknown paths, so that the Wails
  // development server forwards them to Go, which serves /data/*.
  appType: "mpa",
  // Static styles are set through the style object: the policy forbids style attributes
  // in the template's markup.
  plugins: [solid({ solid: { inlineStyles: false } as object }), withoutPolicyInDev, xtermUnderPolicy],
  // In `make dev`, the Go side listens on port 34115 and proxies to this server.
  // The translations of Go's messages are in backend/i18n.
  server: { host: "127.0.0.1", port: 5173, strictPort: true, fs: { allow: [".", "../backend/i18n"] } },
  preview: { host: "127.0.0.1" },
  build: {
    // The oldest supported engines are WebKitGTK 2.36 and the WKWebView of macOS 12.
    target: "safari15",
    outDir: "dist",
    // public/.gitkeep restores dist/.gitkeep, without which Go's embed pattern would
    // match nothing in a fresh clone.
    emptyOutDir: true,
    // Fonts and images remain separate files: the policy doesn't allow data: fonts, and
    // files can be cached.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the policy forbids. Engines since Safari
    // 15 without modulepreload work without it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The window, and the quick prompt, which runs in a separate process.
      input: ["index.html", "quick.html"],
      checks: { pluginTimings: false },
    },
    chunkSizeWarningLimit: 1500,
  },
  test: {
    environment: "jsdom",
    globals: false,
    include: ["src/**/*.test.{ts,tsx}"],
    isolate: false,
    setupFiles: ["src/test-modules.ts", "src/test-setup.ts"],
    restoreMocks: true,
    // Long enough for slow, shared machines; only tests that hang time out.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
