import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { agentDialog, closeAgentSignIn, commandLine } from "../../state/agentSignIn";
import { createInput, deliverOutput, readOutput } from "../../state/agentTerminal";
import { go } from "../../state/screen";
import type { AgentSignIn, AuthMethod, Event } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, signedIn, stubApp, stubBrowser } from "../../testing";
import { Dock } from "../composer/Dock";
import { CustomAgents } from "../settings/CustomAgents";
import { AgentSignInDialog } from "./AgentSignInDialog";
import { cleanPaste } from "./terminalInput";

const byAgent: AuthMethod = {
  id: "web",
  name: "Login with Example",
  description: "Opens a page",
  kind: "agent",
};
const byKey: AuthMethod = {
  id: "key",
  name: "Use API_KEY",
  kind: "env_var",
  vars: [
    { name: "API_KEY", label: "API key", secret: true },
    { name: "API_ORG", optional: true, set: true },
  ],
  link: "https://example.com/keys",
};
const byTerminal: AuthMethod = {
  id: "cli",
  name: "Subscription",
  kind: "terminal",
  program: "/opt/my agent/run",
  args: ["auth", "log'in"],
};
const other: AuthMethod = { id: "other", name: "Other", kind: "agent" };
const unknown: AuthMethod = { id: "new", name: "Passkey", kind: "unknown" };

const profile: Event = { profile: { id: "p", name: "Example", command: "example", createdAt: 1 } };
const signIn = (more: Partial<AgentSignIn> = {}): Event => ({
  agentSignIn: { profileId: "p", state: "needed", methods: [byAgent, byKey, byTerminal], since: 1, ...more },
});
const waits: Event = { connection: { chatId: "c", state: "needs_login", cause: "not_signed_in", since: 1 } };

function show(...events: Event[]) {
  resetState(cliFound, signedIn(), profile, chatEvent("c", { providerId: "p" }), waits, ...events);
  return render(() => (
    <>
      <Dock chatId="c" />
      <AgentSignInDialog />
    </>
  ));
}
const banner = () => page.getByRole("alert", { name: "Sign-in needed" });
const button = (name: string) => page.getByRole("button", { name });

beforeEach(() => {
  stubBrowser();
  closeAgentSignIn();
  go({ name: "chat", id: "c" });
});

describe("the banner of an agent's own sign-in", () => {
  test("lists the methods in the agent's words and starts one", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signIn());
    expect(banner()).toHaveTextContent("Sign in to Example to continue.");
    expect(within(banner()).getByRole("list", { name: "Sign-in methods" })).toHaveTextContent("Opens a page");
    await user.click(button("Login with Example"));
    expect(app.of("SignInAgent")).toEqual([["p", "web", {}]]);
    expect(agentDialog()).toBeUndefined();
  });

  test("shows three methods as buttons and the others in a menu", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signIn({ methods: [byAgent, byKey, byTerminal, other, unknown] }));
    expect(page.queryByRole("button", { name: "Other" })).toBeNull();
    expect(page.queryByRole("button", { name: "Passkey" })).toBeNull();
    expect(banner()).toHaveTextContent("Passkey VoxPilot doesn't support this method.");
    await user.click(button("More methods"));
    await user.click(page.getByRole("menuitem", { name: "Other" }));
    await waitFor(() => expect(app.of("SignInAgent")).toEqual([["p", "other", {}]]));
  });

  test("shows a running sign-in, which can be canceled, and a failed one", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signIn({ state: "running", methodId: "web" }));
    expect(page.getByRole("status", { name: "Sign-in needed" })).toHaveTextContent("Signing in to Example…");
    await user.click(button("Cancel"));
    expect(app.of("CancelAgentSignIn")).toEqual([["p"]]);
    applyEvents(signIn({ state: "failed", methodId: "web", message: "Access was denied.", since: 2 }));
    expect(banner()).toHaveTextContent("Couldn't sign in to Example. Access was denied.");
    await user.click(button("Try again"));
    expect(app.of("SignInAgent")).toEqual([["p", "web", {}]]);
  });

  test("tells what to do if VoxPilot can't use any method", () => {
    stubApp();
    const { unmount } = show(signIn({ methods: [unknown] }));
    expect(banner()).toHaveTextContent("VoxPilot doesn't support this agent's sign-in methods.");
    unmount();
    show(signIn({ methods: [] }));
    expect(banner()).toHaveTextContent("Sign in with its command-line tool, then check again.");
    expect(button("Check again")).toBeVisible();
  });
});

describe("the dialog of an agent's own sign-in", () => {
  test("sends the values of variables, and stays open until the agent accepts them", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signIn());
    await user.click(button("Use API_KEY…"));
    const key = page.getByLabelText("API key");
    expect(key).toHaveAttribute("type", "password");
    await user.click(button("Sign in"));
    expect(page.getByRole("alert")).toHaveTextContent("Enter a value for API key.");
    await user.type(key, "secret");
    // An event in between must not clear the field.
    applyEvents(signIn({ since: 2 }));
    expect(key).toHaveValue("secret");
    await user.click(button("Sign in"));
    expect(app.of("SignInAgent")).toEqual([["p", "key", { API_KEY: "secret" }]]);
    applyEvents(signIn({ state: "running", methodId: "key", since: 3 }));
    applyEvents(signIn({ state: "failed", methodId: "key", message: "Wrong key.", since: 4 }));
    expect(within(page.getByRole("dialog")).getByRole("alert")).toHaveTextContent("Wrong key.");
    await user.click(button("Sign in"));
    applyEvents(signIn({ state: "done", methodId: "key", since: 5 }));
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(page.getByText("Signed in to Example.")).toBeInTheDocument();
  });

  test("asks before it opens the page with the key", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signIn());
    await user.click(button("Use API_KEY…"));
    await user.click(button("Get the values"));
    expect(page.getByText("https://example.com/keys")).toBeVisible();
    expect(app.of("OpenURL")).toEqual([]);
    await user.click(button("Open in browser"));
    expect(app.of("OpenURL")).toEqual([["https://example.com/keys"]]);
  });

  test("shows the exact command before it runs", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    show(signIn());
    await user.click(button("Subscription…"));
    expect(page.getByRole("region", { name: "Command" })).toHaveTextContent(
      "'/opt/my agent/run' auth 'log'\\''in'",
    );
    expect(app.of("SignInAgent")).toEqual([]);
    await user.click(button("Run"));
    expect(app.of("SignInAgent")).toEqual([["p", "cli", {}]]);
    // A running sign-in in a terminal is canceled only after a question.
    applyEvents(signIn({ state: "running", methodId: "cli", since: 2 }));
    await user.click(button("Cancel sign-in…"));
    expect(app.of("CancelAgentSignIn")).toEqual([]);
    await user.click(button("Cancel sign-in"));
    expect(app.of("CancelAgentSignIn")).toEqual([["p"]]);
  });
});

describe("the settings of an agent's own sign-in", () => {
  test("show the state, check it, sign in and sign out", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedIn(), profile);
    render(() => (
      <>
        <CustomAgents />
        <AgentSignInDialog />
      </>
    ));
    await user.click(button("Check sign-in"));
    expect(app.of("CheckAgentSignIn")).toEqual([["p"]]);
    applyEvents(signIn({ state: "unknown", since: 2 }));
    await user.click(button("Sign in…"));
    await user.click(button("Login with Example"));
    expect(app.of("SignInAgent")).toEqual([["p", "web", {}]]);
    applyEvents(signIn({ state: "running", methodId: "web", since: 3 }));
    expect(page.getByText("Signing in…")).toBeInTheDocument();
    applyEvents(signIn({ state: "done", canSignOut: true, methodId: "web", since: 4 }));
    expect(await page.findByText("Signed in")).toBeVisible();
    await user.click(await page.findByRole("button", { name: "Sign out…" }));
    expect(app.of("SignOutAgent")).toEqual([]);
    await user.click(button("Sign out"));
    expect(app.of("SignOutAgent")).toEqual([["p"]]);
  });
});

describe("the output of a terminal", () => {
  const encode = (text: string) => btoa(text);
  const part = (offset: number, text: string): Event => ({
    agentTerminal: { profileId: "p", id: "t", offset, data: encode(text) },
  });

  test("is read once, in order and without gaps", async () => {
    let all = { profileId: "p", id: "t", offset: 0, data: encode("one ") };
    const app = stubApp({ AgentTerminalOutput: () => Promise.resolve(all) });
    const log: string[] = [];
    const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);
    const stop = readOutput("p", "t", {
      write: (bytes) => log.push(text(bytes)),
      replay: (shown, fresh) => log.push(`replay ${text(shown)}|${text(fresh)}`),
      failed: (thrown) => log.push(thrown.message),
    });
    // Arrives before the output so far, which already contains a part of it.
    deliverOutput([part(2, "e two ")]);
    await waitFor(() => expect(log).toEqual(["replay |one ", "two "]));
    deliverOutput([part(8, "three ")]);
    deliverOutput([part(8, "three ")]);
    deliverOutput([{ agentTerminal: { profileId: "p", id: "other", offset: 0, data: encode("x") } }]);
    expect(log).toEqual(["replay |one ", "two ", "three "]);
    all = { ...all, offset: 10, data: encode("later") }; // 14 bytes were shown before
    deliverOutput([part(100, "gap")]);
    await waitFor(() => expect(log.at(-1)).toBe("replay late|r"));
    expect(app.of("AgentTerminalOutput")).toHaveLength(2);
    stop();
    deliverOutput([part(15, "no")]);
    expect(log.at(-1)).toBe("replay late|r");
  });

  test("and its input is sent in order", async () => {
    const sent: string[] = [];
    let release = () => {};
    stubApp({
      WriteAgentTerminal: (_id: string, text: string) => {
        sent.push(text);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });
    const input = createInput("p", () => {});
    input("a");
    input("b");
    input("c");
    expect(sent).toEqual(["a"]);
    release();
    await waitFor(() => expect(sent).toEqual(["a", "bc"]));
  });

  test("can't be reached by control characters in pasted text", () => {
    expect(cleanPaste("a\u001b[201~rm\u0003\r\n\tb\u009b")).toBe("a[201~rm\r\n\tb");
  });

  test("a command line is quoted", () => {
    expect(commandLine({ ...byTerminal, env: ["A=b c"], args: ["", "x;y"] })).toBe(
      "'A=b c' '/opt/my agent/run' '' 'x;y'",
    );
  });
});
