import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { matchingRows } from "../../state/settingRows";
import type { Event } from "../../state/types";
import { applyEvents, resetState, stubApp, stubBrowser } from "../../testing";
import { Trusted } from "./Trusted";

const folder = (name: string, trustedAt: number, entries = 1): Event => ({
  trusted: { key: `/key/${name}`, folder: `/home/anna/code/${name}`, entries, trustedAt },
});
const rows = () =>
  page
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent);
const remove = (name: string) => page.getByRole("button", { name: `Remove trust: ~/code/${name}` });

beforeEach(stubBrowser);

describe("the trusted folders in the settings", () => {
  test("are listed with their entry count and date, newest first", () => {
    stubApp();
    const at = new Date(2020, 10, 3).getTime();
    resetState(folder("a", at), folder("b", at + 86_400_000, 1200));
    render(() => <Trusted />);
    expect(rows()).toEqual(["~/code/b1,200 items4 Nov 2020", "~/code/a1 item3 Nov 2020"]);
  });

  test("show an empty state", () => {
    stubApp();
    resetState();
    render(() => <Trusted />);
    expect(
      page.getByText(
        "No trusted folders yet. If files in a folder can run code, VoxPilot asks whether you trust the folder.",
      ),
    ).toBeVisible();
  });

  test("are removed one by one, and the focus moves to what is left", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(folder("a", 3), folder("b", 2), folder("c", 1));
    render(() => <Trusted />);
    await user.click(remove("b"));
    expect(app.of("ForgetFolder")).toEqual([["/key/b"]]);
    applyEvents({ trustedGone: { id: "/key/b" } });
    await waitFor(() => expect(remove("c")).toHaveFocus());
    await user.keyboard("{Enter}");
    applyEvents({ trustedGone: { id: "/key/c" } });
    await waitFor(() => expect(remove("a")).toHaveFocus());
    await user.keyboard("{Enter}");
    applyEvents({ trustedGone: { id: "/key/a" } });
    await waitFor(() => expect(page.getByText(/^No trusted folders yet/)).toHaveFocus());
  });

  test("stay if one can't be removed, with the reason", async () => {
    stubApp({ ForgetFolder: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    resetState(folder("a", 1));
    render(() => <Trusted />);
    await userEvent.click(remove("a"));
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    expect(remove("a")).toBeVisible();
  });

  test("are found by the settings search", () => {
    expect(matchingRows("trusted folders")[0]?.id).toBe("permissions.trusted");
  });
});
