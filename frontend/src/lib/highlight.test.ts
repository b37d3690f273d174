import { expect, test } from "vitest";
import { highlight } from "./highlight";

test("code is split into runs that make the same code again", async () => {
  const code = 'func a() error {\n\t// why\n\treturn log("x", 1)\n}';
  const lines = await highlight(code, "go");
  expect(lines?.map((line) => line.map((run) => run.text).join("")).join("\n")).toBe(code);
  const looks = Object.fromEntries(lines?.flat().map((run) => [run.text.trim(), run.class]) ?? []);
  expect(looks.return).toBe("k");
  expect(looks["// why"]).toBe("co");
  expect(looks["1"]).toBe("nu");
});

test("code in a language that nobody knows stays plain", async () => {
  expect(await highlight("x", "")).toBeUndefined();
  expect(await highlight("x".repeat(40_000), "go")).toBeUndefined();
});
