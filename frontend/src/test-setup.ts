// Runs before every test file: the matchers of jest-dom, and a clean page
// after each test.
import "@testing-library/jest-dom/vitest";
import { cleanup } from "@solidjs/testing-library";
import { afterEach } from "vitest";

afterEach(cleanup);
