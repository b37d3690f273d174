import solid from "vite-plugin-solid";
import { defineConfig, type Plugin } from "vitest/config";

// The page's Content-Security-Policy stands in index.html and is the one that
// ships. Vite's own server injects inline scripts and styles for hot reload
// and speaks over a websocket, so there, and only there, it is taken out.
const withoutPolicyInDev: Plugin = {
  name: "voxpilot:without-policy-in-dev",
  apply: "serve",
  transformIndexHtml: (html, { server }) =>
    server ? html.replace(/\s*<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, "") : html,
};

export default defineConfig({
  // One page and no routes. What Vite does not know must be a 404, which the
  // dev server of Wails then asks of Go: /data/* is answered there.
  appType: "mpa",
  // Fixed styles go through the style object, not into the template's markup,
  // where the policy would forbid them.
  plugins: [solid({ solid: { inlineStyles: false } as object }), withoutPolicyInDev],
  // 34115 is the address of the Go side when it runs as its own dev server
  // (`make dev`), which proxies to this one.
  // What Go says has its words in a folder of Go's.
  server: { host: "127.0.0.1", port: 5173, strictPort: true, fs: { allow: [".", "../backend/i18n"] } },
  preview: { host: "127.0.0.1" },
  build: {
    // WebKitGTK 2.36 and the WKWebView of macOS 12 are the oldest engines.
    target: "safari15",
    outDir: "dist",
    // public/.gitkeep puts dist/.gitkeep back, without which Go's embed
    // pattern matches nothing on a fresh clone.
    emptyOutDir: true,
    // Fonts and images stay files of their own: the policy allows no data:
    // fonts, and a file can be cached.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the policy forbids; every
    // engine from safari15 on that lacks modulepreload works without it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The window, and the quick prompt, which is a process of its own.
      input: ["index.html", "quick.html"],
      checks: { pluginTimings: false },
    },
    chunkSizeWarningLimit: 1500,
  },
  test: {
    environment: "jsdom",
    globals: false,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    restoreMocks: true,
    // A bound for what hangs, not for what is slow: machines are shared.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
