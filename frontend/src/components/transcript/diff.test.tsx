import { screen as page, render } from "@solidjs/testing-library";
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
