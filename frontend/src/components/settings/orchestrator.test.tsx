import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../state/state";
import type { Provider, Settings } from "../../state/types";
import { applyEvents, resetState, stubApp, stubBrowser } from "../../testing";
import { Orchestrator } from "./Orchestrator";
import { presets } from "./presets";

const ollama: Provider = {
  id: "o",
  name: "Ollama",
  kind: "ollama",
  baseUrl: "http://localhost:11434/v1",
  model: "qwen3:8b",
  models: ["gpt-oss:20b", "qwen3:8b"],
  createdAt: 1,
};
const settings = (more: Partial<Settings> = {}) => ({ settings: { ...defaultSettings, ...more } });

function show(more: Partial<Settings> = {}, provider: Partial<Provider> = {}) {
  const app = stubApp({ SaveProvider: (p: Provider) => Promise.resolve({ ...p, id: p.id || "new" }) });
  resetState(settings(more), { provider: { ...ollama, ...provider } });
  render(() => <Orchestrator />);
  return { app, user: userEvent.setup() };
}
const choose = (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.selectOptions(page.getByRole("combobox", { name: "Provider" }), name);

beforeEach(() => stubBrowser());

describe("the default main AI", () => {
  test("is Copilot until one is chosen, keeping every other setting", async () => {
    const { app, user } = show({ theme: "dark" });
    expect(page.getByRole("combobox", { name: "Provider" })).toHaveDisplayValue(
      "None (Copilot answers directly)",
    );
    await choose(user, "Ollama");
    expect(app.of("SaveSettings")).toEqual([[{ ...defaultSettings, theme: "dark", mainId: "o" }]]);
    applyEvents(settings({ theme: "dark", mainId: "o" }));
    expect(page.getByRole("textbox", { name: "Server address" })).toHaveValue("http://localhost:11434/v1");
    expect(page.getByText("Not needed")).toBeVisible();
    await choose(user, "None (Copilot answers directly)");
    expect(app.of("SaveSettings")[1]).toEqual([{ ...defaultSettings, theme: "dark", mainId: undefined }]);
  });

  test("switches to another of the server's models at once and checks it", async () => {
    const { app, user } = show({ mainId: "o" });
    await user.selectOptions(page.getByRole("combobox", { name: "Model" }), "gpt-oss:20b");
    await waitFor(() => expect(app.of("CheckProvider")).toEqual([["o"]]));
    expect(app.of("SaveProvider")).toEqual([[{ ...ollama, model: "gpt-oss:20b" }, ""]]);
  });

  test("takes another key, which the page doesn't keep", async () => {
    const { app, user } = show({ mainId: "o" }, { kind: "openai", key: "keychain" });
    expect(page.getByText("Saved")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Change…" }));
    await user.type(page.getByLabelText("API key"), "sk-secret{Enter}");
    await waitFor(() => expect(page.queryByLabelText("API key")).toBeNull());
    expect(app.of("SaveProvider")[0]?.[1]).toBe("sk-secret");
    expect(document.body.innerHTML).not.toContain("sk-secret");
  });

  test("reports the last check's error", () => {
    show({ mainId: "o" }, { check: "Nothing answers at localhost:11434." });
    expect(page.getByText("The last check failed. Nothing answers at localhost:11434.")).toBeVisible();
  });

  test("is set up from known service details and used from then on", async () => {
    const { app, user } = show();
    await choose(user, "OpenRouter…");
    expect(page.getByLabelText("Server address")).toHaveValue("https://openrouter.ai/api/v1");
    await user.type(page.getByLabelText("Model"), "openai/gpt-4.1");
    await user.click(page.getByRole("button", { name: "Save and use" }));
    expect(await page.findByRole("alert")).toHaveTextContent("Enter your OpenRouter API key.");
    expect(app.of("SaveProvider")).toEqual([]);
    await user.type(page.getByLabelText("API key"), "sk-or");
    await user.type(page.getByLabelText("Context size"), "200000");
    await user.click(page.getByRole("button", { name: "Save and use" }));
    await waitFor(() => expect(app.of("SaveSettings")).toEqual([[{ ...defaultSettings, mainId: "new" }]]));
    expect(app.of("SaveProvider")).toEqual([
      [
        {
          id: "",
          name: "OpenRouter",
          kind: "openrouter",
          baseUrl: "https://openrouter.ai/api/v1",
          model: "openai/gpt-4.1",
          context: 200_000,
          headers: {},
          createdAt: 0,
        },
        "sk-or",
      ],
    ]);
  });

  test("switching the service sets its address, ignoring a typed one", async () => {
    const { user } = show();
    await choose(user, "Ollama…");
    const service = page.getByRole("combobox", { name: "Service" });
    await user.selectOptions(service, "LM Studio");
    const address = page.getByLabelText("Server address");
    expect(address).toHaveValue("http://localhost:1234/v1");
    await user.clear(address);
    await user.type(address, "http://box:1234/v1");
    await user.selectOptions(service, "Ollama");
    expect(address).toHaveValue("http://box:1234/v1");
  });

  test("on Azure has the resource name in its address", async () => {
    const { app, user } = show();
    await choose(user, "Azure AI Foundry…");
    await user.type(page.getByLabelText("Model"), "gpt-4.1");
    await user.type(page.getByLabelText("API key"), "k");
    await user.click(page.getByRole("button", { name: "Save and use" }));
    expect(await page.findByRole("alert")).toHaveTextContent(
      "Replace RESOURCE in the address with the name of your Azure resource.",
    );
    expect(app.of("SaveProvider")).toEqual([]);
  });
});

test("every service but the last has its own address", () => {
  const addresses = presets.map((preset) => preset.baseUrl);
  expect(new Set(addresses).size).toBe(presets.length);
  expect(addresses.slice(0, -1).every((address) => URL.canParse(address))).toBe(true);
});
