// Runs before every test file: the matchers of jest-dom, and a clean page
// after each test. jsdom has no ResizeObserver: nothing has a size in it.
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@solidjs/testing-library";
import { afterEach } from "vitest";

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// How long a fact is waited for that should come at once, on a machine under load.
configure({ asyncUtilTimeout: 30_000 });

afterEach(cleanup);
