import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { beforeEach, describe, expect, test } from "vitest";
import { stubBrowser } from "../../testing";
import { ConfirmDialog } from "./ConfirmDialog";
import { Menu } from "./Menu";

beforeEach(() => stubBrowser());

/** show renders a menu whose single entry opens a dialog. */
function show() {
  const [asks, setAsks] = createSignal(false);
  render(() => (
    <>
      <Menu
        label="More"
        trigger="…"
        triggerClass=""
        groups={[{ entries: [{ label: "Delete…", onSelect: () => setAsks(true) }] }]}
      />
      <ConfirmDialog
        open={asks()}
        title="Delete?"
        body="It is gone then."
        confirm="Delete"
        onConfirm={() => setAsks(false)}
        onClose={() => setAsks(false)}
      />
    </>
  ));
  return userEvent.setup();
}

const cancel = () => page.getByRole("button", { name: "Cancel" });

describe("a confirmation opened from a menu entry", () => {
  test("is not answered by the key that chose the entry", async () => {
    const user = show();
    page.getByRole("button", { name: "More" }).focus();
    await user.keyboard("{Enter}");
    await expect.poll(() => page.queryByRole("menuitem", { name: "Delete…" })).not.toBeNull();
    await expect.poll(() => document.activeElement).toBe(page.getByRole("menuitem", { name: "Delete…" }));
    await user.keyboard("{Enter}");
    await expect.poll(() => page.queryByRole("menu")).toBeNull();
    await expect.poll(() => page.queryByRole("alertdialog") ?? page.queryByRole("dialog")).not.toBeNull();
    expect(cancel()).toHaveFocus();
  });

  test("keeps the focus when the menu has closed", async () => {
    const user = show();
    await user.click(page.getByRole("button", { name: "More" }));
    await user.click(await page.findByRole("menuitem", { name: "Delete…" }));
    await expect.poll(() => page.queryByRole("menu")).toBeNull();
    await expect.poll(() => page.queryByRole("button", { name: "Cancel" })).not.toBeNull();
    expect(cancel()).toHaveFocus();
  });
});
