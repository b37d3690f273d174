import { fireEvent, screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { closeDialog, dialog } from "../../state/dialogs";
import { go } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { Event, Settings } from "../../state/types";
import { applyEvents, cliFound, resetState, signedIn, signedOut, stubApp, stubBrowser } from "../../testing";
import { initials } from "../account/accountName";
import { SettingsScreen } from "./SettingsScreen";

const settings: Settings = { ...defaultSettings, setupDone: true };

function show(...events: Event[]) {
  resetState(cliFound, { settings }, ...events);
  go({ name: "settings", page: "account" });
  return render(() => <SettingsScreen />);
}

beforeEach(() => {
  stubBrowser();
  closeDialog();
});

describe("the account page", () => {
  test("shows who is signed in, the last check and where the sign-in is stored", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signedIn());
    expect(page.getByText("octocat")).toBeVisible();
    expect(page.getByText("Signed in to github.com")).toBeVisible();
    expect(page.getByText(/Last checked 2 minutes ago: valid\./)).toBeVisible();
    expect(page.getByText(/^System keychain \(Secret Service\)\./)).toBeVisible();
    expect(page.getByText("Protected")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Check now" }));
    expect(app.of("CheckAccount")).toHaveLength(1);
    await user.click(page.getByRole("button", { name: "Sign out" }));
    expect(dialog()).toBe("sign_out");
  });

  test("names the source of an external sign-in", () => {
    stubApp();
    show(signedIn({ source: "env", variable: "GH_TOKEN" }));
    expect(page.getByText(/^In the environment variable GH_TOKEN\./)).toBeVisible();
    applyEvents(signedIn({ source: "gh", program: "/usr/bin/gh" }));
    expect(page.getByText(/gets the sign-in from \/usr\/bin\/gh/)).toBeVisible();
    applyEvents(signedIn({ source: "cli", state: "own" }));
    expect(page.getByText("Managed by Copilot CLI. VoxPilot never sees it.")).toBeVisible();
    expect(page.queryByText("Protected")).toBeNull();
  });

  test("warns of a sign-in kept only in memory", () => {
    stubApp();
    show(signedIn({ key: "memory" }));
    expect(page.getByText("Until you quit")).toBeVisible();
    expect(page.getByText(/never written to a file/)).toBeVisible();
  });

  test("leads a signed-out user to a sign-in", async () => {
    const user = userEvent.setup();
    stubApp();
    show(signedOut());
    expect(page.getByText("Not signed in")).toBeVisible();
    expect(page.queryByRole("button", { name: "Sign out" })).toBeNull();
    expect(page.queryByText("Sign-in storage")).toBeNull();
    await user.click(page.getByRole("button", { name: "Sign in to GitHub" }));
    expect(dialog()).toBe("sign_in");
  });

  test("selects among several sign-ins and checks that one", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signedIn());
    expect(page.queryByRole("combobox", { name: "Sign-in method" })).toBeNull();
    applyEvents(signedIn({ source: "env", variable: "GH_TOKEN", found: ["env", "gh"] }));
    const choice = page.getByRole("combobox", { name: "Sign-in method" });
    expect([...choice.children].map((each) => each.textContent)).toEqual([
      "Automatic",
      "Environment variable GH_TOKEN",
      "GitHub CLI (gh)",
    ]);
    await user.selectOptions(choice, "GitHub CLI (gh)");
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, signIn: "gh" }]]);
    await waitFor(() => expect(app.of("CheckAccount")).toHaveLength(1));
    applyEvents({ settings: { ...settings, signIn: "stored" } });
    expect(page.getByRole("option", { name: "VoxPilot sign-in (not found)" })).toBeInTheDocument();
  });

  test("saves and removes the client ID of another OAuth app", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signedOut({ deviceFlow: false }));
    expect(page.getByText(/This build doesn't include a client ID/)).toBeVisible();
    const field = page.getByLabelText("OAuth client ID");
    await user.type(field, " Ov23 {Tab}");
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, clientId: "Ov23" }]]);
    await waitFor(() => expect(app.of("CheckAccount")).toHaveLength(1));
    applyEvents({ settings: { ...settings, clientId: "Ov23" } });
    await user.clear(field);
    await user.tab();
    await waitFor(() => expect(app.of("SaveSettings")).toHaveLength(2));
    expect(app.of("SaveSettings")[1]?.[0]).toMatchObject({ clientId: undefined });
  });

  test("shows the picture from the app, or initials without one", () => {
    stubApp();
    const { container } = show(signedIn({ avatar: "v 1" }));
    const picture = container.querySelector("img");
    expect(picture).toHaveAttribute("src", "/data/avatar?v=v%201");
    fireEvent.error(picture as HTMLImageElement);
    expect(container.querySelector(".avatar")).toHaveTextContent("OC");
    applyEvents(signedIn({ avatar: "v 2" }));
    expect(container.querySelector("img")).toHaveAttribute("src", "/data/avatar?v=v%202");
  });

  test("reports failures", async () => {
    const user = userEvent.setup();
    stubApp({ CheckAccount: () => Promise.reject({ code: "unavailable", message: "It is too early." }) });
    show(signedIn());
    await user.click(page.getByRole("button", { name: "Check now" }));
    expect(await page.findByText("It is too early.")).toBeVisible();
    expect(page.getByRole("button", { name: "Check now" })).toBeEnabled();
  });
});

test("initials come from a name's parts, else from its first two letters", () => {
  expect(["octocat", "anna-bell", "anna_acme", "x", ""].map(initials)).toEqual(["OC", "AB", "AA", "X", ""]);
});
