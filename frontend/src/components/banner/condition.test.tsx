import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { closeDialog, dialog } from "../../state/dialogs";
import { go, screen } from "../../state/screen";
import type { Cause, Event, Provider } from "../../state/types";
import {
  applyEvents,
  chatEvent,
  cliFound,
  resetState,
  signedIn,
  signedOut,
  stubApp,
  stubBrowser,
} from "../../testing";
import { Dock } from "../composer/Dock";

const ollama: Provider = {
  id: "ollama",
  name: "Ollama",
  baseUrl: "http://localhost:11434/v1",
  model: "qwen3:8b",
  createdAt: 1,
};
const needsLogin = (cause: Cause): Event => ({
  connection: { chatId: "c", state: "needs_login", cause, since: 1 },
});

function show(...events: Event[]) {
  resetState(cliFound, chatEvent("c"), ...events);
  render(() => <Dock chatId="c" />);
}
const placeholder = () => page.getByRole("textbox", { name: "Message" }).getAttribute("placeholder");

beforeEach(() => {
  stubBrowser();
  closeDialog();
  go({ name: "chat", id: "c" });
});

describe("the banner above the composer", () => {
  test("asks to sign in when GitHub rejected the token, and opens the sign-in", async () => {
    const user = userEvent.setup();
    stubApp();
    show(signedIn({ state: "expired" }), needsLogin("not_signed_in"));
    const alert = page.getByRole("alert", { name: "Sign-in needed" });
    expect(alert).toHaveTextContent(
      "Your GitHub sign-in has expired. Sign in again, and VoxPilot will resume this session where it left off and send your queued messages.",
    );
    expect(placeholder()).toBe("Messages are queued until you sign in");
    await user.click(within(alert).getByRole("button", { name: "Sign in to GitHub" }));
    expect(dialog()).toBe("sign_in");
  });

  test("offers to install a missing Copilot CLI and reports why that failed", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const cli = { state: "missing" as const, min: "1.0.78", installers: [{ id: "npm", name: "npm" }] };
    show(signedIn(), { cli });
    const alert = page.getByRole("alert", { name: "Copilot CLI not found" });
    await user.click(within(alert).getByRole("button", { name: "Install with npm" }));
    expect(app.of("InstallCLI")).toEqual([["npm"]]);
    applyEvents({ cli: { ...cli, install: { how: "npm", running: true, output: "fetching" } } });
    expect(within(alert).getByRole("button", { name: "Installing Copilot CLI…" })).toBeDisabled();
    expect(alert).not.toHaveTextContent("fetching");
    applyEvents({ cli: { ...cli, install: { how: "npm", message: "npm may not write there." } } });
    expect(alert).toHaveTextContent("npm may not write there.");
    expect(within(alert).getByRole("button", { name: "Install with npm" })).toBeEnabled();
  });

  test("explains signing in to a new user", () => {
    stubApp();
    show(signedOut());
    expect(page.getByRole("alert", { name: "Sign-in needed" })).toHaveTextContent(
      "Sign in to GitHub to use Copilot.",
    );
  });

  test("names the source of an external sign-in", () => {
    stubApp();
    show(signedIn({ state: "expired", source: "env", variable: "GH_TOKEN" }), needsLogin("not_signed_in"));
    expect(page.getByRole("alert")).toHaveTextContent("It comes from the environment variable GH_TOKEN.");
  });

  test("names the source of an unusable sign-in once", () => {
    stubApp();
    const message = "The environment variable GH_TOKEN contains a classic personal access token (ghp_).";
    show(
      signedIn({ state: "wrong_kind", source: "env", variable: "GH_TOKEN", message }),
      needsLogin("not_signed_in"),
    );
    const alert = page.getByRole("alert", { name: "Sign-in needed" });
    expect(alert).toHaveTextContent(`Copilot can't use this sign-in. ${message}`);
    expect(alert).not.toHaveTextContent("It comes from");
  });

  test("doesn't mention GitHub for an agent with its own login", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const qwen = { profile: { id: "qwen", name: "Qwen Code", createdAt: 1 } };
    show(
      qwen,
      chatEvent("c", { providerId: "qwen" }),
      signedIn({ state: "expired" }),
      needsLogin("not_signed_in"),
    );
    const alert = page.getByRole("alert", { name: "Sign-in needed" });
    expect(alert).toHaveTextContent("Sign in to Qwen Code to continue.");
    expect(alert).not.toHaveTextContent("GitHub");
    await user.click(within(alert).getByRole("button", { name: "Check again" }));
    expect(app.of("Reconnect")).toEqual([["c"]]);
  });

  test("disappears when the agent is back", () => {
    stubApp();
    show(signedIn({ state: "expired" }), needsLogin("not_signed_in"));
    applyEvents(signedIn(), { connection: { chatId: "c", state: "starting", since: 2 } });
    expect(page.queryByRole("alert")).toBeNull();
    expect(placeholder()).not.toBe("Messages are queued until you sign in");
  });

  test("lets a main AI continue without Copilot, then stays out of the way", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signedIn({ state: "expired" }), needsLogin("not_signed_in"), { provider: ollama });
    await user.click(page.getByRole("button", { name: "Work without Copilot" }));
    expect(app.of("SetMain")).toEqual([["c", "ollama"]]);
    applyEvents(chatEvent("c", { mainId: "ollama" }));
    expect(page.queryByRole("alert")).toBeNull();
    expect(placeholder()).not.toBe("Messages are queued until you sign in");
  });

  test("opens the main AI settings if none is set up", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signedIn({ state: "expired" }), needsLogin("not_signed_in"));
    await user.click(page.getByRole("button", { name: "Work without Copilot" }));
    expect(app.of("SetMain")).toEqual([]);
    expect(screen()).toEqual({ name: "settings", page: "account" });
  });

  test("names the account without Copilot access and checks again", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signedIn({ state: "no_access" }), needsLogin("no_access"));
    const alert = page.getByRole("alert", { name: "No Copilot access" });
    expect(alert).toHaveTextContent("octocat has no Copilot access.");
    await user.click(within(alert).getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(app.of("Reconnect")).toEqual([["c"]]));
    expect(app.of("CheckAccount")).toHaveLength(1);
    await user.click(within(alert).getByRole("button", { name: "Use another account" }));
    expect(dialog()).toBe("sign_in");
  });

  test("reports a locked keychain and retries", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CheckAccount: () => Promise.reject({ code: "unavailable", message: "The keychain is still locked." }),
    });
    show(signedOut({ state: "locked" }), needsLogin("locked"));
    await user.click(
      within(page.getByRole("alert", { name: "Keychain locked" })).getByRole("button", { name: "Try again" }),
    );
    expect(app.of("Reconnect")).toEqual([["c"]]);
    expect(await page.findByText("The keychain is still locked.")).toBeVisible();
  });

  test("reports being offline without a button, since it retries automatically", () => {
    stubApp();
    show(signedIn({ state: "unverified" }), {
      connection: { chatId: "c", state: "waiting", cause: "offline", since: 1, nextTryAt: Date.now() + 4000 },
    });
    const banner = page.getByRole("status", { name: "Offline" });
    expect(banner).toHaveTextContent("You're offline. Messages you send are queued");
    expect(within(banner).queryAllByRole("button")).toEqual([]);
    expect(placeholder()).toBe("Messages are queued until Copilot is back");
  });
});
