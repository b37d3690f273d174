import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { defaultSettings } from "../../state/state";
import type { Event, Provider, Settings } from "../../state/words";
import { go } from "../shell/screen";
import { cliFound, know, learn, standIn, standInForBrowser } from "../ui/testing";
import { SettingsScreen } from "./SettingsScreen";

const settings: Settings = {
  ...defaultSettings,
  setupDone: true,
  sidebarWidth: 300,
};
const rule = (id: string, command?: string): Event => ({
  rule: {
    id,
    effect: "allow",
    scope: { kind: command ? "command" : "edits", folder: "/home/anna/code/orbit-api", command },
    createdAt: 1,
  },
});
const ollama: Provider = {
  id: "p1",
  name: "Ollama",
  baseUrl: "http://localhost:11434/v1",
  model: "qwen3:8b",
  key: "keychain",
  createdAt: 1,
};

beforeEach(() => {
  standInForBrowser();
  know(cliFound, { settings });
});

describe("the settings", () => {
  test("a choice of appearance keeps every other setting", async () => {
    const user = userEvent.setup();
    const app = standIn();
    go({ name: "settings", page: "appearance" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("radio", { name: "Dark" }));
    await user.click(page.getByRole("switch", { name: "Collapse Copilot blocks when they finish" }));
    expect(app.of("SaveSettings")).toEqual([
      [{ ...settings, theme: "dark" }],
      [{ ...settings, keepOpen: true }],
    ]);
  });

  test("a group of choices is one tab stop that the arrow keys move in", async () => {
    const user = userEvent.setup();
    const app = standIn();
    go({ name: "settings", page: "appearance" });
    render(() => <SettingsScreen />);
    const motion = page.getByRole("radiogroup", { name: "Motion" });
    within(motion).getByRole("radio", { name: "System" }).focus();
    await user.keyboard("{ArrowLeft}");
    expect(within(motion).getByRole("radio", { name: "Reduced" })).toHaveFocus();
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, motion: "reduced" }]]);
  });

  test("a rule is removed at once, all of them only after a question", async () => {
    const user = userEvent.setup();
    const app = standIn();
    learn(rule("r1"), rule("r2", "go test ./..."));
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Remove rule: go test ./..." }));
    expect(app.of("RemoveRule")).toEqual([["r2"]]);
    await user.click(page.getByRole("button", { name: "Remove all rules" }));
    expect(app.of("RemoveRule")).toHaveLength(1);
    await user.click(await page.findByRole("button", { name: "Remove all" }));
    await waitFor(() => expect(app.of("RemoveAllRules")).toHaveLength(1));
    expect(app.of("RemoveRule")).toHaveLength(1);
  });

  test("a rule that no request offers is made here, and one may deny", async () => {
    const user = userEvent.setup();
    const app = standIn();
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Add a rule" }));
    await user.selectOptions(page.getByRole("combobox", { name: "What to do" }), "Never allow");
    await user.type(page.getByRole("textbox", { name: "Beginning" }), "rm -rf");
    await user.click(page.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(app.of("SaveRule")).toHaveLength(1));
    expect(app.of("SaveRule")[0]?.[0]).toMatchObject({
      effect: "deny",
      scope: { kind: "prefix", folder: "", command: "rm -rf" },
      expiresAt: 0,
    });
  });

  test("what new chats allow is never everything, and outside of the folder it can always ask", async () => {
    const user = userEvent.setup();
    const app = standIn();
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    const group = page.getByRole("radiogroup", { name: "Default permission" });
    expect(within(group).getAllByRole("radio")).toHaveLength(2);
    await user.click(within(group).getByRole("radio", { name: "Allow edits" }));
    await user.click(page.getByRole("switch", { name: "Always ask outside the folder" }));
    expect(app.of("SaveSettings")).toEqual([
      [{ ...settings, mode: "accept_edits" }],
      [{ ...settings, askOutside: false }],
    ]);
  });

  test("every request so far can be read, with who decided", async () => {
    const user = userEvent.setup();
    standIn();
    const asked = {
      id: "p",
      chatId: "c",
      session: "main",
      state: "decided",
      title: "Run",
      kind: "execute",
      command: "go test",
      options: [],
      decision: "auto_allowed",
      mode: "bypass",
      createdAt: 1,
    };
    vi.stubGlobal("fetch", (input: string) => {
      const before = new URL(input, "http://app").searchParams.get("before");
      const earlier = before === null || asked.createdAt < Number(before);
      return Promise.resolve(Response.json({ permissions: earlier ? [asked] : [] }));
    });
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    await user.click(page.getByText("Every request so far"));
    const row = (await page.findByText("go test")).closest("tr") as HTMLElement;
    expect(row).toHaveTextContent("Allowed by “Allow everything”");
  });

  test("another agent is added with its command, and its values go nowhere but to the app", async () => {
    const user = userEvent.setup();
    const app = standIn();
    go({ name: "settings", page: "agent" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Add an agent" }));
    expect(page.getByLabelText("Command or address")).toHaveFocus();
    await user.type(page.getByLabelText("Command or address"), 'qwen --acp "--name=my agent"');
    await user.type(page.getByLabelText("Environment"), "API_KEY=secret");
    await user.click(page.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(app.of("SaveProfile")).toHaveLength(1));
    await waitFor(() => expect(page.getByRole("button", { name: "Add an agent" })).toHaveFocus());
    expect(app.of("SaveProfile")[0]).toEqual([
      expect.objectContaining({
        name: "qwen",
        command: "qwen",
        args: ["--acp", "--name=my agent"],
        address: "",
        env: ["API_KEY"],
      }),
      { API_KEY: "secret" },
    ]);
  });

  test("an own model is changed without its key, which stays where it is", async () => {
    const user = userEvent.setup();
    const app = standIn({ SaveProvider: (provider: Provider) => Promise.resolve(provider) });
    learn({ provider: ollama });
    go({ name: "settings", page: "model" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Edit" }));
    await user.clear(page.getByLabelText("Model"));
    await user.type(page.getByLabelText("Model"), "gpt-oss:20b");
    await user.type(page.getByLabelText("Headers"), "X-Team: blue");
    await user.click(page.getByRole("button", { name: "Save and check" }));
    await waitFor(() => expect(app.of("CheckProvider")).toEqual([["p1"]]));
    expect(app.of("SaveProvider")).toEqual([
      [{ ...ollama, model: "gpt-oss:20b", headers: { "X-Team": "blue" } }, ""],
    ]);
  });

  test("a check that comes back while a model is edited takes nothing that was typed", async () => {
    const user = userEvent.setup();
    standIn();
    learn({ provider: ollama });
    go({ name: "settings", page: "model" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Edit" }));
    await user.clear(page.getByLabelText("Model"));
    await user.type(page.getByLabelText("Model"), "mine");
    learn({ provider: { ...ollama, models: ["a", "b"], checkedAt: 5 } });
    expect(page.getByLabelText("Model")).toHaveValue("mine");
    expect(page.getByText("The server lists 2 models.")).toBeVisible();
  });

  test("the program of the agent is saved and looked for again", async () => {
    const user = userEvent.setup();
    const app = standIn();
    go({ name: "settings", page: "agent" });
    render(() => <SettingsScreen />);
    await user.type(page.getByLabelText("Program"), "/opt/copilot");
    await user.tab();
    await waitFor(() => expect(app.of("CheckCLI")).toHaveLength(1));
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, cliPath: "/opt/copilot" }]]);
  });

  test("the doctor shows what it found and copies its report", async () => {
    const user = userEvent.setup();
    const app = standIn();
    vi.stubGlobal("fetch", () =>
      Promise.resolve(
        Response.json({
          checks: [{ name: "Keychain", state: "warn", detail: "None answers.", hint: "Install one." }],
          log: ["line one"],
          text: "the report",
          version: "0.1.0",
        }),
      ),
    );
    go({ name: "settings", page: "doctor" });
    render(() => <SettingsScreen />);
    expect(await page.findByText("Install one.")).toBeVisible();
    expect(page.getByText("Look at this")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Copy report" }));
    expect(app.of("Copy")).toEqual([["the report"]]);
  });
});
