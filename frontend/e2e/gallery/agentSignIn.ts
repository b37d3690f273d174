// Screens of the sign-in of custom agents: the banner, the form, the command, the terminal and the settings.

import type { Page } from "playwright-core";
import type { AgentSignIn, AuthMethod, Connection, Event } from "../../src/state/types";
import { home, narrow, openSettings } from "./shell";
import { now, type Shot } from "./shot";
import { failedWith } from "./transcript";

const methods: AuthMethod[] = [
  {
    id: "chatgpt",
    name: "Login with ChatGPT",
    description: "Use your ChatGPT login with Codex CLI (requires a paid ChatGPT subscription)",
    kind: "agent",
  },
  {
    id: "key",
    name: "Use CODEX_API_KEY",
    description: "Requires setting the `CODEX_API_KEY` environment variable.",
    kind: "env_var",
    vars: [
      { name: "CODEX_API_KEY", label: "API key", secret: true },
      { name: "CODEX_ORG", optional: true, set: true },
    ],
    link: "https://platform.example.com/api-keys",
  },
  {
    id: "login",
    name: "Subscription",
    description: "Sign in with your subscription",
    kind: "terminal",
    program: "/usr/bin/node",
    args: ["/home/anna/.local/share/agents/codex acp/cli.js", "--cli", "auth", "login"],
  },
  { id: "gateway", name: "Gateway", description: "Use a gateway of your company", kind: "agent" },
  { id: "passkey", name: "Passkey", kind: "unknown" },
];
const profile: Event = {
  profile: { id: "codex", name: "Codex", command: "codex-acp", createdAt: 1 },
};
const signIn = (more: Partial<AgentSignIn> = {}): Event => ({
  agentSignIn: { profileId: "codex", state: "needed", methods, since: now, ...more },
});
const waits: Partial<Connection> = { state: "needs_login", cause: "not_signed_in" };
const chats = home.flatMap((event): Event[] =>
  event.chat?.id === "refresh" ? [{ chat: { ...event.chat, providerId: "codex" } }] : [],
);
const banner = (name: string, more: Partial<AgentSignIn>, shot: Partial<Shot> = {}): Shot =>
  failedWith(name, waits, [...chats, profile, signIn(more)], {
    reference: "03c-reconnect-sign-in",
    ...shot,
  });
const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

/** The output of a terminal with all colors, 24-bit colors, a link, and requests that the window ignores. */
const output = [
  "\u001b]0;Another title\u0007\u001b]52;c;c3RvbGVu\u0007\u001b]11;#ff0000\u0007",
  "\u001b[1mWelcome to the sign-in\u001b[0m\r\n\r\n",
  ...[31, 32, 33, 34, 35, 36, 37].map((code) => `\u001b[${code}mcolor ${code}\u001b[0m `),
  "\r\n\u001b[38;2;250;120;20m24-bit color\u001b[0m \u001b[48;2;20;60;120m background \u001b[0m\r\n\r\n",
  "Open https://auth.example.com/device?code=7K4P-QX2M\r\n",
  "\u001b]8;;https://another.example.com/\u0007the page\u001b]8;;\u0007\r\n\r\n",
  "Paste the code here: ",
].join("");

/** Answers the calls that read the terminal. */
const answer = (page: Page) =>
  page.evaluate((data) => {
    const answers: Record<string, unknown> = {
      AgentTerminalOutput: { profileId: "codex", id: "t", offset: 0, data },
    };
    const app = new Proxy({}, { get: (_, name) => () => Promise.resolve(answers[String(name)]) });
    (window as unknown as { go: unknown }).go = { main: { App: app } };
  }, Buffer.from(output).toString("base64"));
const inTerminal = (name: string, shot: Partial<Shot> = {}) =>
  banner(
    name,
    { state: "running", methodId: "login", terminalId: "t" },
    {
      act: async (page) => {
        await answer(page);
        await press("Show terminal")(page);
        await page.getByText("Paste the code here").first().waitFor();
        await page.locator(".terminal-host .xterm-rows").getByText("24-bit color").waitFor();
      },
      ...shot,
    },
  );

export const shots: Shot[] = [
  banner("06m-agent-sign-in", {}),
  banner("06m2-agent-sign-in-failed", {
    state: "failed",
    methodId: "chatgpt",
    message: "Codex: The login was denied.",
  }),
  banner("06m3-agent-sign-in-running", { state: "running", methodId: "chatgpt" }),
  banner("06m4-agent-sign-in-key", {}, { act: press("Use CODEX_API_KEY…") }),
  banner("06m5-agent-sign-in-command", {}, { act: press("Subscription…") }),
  inTerminal("06m6-agent-sign-in-terminal"),
  inTerminal("06m7-agent-sign-in-terminal-narrow", { size: narrow }),
  banner("06m8-agent-sign-in-narrow", {}, { size: narrow }),
  {
    name: "06m9-settings-agent-sign-in",
    reference: "06b-settings-agent",
    app: [
      ...home,
      profile,
      signIn({ state: "done", canSignOut: true }),
      { profile: { id: "qwen", name: "Qwen Code", command: "qwen", args: ["--acp"], createdAt: 2 } },
      { profile: { id: "claude", name: "Claude Code", command: "claude-agent-acp", createdAt: 3 } },
      { agentSignIn: { profileId: "claude", state: "needed", methods, since: now } },
    ],
    act: async (page) => {
      await openSettings("Agent")(page);
      await page.locator(".set > main").evaluate((main) => main.scrollTo(0, 9999));
    },
  },
];
