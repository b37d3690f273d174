import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createRoot } from "solid-js";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createCommandKeys } from "../../state/commands";
import { screen as where } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import { sink } from "../../state/store";
import type { Chat, CustomAgent, Event, SandboxStatus } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ChatPickers } from "./Pickers";

const hosts = ["a.example", "b.example", "c.example", "d.example", "e.example"];
const status = (more: Partial<SandboxStatus> = {}): Event => ({
  sandbox: {
    state: "ready",
    program: "bubblewrap 0.8.0",
    sites: hosts.map((host) => ({ host, tool: "npm" })),
    sitesKnown: true,
    ...more,
  },
});

function show(chat: Partial<Chat> = {}, ...events: Event[]) {
  const app = stubApp();
  resetState(chatEvent("c", chat), status(), ...events);
  sink.open("c", [], 0, []);
  createRoot((dispose) => {
    onTestFinished(dispose);
    createCommandKeys(() => true);
  });
  render(() => (
    <form>
      <textarea aria-label="Message" />
      <ChatPickers chatId="c" />
    </form>
  ));
  const user = userEvent.setup();
  const open = async () => {
    await user.click(screen.getByRole("button", { name: /^Permissions/ }));
    return within(await screen.findByRole("dialog", { name: "Permissions" }));
  };
  return { app, user, open };
}
const button = (name: string) => screen.getByRole("button", { name });

beforeEach(() => stubBrowser());

describe("the sandbox of a chat", () => {
  test("is turned on with a switch that leaves the panel open", async () => {
    const { app, user, open } = show();
    const panel = await open();
    expect(panel.queryByRole("combobox")).toBeNull();
    expect(panel.getByText(/^Recommended\./)).toBeVisible();
    await user.click(panel.getByRole("switch", { name: "Run commands in a sandbox", checked: false }));
    expect(app.of("SetSandbox")).toEqual([["c", { on: true }]]);
    applyEvents(chatEvent("c", { sandbox: { on: true } }));
    expect(panel.getByRole("switch", { checked: true })).toBeVisible();
    expect(panel.queryByText(/^Recommended\./)).toBeNull();
    expect(panel.getByRole("combobox", { name: "Write access" })).toHaveDisplayValue("This folder and temp");
  });

  test("is part of the button's name, and changes the modes' descriptions", async () => {
    const { open } = show({ permissionMode: "accept_edits", sandbox: { on: true } });
    expect(button("Permissions: Allow edits, sandbox on")).toBeVisible();
    const panel = await open();
    expect(panel.getByRole("menuitemradio", { checked: true })).toHaveAccessibleName(
      "Allow edits Allows edits in the folder and commands in the sandbox. Asks about everything else.",
    );
    expect(panel.getByRole("menuitemradio", { name: /^Allow everything/ })).toHaveTextContent(
      "Runs commands in the sandbox.",
    );
  });

  test("looks up the package managers' sites when it is opened", async () => {
    const { app, open } = show({ sandbox: { on: true } });
    applyEvents(status({ sites: [], sitesKnown: false }));
    const panel = await open();
    expect(app.of("FindSandboxSites")).toHaveLength(1);
    expect(panel.getByText("Looking up your package managers' sites…")).toBeVisible();
    applyEvents(status({ sites: [] }));
    expect(panel.getByText(/^No sites yet\./)).toBeVisible();
  });

  test("sets the writable places and the network, which is that of the settings at first", async () => {
    const { app, user, open } = show({ sandbox: { on: true, sites: ["own.example"] } });
    const panel = await open();
    await user.selectOptions(panel.getByRole("combobox", { name: "Write access" }), "This folder only");
    const network = within(panel.getByRole("radiogroup", { name: "Network" }));
    expect(network.getByRole("radio", { checked: true })).toHaveTextContent("Some sites");
    await user.click(network.getByRole("radio", { name: "Off" }));
    expect(app.of("SetSandbox")).toEqual([
      ["c", { on: true, sites: ["own.example"], onlyFolder: true }],
      ["c", { on: true, sites: ["own.example"], network: "off" }],
    ]);
  });

  test("names the first sites and leads to the others in the settings", async () => {
    const { user, open } = show({ sandbox: { on: true, sites: ["own.example"] } });
    const panel = await open();
    expect(panel.getByText(/^own\.example, a\.example, b\.example and/)).toBeVisible();
    await user.click(panel.getByRole("button", { name: "3 more" }));
    expect(where()).toEqual({ name: "settings", page: "sandbox" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("leads to the settings for more writable places, and changes nothing", async () => {
    const { app, user, open } = show({ sandbox: { on: true } });
    const panel = await open();
    await user.selectOptions(panel.getByRole("combobox", { name: "Write access" }), "More…");
    expect(where()).toEqual({ name: "settings", page: "sandbox" });
    expect(app.of("SetSandbox")).toEqual([]);
  });

  test("names no sites unless only some are allowed", async () => {
    const { open } = show({ sandbox: { on: true, network: "on" } });
    const panel = await open();
    expect(panel.getByRole("radio", { checked: true })).toHaveTextContent("On");
    expect(panel.queryByText(/a\.example/)).toBeNull();
  });

  test("isn't offered where it doesn't work, with the reason and a way to the settings", async () => {
    const { user, open } = show({}, status({ state: "unavailable", problem: "It's switched off." }));
    const panel = await open();
    expect(panel.queryByRole("switch")).toBeNull();
    expect(panel.getByText(/It's switched off\./)).toBeVisible();
    await user.click(panel.getByRole("button", { name: "Sandbox settings" }));
    expect(where()).toEqual({ name: "settings", page: "sandbox" });
  });

  test("can be turned off where it doesn't work, because no command runs meanwhile", async () => {
    const { app, user, open } = show(
      { sandbox: { on: true } },
      status({ state: "limited", problem: "Too old." }),
    );
    expect(button("Permissions: Ask first, sandbox on")).toBeVisible();
    const panel = await open();
    expect(panel.getByText(/^Commands can't run in this chat\. Too old\./)).toBeVisible();
    expect(panel.queryByRole("combobox")).toBeNull();
    await user.click(panel.getByRole("switch", { checked: true }));
    expect(app.of("SetSandbox")).toEqual([["c", { on: false }]]);
  });

  test("runs a custom agent as a whole", async () => {
    const profile: CustomAgent = { id: "q", name: "Qwen", command: "/bin/qwen", createdAt: 1 };
    const { app, user, open } = show({ providerId: "q" }, { profile });
    const panel = await open();
    await user.click(panel.getByRole("switch", { name: "Run Qwen in a sandbox" }));
    expect(app.of("SetSandbox")).toEqual([["c", { on: true }]]);
  });

  test("isn't claimed for an agent that VoxPilot doesn't start", async () => {
    const profile: CustomAgent = { id: "q", name: "Qwen", address: "localhost:1", createdAt: 1 };
    const { open } = show({ providerId: "q", sandbox: { on: true } }, { profile });
    expect(button("Permissions: Ask first")).toBeVisible();
    const panel = await open();
    expect(
      panel.getByText(/Qwen is started outside VoxPilot, so VoxPilot can't run it in the sandbox\./),
    ).toBeVisible();
    expect(panel.queryByRole("switch")).toBeNull();
  });

  test("takes in Copilot itself on request, and always without the folder's code", async () => {
    const { app, user, open } = show({ sandbox: { on: true } });
    const panel = await open();
    await user.click(panel.getByRole("switch", { name: "Include Copilot itself" }));
    expect(app.of("SetSandbox")).toEqual([["c", { on: true, wholeAgent: true }]]);
    applyEvents(chatEvent("c", { sandbox: { on: true, masked: true } }));
    expect(panel.getByRole("switch", { name: "Include Copilot itself", checked: true })).toBeDisabled();
  });

  test("has one tab stop for the modes, then its own controls", async () => {
    const { user, open } = show({ sandbox: { on: true } });
    const panel = await open();
    await waitFor(() => expect(panel.getByRole("menuitemradio", { checked: true })).toHaveFocus());
    await user.keyboard("{End}");
    expect(panel.getByRole("menuitemradio", { name: /^Allow everything/ })).toHaveFocus();
    await user.tab();
    expect(panel.getByRole("switch", { name: "Run commands in a sandbox" })).toHaveFocus();
    await user.tab();
    expect(panel.getByRole("combobox")).toHaveFocus();
    await user.tab();
    expect(panel.getByRole("radio", { checked: true })).toHaveFocus();
  });
});

describe("Allow everything", () => {
  test("is calm in the sandbox and amber without it", () => {
    show({ permissionMode: "bypass", sandbox: { on: true } });
    expect(button("Permissions: Allow everything, sandbox on")).not.toHaveClass("warn");
    applyEvents(chatEvent("c", { permissionMode: "bypass" }));
    expect(button("Permissions: Allow everything")).toHaveClass("warn");
  });

  test("describes the sandbox in its question", async () => {
    const { user, open } = show(
      { sandbox: { on: true } },
      { settings: { ...defaultSettings, askOutside: false } },
    );
    const panel = await open();
    await user.click(panel.getByRole("menuitemradio", { name: /^Allow everything/ }));
    const question = await screen.findByRole("dialog", { name: "Allow everything in this chat?" });
    expect(question).toHaveTextContent("run commands in the sandbox");
    expect(question).not.toHaveTextContent("your permissions on this computer");
  });

  test("doesn't lose the sandbox without a question", async () => {
    const { app, user } = show({ permissionMode: "bypass", sandbox: { on: true, network: "off" } });
    await user.keyboard("{Alt>}s{/Alt}");
    const question = await screen.findByRole("dialog", { name: "Turn off the sandbox?" });
    await user.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(app.of("SetSandbox")).toEqual([]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("{Alt>}s{/Alt}");
    await user.click(await screen.findByRole("button", { name: "Turn off" }));
    expect(app.of("SetSandbox")).toEqual([["c", { on: false, network: "off" }]]);
  });
});

describe("Alt+S", () => {
  test("turns the sandbox on and off, and says so", async () => {
    const { app, user } = show();
    await user.keyboard("{Alt>}s{/Alt}");
    expect(app.of("SetSandbox")).toEqual([["c", { on: true }]]);
    expect(screen.getByRole("status")).toHaveTextContent("Sandbox on");
    applyEvents(chatEvent("c", { sandbox: { on: true } }));
    await user.keyboard("{Alt>}s{/Alt}");
    expect(app.of("SetSandbox").at(-1)).toEqual(["c", { on: false }]);
    expect(screen.getByRole("status")).toHaveTextContent("Sandbox off");
  });

  test("does nothing where the sandbox doesn't work", async () => {
    const { app, user } = show({}, status({ state: "unavailable" }));
    await user.keyboard("{Alt>}s{/Alt}");
    expect(app.of("SetSandbox")).toEqual([]);
  });
});
