import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { openInEditor } from "../../state/editor";
import { dismiss } from "../../state/notices";
import { screen } from "../../state/screen";
import { wantedRow } from "../../state/settingRows";
import { resetState, stubApp, stubBrowser } from "../../testing";
import { Notices } from "./Notices";

beforeEach(() => {
  stubBrowser();
  resetState();
  dismiss("editor");
});

test("without an editor, a notice leads to its setting", async () => {
  const user = userEvent.setup();
  stubApp({ OpenInEditor: () => Promise.reject({ code: "no_editor", message: "No editor was found." }) });
  const reasons: string[] = [];
  render(() => <Notices />);
  openInEditor("c", "/a.go", 3, (why) => reasons.push(why));
  expect(await page.findByText("No editor was found.")).toBeVisible();
  await user.click(page.getByRole("button", { name: "Choose an editor" }));
  expect(screen()).toEqual({ name: "settings", page: "agent" });
  expect(wantedRow()?.id).toBe("agent.editor");
  expect(page.queryByText("No editor was found.")).toBeNull();
  expect(reasons).toEqual([""]);
});

test("every other error is shown where the file was opened", async () => {
  stubApp({ OpenInEditor: () => Promise.reject({ code: "not_found", message: "The file is gone." }) });
  const reasons: string[] = [];
  openInEditor("c", "/a.go", 0, (why) => reasons.push(why));
  await waitFor(() => expect(reasons).toEqual(["", "The file is gone."]));
});
