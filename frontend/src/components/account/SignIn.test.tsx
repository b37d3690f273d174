import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { closeDialog, openSignIn, openSignOut } from "../../state/dialogs";
import { defaultSettings } from "../../state/state";
import {
  applyEvents,
  cliFound,
  codeSignIn,
  resetState,
  signedIn,
  signedOut,
  stubApp,
  stubBrowser,
} from "../../testing";
import { AccountDialogs } from "./AccountDialogs";
import { SignIn } from "./SignIn";

const settings = { settings: { ...defaultSettings, setupDone: true } };

beforeEach(() => {
  stubBrowser();
  closeDialog();
  resetState(cliFound, settings, signedOut());
});

/** show opens the sign-in dialog in the same way as the banner. */
function show() {
  render(() => <AccountDialogs />);
  openSignIn();
  return within(page.getByRole("dialog", { name: "Sign in to GitHub" }));
}

const status = () => page.getByRole("status", { name: "Sign-in status" });

describe("signing in by a code", () => {
  test("starts on request and closes on success", async () => {
    const app = stubApp();
    show();
    expect(app.of("SignIn")).toHaveLength(1);
    expect(status()).toHaveTextContent("Asking GitHub for a code…");
    expect(page.getByRole("button", { name: "Copy code and open GitHub" })).toBeDisabled();
    applyEvents(codeSignIn());
    expect(page.getByRole("button", { name: "Copy code and open GitHub" })).toHaveFocus();
    applyEvents({ signIn: { state: "done" } }, signedIn());
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(page.getByText("Signed in as octocat.")).toHaveAttribute("aria-live", "polite");
    expect(app.of("CancelSignIn")).toEqual([]);
  });

  test.each([
    ["expired", "The code has expired."],
    ["denied", "The sign-in wasn't approved on GitHub."],
    ["unreachable", "Can't reach GitHub."],
  ] as const)("that ends with %s reports it and offers a new code", async (state, says) => {
    const user = userEvent.setup();
    const app = stubApp();
    show();
    applyEvents(codeSignIn());
    applyEvents({ signIn: { state } });
    expect(status()).toHaveTextContent(says);
    expect(page.queryByRole("group", { name: /Sign-in code/ })).toBeNull();
    await user.click(page.getByRole("button", { name: "Get a new code" }));
    expect(app.of("SignIn")).toHaveLength(2);
    expect(status()).toHaveTextContent("Asking GitHub for a code…");
    applyEvents({ signIn: { state: "starting" } }, codeSignIn({ code: "ABCD-EFGH" }));
    expect(page.getByRole("group", { name: "Sign-in code ABCD-EFGH" })).toBeVisible();
    expect(page.getByRole("button", { name: "Copy code and open GitHub" })).toHaveFocus();
  });

  test("that fails reports the reason", () => {
    stubApp();
    show();
    applyEvents({ signIn: { state: "failed", message: "GitHub does not know this OAuth app." } });
    expect(status()).toHaveTextContent("GitHub does not know this OAuth app.");
  });

  test("that can't start reports the reason and can be retried", async () => {
    const user = userEvent.setup();
    let first = true;
    const app = stubApp({
      SignIn: () => {
        const refuse = first;
        first = false;
        return refuse
          ? Promise.reject({ code: "refused", message: "There is no client ID." })
          : Promise.resolve();
      },
    });
    show();
    expect(await page.findByRole("alert")).toHaveTextContent("There is no client ID.");
    await user.click(page.getByRole("button", { name: "Get a new code" }));
    expect(app.of("SignIn")).toHaveLength(2);
    expect(page.queryByRole("alert")).toBeNull();
  });

  test("ignores the previous sign-in's result", () => {
    stubApp();
    applyEvents({ signIn: { state: "expired" } });
    show();
    expect(status()).toHaveTextContent("Asking GitHub for a code…");
  });

  test("is canceled when the user leaves", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const dialog = show();
    applyEvents(codeSignIn());
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(app.of("CancelSignIn")).toHaveLength(1);
    expect(page.queryByRole("dialog")).toBeNull();
  });

  test("resumes one in progress instead of starting another", () => {
    const app = stubApp();
    applyEvents(codeSignIn());
    show();
    expect(page.getByRole("group", { name: "Sign-in code 7K4P-QX2M" })).toBeVisible();
    expect(app.of("SignIn")).toEqual([]);
  });

  test("updates its clock visually; screen readers get five-minute steps", () => {
    vi.useFakeTimers();
    try {
      stubApp();
      show();
      applyEvents(codeSignIn({ expiresAt: Date.now() + 872_000 }));
      const heard = () => status().querySelector(".sr")?.textContent;
      const clock = () => page.getByText(/^ ?The code expires in \d+:/);
      expect(status()).toHaveTextContent("The code expires in 14:32.");
      expect(heard()).toContain("15 minutes");
      vi.advanceTimersByTime(2000);
      expect(status()).toHaveTextContent("The code expires in 14:30.");
      expect(clock()).toHaveAttribute("aria-hidden", "true");
      expect(heard()).toContain("15 minutes");
      vi.advanceTimersByTime(300_000);
      expect(heard()).toContain("10 minutes");
      vi.advanceTimersByTime(540_000);
      expect(heard()).toContain("less than a minute");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("signing in in another way", () => {
  test("rejects a classic token with the reason and keeps it on the page", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show();
    applyEvents(codeSignIn());
    await user.click(page.getByRole("button", { name: "Paste a token" }));
    expect(app.of("CancelSignIn")).toHaveLength(1);
    const field = page.getByLabelText("Token");
    expect(field).toHaveFocus();
    await user.type(field, "ghp_secret{Enter}");
    expect(page.getByRole("alert")).toHaveTextContent("classic tokens (ghp_)");
    expect(field).toHaveFocus();
    expect(app.of("SignInToken")).toEqual([]);
  });

  test("allows replacing a token GitHub rejects, and closes once one is accepted", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      SignInToken: (token) =>
        token === "github_pat_bad"
          ? Promise.reject({ code: "refused", message: "GitHub does not know this token." })
          : Promise.resolve(),
    });
    show();
    await user.click(page.getByRole("button", { name: "Paste a token" }));
    await user.click(page.getByRole("button", { name: "Sign in" }));
    expect(page.getByRole("alert")).toHaveTextContent("Paste a token to continue.");
    await user.type(page.getByLabelText("Token"), "github_pat_bad{Enter}");
    expect(await page.findByText("GitHub does not know this token.")).toBeVisible();
    expect(page.getByLabelText("Token")).toHaveAttribute("type", "password");
    await user.clear(page.getByLabelText("Token"));
    await user.type(page.getByLabelText("Token"), " github_pat_good {Enter}");
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(app.of("SignInToken")).toEqual([["github_pat_bad"], ["github_pat_good"]]);
  });

  test("shows the Copilot CLI's output and can be canceled", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show();
    await user.click(page.getByRole("button", { name: "Sign in with Copilot CLI" }));
    expect(app.of("SignInCLI")).toHaveLength(1);
    applyEvents(codeSignIn());
    expect(status()).toHaveTextContent("Starting Copilot CLI…");
    expect(page.queryByRole("group", { name: /Sign-in code/ })).toBeNull();
    applyEvents({ signIn: { state: "waiting", cli: true, output: "Enter code AAAA-BBBB" } });
    expect(page.getByRole("region", { name: "Copilot CLI output" })).toHaveTextContent("AAAA-BBBB");
    const dialog = within(page.getByRole("dialog"));
    await user.click(dialog.getAllByRole("button", { name: "Cancel" })[0] as HTMLElement);
    // The new code replaces the CLI's sign-in. A separate cancel call could cancel the new code instead.
    expect(app.of("SignIn")).toHaveLength(2);
    expect(app.of("CancelSignIn")).toEqual([]);
    expect(status()).toHaveTextContent("Asking GitHub for a code…");
  });

  test("opens and copies the Copilot CLI's address with buttons", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const url = "https://github.com/login/oauth/authorize?client_id=a&state=b";
    resetState(cliFound, settings, signedOut({ deviceFlow: false }));
    show();
    await user.click(page.getByRole("button", { name: "Sign in with Copilot CLI" }));
    applyEvents({ signIn: { state: "waiting", cli: true, output: `Opening your browser… ${url}`, url } });
    await user.click(page.getByRole("button", { name: "Open in browser" }));
    expect(app.of("OpenURL")).toEqual([[url]]);
    await user.click(page.getByRole("button", { name: "Copy address" }));
    expect(app.of("Copy")).toEqual([[url]]);
    applyEvents({ signIn: { state: "failed", cli: true, output: "It failed." } });
    expect(page.queryByRole("button", { name: "Open in browser" })).toBeNull();
  });

  test("cancels waiting for the Copilot CLI on Escape, even outside a dialog", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, settings, signedOut({ deviceFlow: false }));
    render(() => <SignIn onDone={() => {}} />);
    await user.click(page.getByRole("button", { name: "Sign in with Copilot CLI" }));
    applyEvents({ signIn: { state: "waiting", cli: true } });
    expect(page.getByText("Waiting for the sign-in to finish.")).toBeInTheDocument();
    await user.keyboard("{Escape}");
    expect(app.of("CancelSignIn")).toHaveLength(1);
    expect(page.getByRole("button", { name: "Sign in with Copilot CLI" })).toBeVisible();
  });

  test("uses an existing Copilot CLI login unchanged", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(
      cliFound,
      settings,
      signedOut({ state: "expired", source: "env", variable: "GH_TOKEN", found: ["env", "cli"] }),
    );
    show();
    await user.click(page.getByRole("button", { name: "Use the Copilot CLI login" }));
    await waitFor(() => expect(app.of("CheckAccount")).toHaveLength(1));
    expect(app.of("SignInCLI")).toEqual([]);
    expect(app.of("SaveSettings")).toEqual([[{ ...settings.settings, signIn: "cli" }]]);
    applyEvents(signedOut({ state: "own", source: "cli" }));
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(page.getByText("Copilot CLI is signed in.")).toBeInTheDocument();
  });

  test("reports a source that turns out to be rejected, and stays open", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, settings, signedOut({ found: ["gh"] }));
    show();
    await user.click(page.getByRole("button", { name: "Use GitHub CLI (gh)" }));
    applyEvents(
      signedOut({
        state: "expired",
        source: "gh",
        message: "GitHub refused the token of gh.",
        found: ["gh"],
      }),
    );
    expect(page.getByRole("alert")).toHaveTextContent(
      "Run “gh auth login” in a terminal, then choose “Use GitHub CLI (gh)” again",
    );
    expect(page.getByRole("dialog")).toBeVisible();
  });
});

describe("signing out", () => {
  const ask = () => {
    render(() => <AccountDialogs />);
    openSignOut();
  };

  test("asks for confirmation and reports failures", async () => {
    const user = userEvent.setup();
    let refuse = true;
    const app = stubApp({
      SignOut: () =>
        refuse ? Promise.reject({ code: "storage", message: "The keychain is locked." }) : Promise.resolve(),
    });
    applyEvents(signedIn());
    ask();
    const dialog = within(page.getByRole("dialog", { name: "Sign out of octocat?" }));
    expect(app.of("SignOut")).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Sign out" }));
    expect(await page.findByRole("alert")).toHaveTextContent("The keychain is locked.");
    refuse = false;
    await user.click(dialog.getByRole("button", { name: "Sign out" }));
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(app.of("SignOut")).toHaveLength(2);
  });

  test("of the Copilot CLI warns that the terminal is signed out too", () => {
    stubApp();
    applyEvents(signedIn({ source: "cli", state: "own" }));
    ask();
    expect(page.getByRole("dialog")).toHaveTextContent("also be signed out in the terminal");
  });

  test("of a variable or gh explains what to do instead and calls nothing", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    applyEvents(signedIn({ source: "env", variable: "GH_TOKEN" }));
    ask();
    expect(page.getByRole("dialog", { name: "You're signed in through GH_TOKEN" })).toHaveTextContent(
      "Unset",
    );
    expect(page.queryByRole("button", { name: "Sign out" })).toBeNull();
    await user.click(page.getByRole("button", { name: "Close" }));
    applyEvents(signedIn({ source: "gh", host: "acme.ghe.com" }));
    openSignOut();
    expect(page.getByText("gh auth logout --hostname acme.ghe.com")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Choose another method" }));
    expect(app.of("SignOut")).toEqual([]);
  });
});
