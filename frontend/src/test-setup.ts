// Runs before every test file: the matchers of jest-dom, and a clean page
// after each test. jsdom has no ResizeObserver: nothing has a size in it.
import "@testing-library/jest-dom/vitest";
import { cleanup } from "@solidjs/testing-library";
import { afterEach } from "vitest";

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(cleanup);
