import { expect, it } from "vitest";

const sources = import.meta.glob<string>("../components/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Matches a signal, store, memo or root created at module level, outside of any component. */
const ofFile = /^(?:export )?(?:const|let) .*\bcreate(?:Signal|Store|Memo|Root)\b/m;

it("shared state of components lives in state, not beside a component", () => {
  expect("const [a, b] = createSignal(0);").toMatch(ofFile);
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(Object.entries(sources).filter(([, source]) => ofFile.test(source))).toEqual([]);
});
