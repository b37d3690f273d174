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

export default defineConfig({
  // There are no routes. Vite must answer 404 for unknown paths, so that the Wails
  // development server forwards them to Go, which serves /data/*.
  appType: "mpa",
  // Static styles are set through the style object: the policy forbids style attributes
  // in the template's markup.
  plugins: [solid({ solid: { inlineStyles: false } as object }), withoutPolicyInDev],
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
