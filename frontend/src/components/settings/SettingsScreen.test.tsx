import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createRoot } from "solid-js";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createCommandKeys } from "../../state/commands";
import { go } from "../../state/screen";
import type { Provider, Settings } from "../../state/types";
import { applyEvents, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { SettingsScreen } from "./SettingsScreen";
import { settings } from "./testing";

const ollama: Provider = {
  id: "p1",
  name: "Ollama",
  baseUrl: "http://localhost:11434/v1",
  model: "qwen3:8b",
  key: "keychain",
  createdAt: 1,
};

beforeEach(() => {
  stubBrowser();
  resetState(cliFound, { settings });
});

describe("the settings", () => {
  test("keep every other setting when the appearance changes", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    go({ name: "settings", page: "appearance" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("radio", { name: "Dark" }));
    await user.click(page.getByRole("switch", { name: "Collapse Copilot blocks when they finish" }));
    expect(app.of("SaveSettings")).toEqual([
      [{ ...settings, theme: "dark" }],
      [{ ...settings, keepOpen: true }],
    ]);
  });

  test("make a group of choices one tab stop with arrow keys", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    go({ name: "settings", page: "appearance" });
    render(() => <SettingsScreen />);
    const motion = page.getByRole("radiogroup", { name: "Motion" });
    within(motion).getByRole("radio", { name: "System" }).focus();
    await user.keyboard("{ArrowLeft}");
    expect(within(motion).getByRole("radio", { name: "Reduced" })).toHaveFocus();
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, motion: "reduced" }]]);
  });

  test("change the text size by keyboard and reset it", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      SaveSettings: (changed: Settings) => {
        applyEvents({ settings: changed });
        return Promise.resolve();
      },
    });
    createRoot((dispose) => {
      onTestFinished(dispose);
      createCommandKeys(() => true);
    });
    const size = () => (app.of("SaveSettings").at(-1)?.[0] as Settings | undefined)?.textSize;
    await user.keyboard("{Control>}+{/Control}");
    expect(size()).toBe("large");
    await user.keyboard("{Control>}{Shift>}={/Shift}{/Control}");
    expect(size()).toBe("larger");
    await user.keyboard("{Control>}={/Control}");
    expect(app.of("SaveSettings")).toHaveLength(2);
    await user.keyboard("{Control>}0{/Control}");
    expect(size()).toBe("normal");
    await user.keyboard("{Control>}-{/Control}");
    expect(size()).toBe("small");
  });

  test("save lost-session behavior, limits and the editor", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    go({ name: "settings", page: "agent" });
    render(() => <SettingsScreen />);
    const lost = page.getByRole("combobox", { name: "If a session can't be restored" });
    await user.selectOptions(lost, "Start without a summary");
    const limit = page.getByRole("combobox", { name: "Stop Copilot after" });
    expect(limit).toHaveValue("0");
    await user.selectOptions(limit, "1 hour");
    await user.type(page.getByRole("textbox", { name: "Open files with" }), "code -g {{file}:{{line}");
    await user.tab();
    expect(app.of("SaveSettings")).toEqual([
      [{ ...settings, ifLost: "fresh" }],
      [{ ...settings, stopAfterMinutes: 60 }],
      [{ ...settings, editor: "code -g {file}:{line}" }],
    ]);
  });

  test("offer Copilot's declared modes for new chats", async () => {
    const user = userEvent.setup();
    let modes = [
      { id: "x#agent", name: "Agent" },
      { id: "x#plan", name: "Plan" },
    ];
    const fetched = (input: string) =>
      Promise.resolve(new Response(JSON.stringify(input.startsWith("/data/declared") ? { modes } : {})));
    vi.stubGlobal("fetch", vi.fn(fetched));
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const app = stubApp();
    go({ name: "settings", page: "agent" });
    const shown = render(() => <SettingsScreen />);
    const choice = () => page.getByRole("combobox", { name: "Mode" });
    const plan = await within(choice()).findByRole("option", { name: "Plan" });
    expect(choice()).toHaveDisplayValue("Copilot default");
    await user.selectOptions(choice(), plan);
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, agentMode: "x#plan" }]]);
    shown.unmount();

    // A mode that Copilot no longer has is marked as such and can be changed.
    modes = [];
    applyEvents({ settings: { ...settings, agentMode: "x#plan" } });
    render(() => <SettingsScreen />);
    await page.findByText("Modes appear after your first chat with Copilot.");
    expect(choice()).toHaveDisplayValue("plan (not available)");
    await user.selectOptions(choice(), "Copilot default");
    expect(app.of("SaveSettings").at(-1)).toEqual([{ ...settings, agentMode: "" }]);
  });

  test("save the display of the transcript and its changes", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    go({ name: "settings", page: "appearance" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("switch", { name: "Show thoughts" }));
    await user.click(page.getByRole("switch", { name: "Wrap long lines in diffs" }));
    await user.click(page.getByRole("switch", { name: "Show changes side by side" }));
    await user.selectOptions(page.getByRole("combobox", { name: "Text size" }), "Extra large");
    await user.selectOptions(page.getByRole("combobox", { name: "Code font" }), "System");
    expect(app.of("SaveSettings")).toEqual([
      [{ ...settings, showThoughts: false }],
      [{ ...settings, wrapDiff: true }],
      [{ ...settings, splitDiff: true }],
      [{ ...settings, textSize: "larger" }],
      [{ ...settings, codeFont: "system" }],
    ]);
  });

  test("list shortcuts for all commands, searchable by name and key", async () => {
    const user = userEvent.setup();
    stubApp();
    go({ name: "settings", page: "shortcuts" });
    render(() => <SettingsScreen />);
    const anywhere = page.getByRole("table", { name: "Shortcuts, anywhere" });
    expect(within(anywhere).getByRole("row", { name: /^New chat/ })).toHaveTextContent("Ctrl N");
    expect(page.getByText(/^“Always allow” has no shortcut on purpose/)).toBeVisible();
    const search = page.getByRole("searchbox", { name: "Search by name or key" });
    await user.type(search, "ctrl shift a");
    const rows = page.getAllByRole("row").map((row) => row.textContent);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((text) => text?.includes("Ctrl Shift A"))).toBe(true);
    await user.clear(search);
    await user.type(search, "no such thing");
    expect(page.queryByRole("table")).toBeNull();
    expect(page.getByText("No shortcuts match “no such thing”.")).toBeVisible();
  });

  test("list shipped components with searchable licenses", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    vi.stubGlobal("fetch", (input: string) =>
      Promise.resolve(
        Response.json(
          input.startsWith("/data/licences")
            ? {
                components: [
                  { name: "shiki", version: "4.6.0", licence: "MIT", text: "Text of MIT" },
                  { name: "dompurify", version: "3.4.18", licence: "Apache-2.0", text: "Text of Apache" },
                ],
              }
            : { checks: [], log: [], text: "", version: "0.1.0" },
        ),
      ),
    );
    go({ name: "settings", page: "about" });
    render(() => <SettingsScreen />);
    const list = await page.findByRole("list", { name: "Components and licenses" });
    await user.type(page.getByRole("searchbox", { name: "Search by name or license" }), "apache");
    expect(within(list).getAllByRole("listitem")).toHaveLength(1);
    expect(page.getByText("1 component")).toBeVisible();
    await user.click(within(list).getByText("dompurify"));
    expect(await within(list).findByText("Text of Apache")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Open on GitHub" }));
    expect(app.of("OpenURL")).toEqual([["https://github.com/voxpilot/voxpilot"]]);
  });

  test("install the Copilot CLI from the doctor, with progress, and check again", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    let asked = 0;
    vi.stubGlobal("fetch", () => {
      asked++;
      return Promise.resolve(Response.json({ checks: [], log: [], text: "", version: "0.1.0" }));
    });
    const cli = { state: "missing" as const, min: "1.0.78", installers: [{ id: "npm", name: "npm" }] };
    applyEvents({ cli });
    go({ name: "settings", page: "doctor" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Install with npm" }));
    expect(app.of("InstallCLI")).toEqual([["npm"]]);
    applyEvents({ cli: { ...cli, install: { how: "npm", running: true, output: "fetching" } } });
    expect(page.getByRole("button", { name: "Installing Copilot CLI…" })).toBeDisabled();
    expect(page.getByRole("region", { name: "Installation output" })).toHaveTextContent("fetching");
    applyEvents({
      cli: { ...cli, install: { how: "npm", output: "EACCES", message: "It may not write there." } },
    });
    expect(page.getByRole("alert")).toHaveTextContent("It may not write there.");
    expect(asked).toBe(1);
    applyEvents(cliFound);
    expect(page.queryByRole("button", { name: "Install with npm" })).toBeNull();
    await waitFor(() => expect(asked).toBe(2));
  });

  test("add another agent with its command, sending its values only to the app", async () => {
    const user = userEvent.setup();
    const app = stubApp();
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

  test("edit a custom model without exposing its key", async () => {
    const user = userEvent.setup();
    const app = stubApp({ SaveProvider: (provider: Provider) => Promise.resolve(provider) });
    applyEvents({ provider: ollama });
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

  test("keep typed text when a check returns during editing", async () => {
    const user = userEvent.setup();
    stubApp();
    applyEvents({ provider: ollama });
    go({ name: "settings", page: "model" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Edit" }));
    await user.clear(page.getByLabelText("Model"));
    await user.type(page.getByLabelText("Model"), "mine");
    applyEvents({ provider: { ...ollama, models: ["a", "b"], checkedAt: 5 } });
    expect(page.getByLabelText("Model")).toHaveValue("mine");
    expect(page.getByText("2 models available.")).toBeVisible();
  });

  test("save the agent's program and look for it again", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    go({ name: "settings", page: "agent" });
    render(() => <SettingsScreen />);
    await user.type(page.getByLabelText("Program"), "/opt/copilot");
    await user.tab();
    await waitFor(() => expect(app.of("CheckCLI")).toHaveLength(1));
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, cliPath: "/opt/copilot" }]]);
  });

  test("show the doctor's findings and copy its report", async () => {
    const user = userEvent.setup();
    const app = stubApp();
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
    expect(page.getByText("Warning")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Copy report" }));
    expect(app.of("Copy")).toEqual([["the report"]]);
    expect(page.queryByRole("button", { name: "Reload shell environment" })).toBeNull();
  });

  test("ask the login shell again from the doctor and show the result", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const shell = (detail: string) => ({
      checks: [{ name: "Login shell", state: "ok", detail }],
      log: [],
      text: "",
      version: "0.1.0",
    });
    vi.stubGlobal("fetch", () =>
      Promise.resolve(
        Response.json(shell(app.of("RefreshEnvironment").length > 0 ? "with a proxy" : "without")),
      ),
    );
    go({ name: "settings", page: "doctor" });
    render(() => <SettingsScreen />);
    expect(await page.findByText("without")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Reload shell environment" }));
    expect(await page.findByText("with a proxy")).toBeVisible();
  });
});
