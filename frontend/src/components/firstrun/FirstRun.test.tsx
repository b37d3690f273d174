import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { go, screen } from "../../state/screen";
import type { Chat, Provider } from "../../state/types";
import {
  applyEvents,
  chatEvent,
  cliFound,
  codeSignIn,
  resetState,
  signedIn,
  signedOut,
  stubApp,
  stubBrowser,
  stubFolders,
} from "../../testing";
import { FirstRun } from "./FirstRun";

const createdChat = chatEvent("made").chat as Chat;

beforeEach(() => {
  stubBrowser();
  stubFolders({ "/home/anna/code/orbit-api": { branch: "main" } });
  go({ name: "new" });
});

describe("the first run", () => {
  test("goes from a code to a folder and starts a chat there", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    resetState(cliFound, signedOut());
    render(() => <FirstRun />);
    expect(page.getByRole("button", { name: "Start" })).toBeDisabled();
    expect(app.of("SignIn")).toHaveLength(1);
    applyEvents(codeSignIn());
    expect(page.getByRole("group", { name: "Sign-in code 7K4P-QX2M" })).toHaveTextContent("7K4PQX2M");
    expect(page.getByRole("status", { name: "Sign-in status" })).toHaveTextContent(
      /Waiting for your approval on GitHub\. The code expires in 14:3\d\./,
    );
    await user.click(page.getByRole("button", { name: "Copy code and open GitHub" }));
    await waitFor(() => expect(app.of("OpenURL")).toEqual([["https://github.com/login/device"]]));
    expect(app.of("Copy")).toEqual([["7K4P-QX2M"]]);
    applyEvents(signedIn(), { signIn: { state: "done" } });
    expect(page.getByRole("heading", { name: "Signed in as octocat" })).toBeVisible();
    await user.type(page.getByLabelText("Folder"), "/home/anna/code/orbit-api{Enter}");
    await page.findByText("Git, branch main");
    await user.click(page.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(app.of("SaveSettings")).toHaveLength(1));
    expect(app.of("CreateChat")).toEqual([["/home/anna/code/orbit-api", "copilot"]]);
    expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ setupDone: true });
    expect(app.of("CancelSignIn")).toEqual([]);
    expect(screen()).toEqual({ name: "chat", id: "made" });
  });

  test("starts when Enter is pressed again on the selected folder", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    resetState(cliFound, signedIn());
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Continue as octocat" }));
    await user.type(page.getByLabelText("Folder"), "/home/anna/code/orbit-api{Enter}");
    await page.findByText("Git, branch main");
    expect(app.of("CreateChat")).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([["/home/anna/code/orbit-api", "copilot"]]));
  });

  test("shows a signed-in user the account and its source, and continues with one click", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedIn({ source: "env", variable: "GH_TOKEN" }));
    render(() => <FirstRun />);
    expect(
      page.getByText("You're already signed in to github.com with the token in GH_TOKEN."),
    ).toBeVisible();
    expect(page.getByRole("heading", { name: "Continue with GitHub" })).toBeVisible();
    await user.click(page.getByRole("button", { name: "Continue as octocat" }));
    expect(page.getByLabelText("Folder")).toBeVisible();
    expect(app.of("SignIn")).toEqual([]);
  });

  test("asks to sign in if the user wants another account than the one found", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedIn());
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Use another account" }));
    expect(page.getByRole("heading", { name: "Sign in to GitHub" })).toBeVisible();
    expect(page.queryByRole("heading", { name: "Continue with GitHub" })).toBeNull();
  });

  test.each([
    [{ source: "stored" }, "Your GitHub sign-in has expired. Sign in again."],
    [
      { source: "gh", found: ["gh"] },
      "GitHub no longer accepts the token from gh. Run “gh auth login” in a terminal, then choose “Use GitHub CLI (gh)” again, or sign in another way.",
    ],
    [{ source: "env", variable: "GH_TOKEN" }, "GitHub no longer accepts GH_TOKEN."],
  ] as const)("explains how to sign in again after the sign-in %j has expired", (account, text) => {
    stubApp();
    const message =
      account.source === "env" ? text : "Your queued messages are sent after you check the session again.";
    resetState(
      cliFound,
      signedOut({
        state: "expired",
        ...account,
        found: [...("found" in account ? account.found : [])],
        message,
      }),
    );
    render(() => <FirstRun />);
    expect(page.getByText(text)).toBeVisible();
    if (account.source !== "env") expect(page.queryByText(message)).toBeNull();
    if (account.source === "gh")
      expect(page.getByRole("button", { name: "Use GitHub CLI (gh)" })).toBeVisible();
  });

  test("doesn't claim a sign-in that GitHub or the CLI hasn't confirmed", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedIn({ state: "unverified", source: "gh" }));
    render(() => <FirstRun />);
    expect(
      page.getByText(
        "You're already signed in to github.com through GitHub CLI (gh). GitHub hasn't confirmed this yet.",
      ),
    ).toBeVisible();
    applyEvents(signedOut({ state: "own", source: "cli" }));
    expect(page.getByText(/VoxPilot can't tell whether you're signed in\./)).toBeVisible();
    await user.click(page.getByRole("button", { name: "Continue" }));
    expect(page.getByRole("heading", { name: "Using the Copilot CLI login" })).toBeVisible();
    applyEvents(signedOut({ state: "own", source: "cli", login: "mona" }));
    expect(page.getByRole("heading", { name: "Copilot CLI is signed in" })).toBeVisible();
  });

  test("doesn't ask to sign in before the sign-in check finishes", () => {
    const app = stubApp();
    resetState(cliFound);
    render(() => <FirstRun />);
    expect(page.getByText("Checking whether you're signed in…")).toBeVisible();
    expect(app.of("SignIn")).toEqual([]);
    applyEvents(signedOut());
    expect(app.of("SignIn")).toHaveLength(1);
  });

  test("offers other methods but no code without a client ID", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedOut({ deviceFlow: false, found: ["gh"] }));
    render(() => <FirstRun />);
    const ways = page.getByRole("list", { name: "Other ways to sign in" });
    expect(
      within(ways)
        .getAllByRole("button")
        .map((way) => way.querySelector("strong")?.textContent),
    ).toEqual(["Use GitHub CLI (gh)", "Paste a token", "Use your own model"]);
    await user.click(within(ways).getByRole("button", { name: "Use GitHub CLI (gh)" }));
    await waitFor(() => expect(app.of("CheckAccount")).toHaveLength(1));
    expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ signIn: "gh" });
    expect(app.of("SignIn")).toEqual([]);
    applyEvents(signedIn({ source: "gh", deviceFlow: false }));
    expect(page.getByRole("heading", { name: "Signed in as octocat" })).toBeVisible();
  });

  test("explains a missing client ID and leads to the CLI's sign-in", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedOut({ deviceFlow: false }));
    render(() => <FirstRun />);
    expect(page.getByText(/This build of VoxPilot can't sign you in through a browser/)).toBeVisible();
    const led = page.getByRole("button", { name: "Sign in with Copilot CLI" });
    expect(led).toHaveAccessibleDescription(
      "Copilot CLI signs you in and stores the sign-in. VoxPilot can't check it.",
    );
    await user.click(led);
    expect(app.of("SignInCLI")).toHaveLength(1);
    expect(page.getByText("Starting Copilot CLI…")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Back" }));
    expect(page.getByRole("button", { name: "Sign in with Copilot CLI" })).toBeVisible();
  });

  test("without a client ID, uses the CLI's login or signs in to another account with the CLI", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedOut({ state: "own", source: "cli", deviceFlow: false, found: ["cli"] }));
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Use another account" }));
    expect(page.getByText("Choose how to sign in.")).toBeVisible();
    expect(page.queryByText(/opens your browser or shows a code to enter/)).toBeNull();
    expect(page.getByRole("button", { name: "Use the Copilot CLI login" })).toHaveAccessibleDescription(
      "Already signed in, but VoxPilot can't tell whether the sign-in is still valid.",
    );
    const signIn = page.getByRole("button", { name: "Sign in with Copilot CLI" });
    expect(signIn).toHaveAccessibleDescription(
      "Use a different account. Copilot CLI opens your browser or shows a code.",
    );
    await user.click(signIn);
    expect(app.of("SignInCLI")).toHaveLength(1);
    expect(app.of("SaveSettings")).toEqual([]);
    await user.click(page.getByRole("button", { name: "Back" }));
    await user.click(page.getByRole("button", { name: "Use the Copilot CLI login" }));
    await waitFor(() => expect(app.of("CheckAccount")).toHaveLength(1));
    expect(app.of("SignInCLI")).toHaveLength(1);
    expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ signIn: "cli" });
  });

  test("reports a sign-in kept only in memory", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedIn({ key: "memory" }));
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Continue as octocat" }));
    expect(page.getByRole("note")).toHaveTextContent("will forget your sign-in when it quits");
  });

  test("retries a locked keychain and continues with its sign-in", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedOut({ state: "locked", source: "stored" }));
    render(() => <FirstRun />);
    expect(page.getByText("The system keychain is locked.")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Try again" }));
    expect(app.of("CheckAccount")).toHaveLength(1);
    expect(app.of("SignIn")).toEqual([]);
    applyEvents(signedIn());
    expect(page.getByRole("heading", { name: "Signed in as octocat" })).toBeVisible();
  });

  test("starts practice without a sign-in or folder", async () => {
    const user = userEvent.setup();
    const app = stubApp({ StartPractice: () => Promise.resolve(createdChat) });
    resetState(cliFound);
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Try it without an account" }));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ setupDone: true });
  });

  test("refuses a folder that doesn't exist", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedIn());
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Continue as octocat" }));
    await user.type(page.getByLabelText("Folder"), "/nowhere{Enter}");
    await page.findByText("This folder doesn't exist.");
    expect(page.getByRole("button", { name: "Start" })).toBeDisabled();
  });

  test("reads the details of other methods with them", () => {
    stubApp();
    resetState(cliFound, signedOut());
    applyEvents(codeSignIn());
    render(() => <FirstRun />);
    const way = page.getByRole("button", { name: "Use your own model" });
    expect(way).toHaveAccessibleDescription("No GitHub account needed.");
    expect(page.getByText("No GitHub account needed.")).toBeVisible();
  });

  test("shows whether the user's own model works", async () => {
    const user = userEvent.setup();
    const provider = { id: "p1", name: "m", baseUrl: "http://x", model: "m", createdAt: 1, version: 1 };
    stubApp({ SaveProvider: () => Promise.resolve(provider) });
    resetState(cliFound, signedOut());
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Use your own model" }));
    await user.type(page.getByRole("textbox", { name: "Server address" }), "http://x");
    await user.type(page.getByRole("textbox", { name: "Model" }), "m");
    await user.click(page.getByRole("button", { name: "Use this model" }));
    applyEvents({ provider });
    const step = (await page.findByRole("heading", { name: "Using m" })).closest("li") as HTMLElement;
    const isOK = () => step.querySelector(".gl .c-ok") !== null;
    expect(isOK()).toBe(false);
    applyEvents({ provider: { ...provider, checkedAt: 2, check: "The server rejected the API key." } });
    expect(within(step).getByRole("alert")).toHaveTextContent("The server rejected the API key.");
    expect(isOK()).toBe(false);
    applyEvents({ provider: { ...provider, checkedAt: 3 } });
    expect(within(step).queryByRole("alert")).toBeNull();
    expect(isOK()).toBe(true);
  });

  test("moves the focus to each step's first field, or to its heading", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedIn());
    render(() => <FirstRun />);
    const isRead = (name: string) => waitFor(() => expect(page.getByRole("heading", { name })).toHaveFocus());
    await user.click(page.getByRole("button", { name: "Continue as octocat" }));
    await user.keyboard("/tmp/x");
    expect(page.getByPlaceholderText("Type or paste a path")).toHaveValue("/tmp/x");
    await user.click(page.getByRole("button", { name: "Change" }));
    await isRead("Continue with GitHub");
    await user.click(page.getByRole("button", { name: "Use your own model" }));
    await user.keyboard("http://x");
    expect(page.getByRole("textbox", { name: "Server address" })).toHaveValue("http://x");
    await user.click(page.getByRole("button", { name: "Back" }));
    await isRead("Continue with GitHub");
    page.getByRole("button", { name: "Set up later" }).focus();
    applyEvents({ cli: { state: "missing", min: "1.0.78" } });
    expect(page.getByRole("button", { name: "Set up later" })).toHaveFocus();
  });

  test("updates an outdated CLI with its own command or a package manager", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const installers = [
      { id: "update", name: "copilot update" },
      { id: "npm", name: "npm" },
    ];
    resetState({ cli: { state: "too_old", version: "0.0.339", min: "1.0.78", installers } });
    render(() => <FirstRun />);
    expect(page.getByRole("button", { name: "Update with npm" })).toBeVisible();
    await user.click(page.getByRole("button", { name: "Run copilot update" }));
    expect(app.of("InstallCLI")).toEqual([["update"]]);
  });

  test("lists where a missing CLI was searched for and continues once it is found", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(
      { cli: { state: "missing", min: "1.0.78", searched: ["PATH", "/home/anna/.npm/bin"] } },
      signedIn(),
    );
    render(() => <FirstRun />);
    expect(page.getByRole("heading", { name: "Copilot CLI wasn't found" })).toBeVisible();
    expect(page.getByRole("list", { name: "VoxPilot looked in:" })).toHaveTextContent("~/.npm/bin");
    const practice = page.getByRole("button", { name: "Try it without an account" });
    expect(practice).toBeDisabled();
    expect(practice).toHaveAccessibleDescription(
      /^To try VoxPilot without an account, set up Copilot CLI first\./,
    );
    expect(page.getByText(/^To try VoxPilot without an account, set up Copilot CLI first\./)).toBeVisible();
    await user.click(page.getByRole("button", { name: "Check again" }));
    expect(app.of("CheckCLI")).toHaveLength(1);
    applyEvents(cliFound);
    expect(practice).toBeEnabled();
    expect(
      page.queryByText(/^To try VoxPilot without an account, set up Copilot CLI first\./),
    ).not.toBeInTheDocument();
    expect(page.getByRole("heading", { name: "Copilot CLI found" })).toBeVisible();
    expect(page.getByRole("button", { name: "Continue as octocat" })).toBeVisible();
  });

  test("saves a custom model with its key, and it answers the first chat", async () => {
    const user = userEvent.setup();
    const saved: Provider = { id: "p1", name: "m", baseUrl: "http://x/v1", model: "m", createdAt: 1 };
    const app = stubApp({
      SaveProvider: (provider) => {
        applyEvents({ provider: { ...provider, id: "p1" } });
        return Promise.resolve(saved);
      },
      CreateChat: () => Promise.resolve(createdChat),
    });
    resetState(cliFound, signedOut());
    applyEvents(codeSignIn());
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Use your own model" }));
    expect(app.of("CancelSignIn")).toHaveLength(1);
    await user.click(page.getByRole("button", { name: "Use this model" }));
    expect(page.getByRole("alert")).toHaveTextContent("Enter the server's address");
    await user.type(page.getByLabelText("Server address"), "http://x/v1");
    await user.type(page.getByLabelText("Model"), "m");
    await user.type(page.getByLabelText("API key"), "secret");
    await user.click(page.getByRole("button", { name: "Use this model" }));
    await user.type(await page.findByLabelText("Folder"), "/home/anna/code/orbit-api{Enter}");
    await page.findByText("Git, branch main");
    await user.click(page.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(app.of("CreateChat")).toEqual([["/home/anna/code/orbit-api", "p1"]]));
    expect(app.of("SaveProvider")).toEqual([
      [expect.objectContaining({ id: "", baseUrl: "http://x/v1", model: "m", name: "m" }), "secret"],
    ]);
    expect(app.of("CheckProvider")).toEqual([["p1"]]);
  });

  describe("where the sandbox works", () => {
    const row = () => page.queryByRole("switch", { name: "Run commands in a sandbox" });
    async function toFolder(user: ReturnType<typeof userEvent.setup>) {
      render(() => <FirstRun />);
      expect(row()).toBeNull();
      await user.click(page.getByRole("button", { name: "Continue as octocat" }));
      await user.type(page.getByLabelText("Folder"), "/home/anna/code/orbit-api{Enter}");
      await page.findByText("Git, branch main");
    }

    test("recommends it, and turns it on for the first chat and all new ones", async () => {
      const user = userEvent.setup();
      const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
      resetState(cliFound, signedIn(), { sandbox: { state: "ready" } });
      await toFolder(user);
      expect(row()).toBeChecked();
      await user.click(page.getByRole("button", { name: "Start" }));
      await waitFor(() => expect(app.of("SaveSettings")).toHaveLength(1));
      expect(app.of("SetSandbox")).toEqual([["made", { on: true }]]);
      expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ sandbox: { newChats: true, network: "sites" } });
    });

    test("leaves it off if the user turns it off", async () => {
      const user = userEvent.setup();
      const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
      resetState(cliFound, signedIn(), { sandbox: { state: "ready" } });
      await toFolder(user);
      await user.click(row() as HTMLElement);
      await user.click(page.getByRole("button", { name: "Start" }));
      await waitFor(() => expect(app.of("SaveSettings")).toHaveLength(1));
      expect(app.of("SetSandbox")).toEqual([]);
      expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ sandbox: { newChats: false } });
    });

    test("leaves it off if the user skips the setup", async () => {
      const user = userEvent.setup();
      const app = stubApp();
      resetState(cliFound, signedIn(), { sandbox: { state: "ready" } });
      await toFolder(user);
      await user.click(page.getByRole("button", { name: "Set up later" }));
      expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ setupDone: true, sandbox: { newChats: false } });
    });

    test("doesn't offer it where it doesn't work", async () => {
      const user = userEvent.setup();
      stubApp();
      resetState(cliFound, signedIn(), { sandbox: { state: "unavailable" } });
      await toFolder(user);
      expect(row()).toBeNull();
    });
  });
});
