import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { parseDiff } from "../../lib/diff";
import { raw } from "../../state/store";
import { know, learn, standIn, standInForBrowser } from "../ui/testing";
import { Diff } from "./Diff";

beforeEach(standInForBrowser);

test("long lines of a diff go on below where the user wants that", () => {
  standIn();
  know();
  const rows = parseDiff("@@ -1 +1 @@\n-one\n+two\n");
  render(() => <Diff rows={rows} path="/a/f.txt" label="Proposed change" />);
  const diff = page.getByRole("region", { name: "Proposed change" });
  expect(diff).not.toHaveClass("wraps");
  learn({ settings: { ...raw().settings, wrapDiff: true } });
  expect(diff).toHaveClass("wraps");
});

test("a line without an end comes a part at a time", async () => {
  standIn();
  know();
  const long = `${"a".repeat(30_000)}\u202E`;
  const rows = parseDiff(`@@ -1 +1 @@\n-one\n+${long}\n`);
  render(() => <Diff rows={rows} path="/a/f.txt" label="Proposed change" />);
  const diff = page.getByRole("region", { name: "Proposed change" });
  const code = () => diff.querySelectorAll(".c")[1]?.textContent ?? "";
  expect(code().length).toBeLessThan(2100);
  await userEvent.click(page.getByRole("button", { name: "… 28,001 more characters" }));
  await userEvent.click(page.getByRole("button", { name: "… 8,001 more characters" }));
  expect(code()).toBe(`${"a".repeat(30_000)}U+202E`);
});
