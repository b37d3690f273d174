import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxSettings, SandboxStatus, Settings } from "../../state/types";
import { applyEvents, resetState, stubApp, stubBrowser } from "../../testing";
import { Sandbox } from "./Sandbox";
import { open, settings } from "./testing";

const ready: SandboxStatus = {
  state: "ready",
  program: "bubblewrap 0.8.0",
  hidden: ["~/.ssh", "~/.aws"],
  sites: [
    { host: "registry.example.dev", tool: "npm" },
    { host: "modules.example.dev", tool: "Go" },
  ],
  sitesKnown: true,
};

/** show renders the page. The fake app saves settings the way the real one does. */
function show(own: Partial<SandboxSettings> = {}, status: SandboxStatus = ready) {
  const app = stubApp({
    SaveSettings: (changed: Settings) => {
      applyEvents({ settings: structuredClone(JSON.parse(JSON.stringify(changed))) });
      return Promise.resolve();
    },
    PickFolder: (request: string) => {
      applyEvents({ picked: { request, path: "/home/anna/.cache/go-build" } });
      return Promise.resolve();
    },
  });
  resetState({ settings: { ...settings, sandbox: { ...settings.sandbox, ...own } } }, { sandbox: status });
  render(() => <Sandbox />);
  const saved = () => (app.of("SaveSettings").at(-1)?.[0] as Settings | undefined)?.sandbox;
  return { app, saved, user: userEvent.setup() };
}
const list = (name: string) => within(page.getByRole("list", { name }));
const texts = (name: string) =>
  list(name)
    .queryAllByRole("listitem")
    .map((item) => item.querySelector(".sel")?.textContent);
const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}` });

beforeEach(() => stubBrowser());

describe("the sandbox on this computer", () => {
  test("is ready, with its program, and can be tested again", async () => {
    const { app, user } = show();
    expect(page.getByText("bubblewrap 0.8.0. Tested when VoxPilot starts.")).toBeVisible();
    expect(page.getByText("Ready")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Test" }));
    expect(app.of("CheckSandbox")).toHaveLength(1);
    applyEvents({ sandbox: { ...ready, state: "checking" } });
    expect(page.getByText("Testing…")).toBeVisible();
    expect(page.getByRole("button", { name: "Test" })).toBeDisabled();
  });

  test("looks up the package managers' sites", () => {
    const { app } = show({}, { ...ready, sites: [], sitesKnown: false });
    expect(app.of("FindSandboxSites")).toHaveLength(1);
    expect(page.getByText(/Looking up your package managers' sites…/)).toBeVisible();
    applyEvents({ sandbox: ready });
    expect(page.queryByText(/Looking up/)).toBeNull();
  });

  test("isn't available, with the reason and a command to copy", async () => {
    const { app, user } = show(
      {},
      { state: "unavailable", problem: "User namespaces are switched off.", fix: "sudo sysctl -w a=1" },
    );
    expect(page.getByText("Not available")).toBeVisible();
    expect(page.getByText("User namespaces are switched off.")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Copy command" }));
    expect(app.of("Copy")).toEqual([["sudo sysctl -w a=1"]]);
    expect(page.getByRole("switch", { name: "Use the sandbox in new chats" })).toBeDisabled();
  });

  test("names what it can't prevent", () => {
    show({}, { ...ready, limits: ["Commands can use abstract sockets."] });
    const limits = page.getByRole("region", { name: "Limits of the sandbox on this computer" });
    expect(limits).toHaveTextContent("Commands can use abstract sockets.");
  });
});

describe("the settings of the sandbox", () => {
  test("save the choices, and keep the others", async () => {
    const { saved, user } = show({ ports: [5432] });
    await user.click(page.getByRole("switch", { name: "Use the sandbox in new chats" }));
    await user.selectOptions(
      page.getByRole("combobox", { name: "When something is blocked" }),
      "Keep it blocked",
    );
    await user.click(page.getByRole("switch", { name: "Leave out secrets", checked: true }));
    await user.click(page.getByRole("radio", { name: "Nothing" }));
    expect(saved()).toEqual({
      newChats: true,
      whenBlocked: "keep",
      keepSecrets: true,
      network: "off",
      ports: [5432],
    });
  });

  test("add and remove writable folders, chosen in the system's dialog", async () => {
    const { saved, user } = show({ write: ["~/.npm"] });
    await user.click(page.getByRole("button", { name: "Add to Write access…" }));
    await waitFor(() => expect(texts("Write access")).toEqual(["~/.npm", "~/.cache/go-build"]));
    expect(saved()?.write).toEqual(["~/.npm", "/home/anna/.cache/go-build"]);
    await user.click(remove("~/.npm"));
    expect(saved()?.write).toEqual(["/home/anna/.cache/go-build"]);
    await waitFor(() => expect(remove("~/.cache/go-build")).toHaveFocus());
    await user.click(remove("~/.cache/go-build"));
    await waitFor(() => expect(page.getByRole("button", { name: "Add to Write access…" })).toHaveFocus());
  });

  test("make a default hidden place readable, and hide it again", async () => {
    const { saved, user } = show({ hidden: ["/srv/keys"] });
    expect(texts("Hidden")).toEqual(["/srv/keys", "~/.ssh", "~/.aws"]);
    await user.click(remove("~/.ssh"));
    await user.click(remove("/srv/keys"));
    expect(saved()).toMatchObject({ readable: ["~/.ssh"], hidden: [] });
    await user.click(page.getByRole("button", { name: "Restore the defaults" }));
    expect(texts("Hidden")).toEqual(["~/.ssh", "~/.aws"]);
    await user.click(page.getByRole("button", { name: "Add to Hidden…" }));
    await waitFor(() => expect(saved()?.hidden).toEqual(["/home/anna/.cache/go-build"]));
  });

  test("show the first hidden places, and all on request", async () => {
    const hidden = Array.from({ length: 20 }, (_, n) => `~/.secret${n}`);
    const { user } = show({ hidden: ["/srv/keys"] }, { ...ready, hidden });
    expect(texts("Hidden")).toEqual(["/srv/keys", ...hidden.slice(0, 3)]);
    await user.click(page.getByRole("button", { name: "Show all 21" }));
    expect(texts("Hidden")).toHaveLength(21);
    expect(remove("~/.secret3")).toHaveFocus();
    expect(page.queryByRole("button", { name: /^Show all/ })).toBeNull();
  });

  test("name the tools that use a site", () => {
    show();
    const [npm] = list("Allowed sites").getAllByRole("listitem");
    expect(npm).toHaveTextContent("registry.example.dev, Used by npm");
    expect(npm).toHaveAttribute("title", "Used by npm");
  });

  test("remove a site that was found, and add it again", async () => {
    const { saved, user } = show({ sites: ["example.org"] });
    await user.click(remove("modules.example.dev"));
    expect(saved()).toMatchObject({ blockedSites: ["modules.example.dev"], sites: ["example.org"] });
    await user.click(remove("example.org"));
    expect(texts("Allowed sites")).toEqual(["registry.example.dev"]);
    await user.type(page.getByRole("textbox", { name: "Add a site" }), "Modules.example.dev{Enter}");
    expect(saved()).toMatchObject({ blockedSites: [], sites: [] });
  });

  test("add sites that are valid and new, and explain why others aren't added", async () => {
    const { app, saved, user } = show();
    const field = page.getByRole("textbox", { name: "Add a site" });
    await user.type(field, "https://example.org/{Enter}");
    expect(field).toHaveAccessibleDescription(/^Enter a host name such as example\.com/);
    expect(field).toBeInvalid();
    await user.clear(field);
    await user.type(field, "registry.example.dev{Enter}");
    expect(field).toHaveAccessibleDescription("registry.example.dev is already in the list.");
    expect(app.of("SaveSettings")).toEqual([]);
    await user.clear(field);
    await user.type(field, "*.example.org{Enter}");
    expect(saved()?.sites).toEqual(["*.example.org"]);
    expect(field).toHaveValue("");
  });

  test("add local ports in order, and remove them", async () => {
    const { saved, user } = show({ ports: [8080] });
    const field = page.getByRole("textbox", { name: "Add a port" });
    await user.type(field, "70000{Enter}");
    expect(field).toHaveAccessibleDescription("Enter a number from 1 to 65535.");
    await user.clear(field);
    await user.type(field, "5432{Enter}");
    expect(saved()?.ports).toEqual([5432, 8080]);
    await user.click(remove("8080"));
    expect(saved()?.ports).toEqual([5432]);
  });

  test("have their own page, after Permissions", () => {
    stubApp();
    resetState({ settings });
    open("sandbox");
    const names = within(page.getByRole("navigation"))
      .getAllByRole("link")
      .map((link) => link.textContent);
    expect(names.slice(3, 5)).toEqual(["Permissions", "Sandbox"]);
    expect(page.getByRole("heading", { name: "Sandbox" })).toBeVisible();
  });
});
