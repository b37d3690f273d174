// Runs before every test file: adds the jest-dom matchers and clears the page after each test. jsdom has
// no ResizeObserver, because it has no layout.
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@solidjs/testing-library";
import { afterEach } from "vitest";

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// Timeout of waits, generous for a machine under load.
configure({ asyncUtilTimeout: 30_000 });

afterEach(cleanup);
