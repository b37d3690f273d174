import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { messages } from "../../i18n";
import { go, type SettingsPage, screen } from "../../state/screen";
import { matchingRows, settingRows, showSetting } from "../../state/settingRows";
import { defaultSettings } from "../../state/state";
import type { Provider } from "../../state/types";
import { cliFound, resetState, signedIn, stubApp, stubBrowser } from "../../testing";
import { rowIn } from "./highlightedRow";
import { SettingsScreen } from "./SettingsScreen";

const aModel: Provider = {
  id: "p",
  name: "Ollama",
  baseUrl: "http://localhost/v1",
  model: "q",
  createdAt: 1,
};

beforeEach(() => {
  stubBrowser();
  stubApp();
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ modes: [], options: [], components: [] })));
  resetState(
    cliFound,
    signedIn(),
    { settings: { ...defaultSettings, setupDone: true } },
    { provider: aModel },
  );
});

const main = () => page.getByRole("main");
/** Matches page content other than settings, such as user data and status text. */
const others: Partial<Record<SettingsPage, RegExp>> = {
  account: /octocat|The Octocat|Ollama|^(Model|Server address|API key)/,
  about: /Copilot CLI|VoxPilot|version|look/i,
};

/** Settings that are shown only if there is something to choose from. */
const atTimes = ["account.used", "about.look"];

describe("the search of the settings", () => {
  test.each(["agent", "permissions", "sandbox", "appearance", "desktop", "account", "about"] as const)(
    "covers every row of the page %s, and every listed row exists",
    (name) => {
      go({ name: "settings", page: name });
      render(() => <SettingsScreen />);
      const known = settingRows.filter((row) => row.page === name);
      for (const label of main().querySelectorAll(".sr-row > .lb > div:first-child")) {
        const text = label.textContent?.trim() ?? "";
        if (others[name]?.test(text)) continue;
        expect(known.map((row) => row.label)).toContain(text);
      }
      for (const row of known.filter(({ id }) => !atTimes.includes(id)))
        expect(rowIn(main(), row), row.id).toBeDefined();
    },
  );

  test("finds settings by words in labels, pages and sentences, labels first", () => {
    expect(matchingRows("size text").map((row) => row.id)).toEqual(["appearance.textSize"]);
    expect(matchingRows("appearance motion")[0]?.id).toBe("appearance.motion");
    expect(matchingRows("wrap")[0]?.id).toBe("appearance.wrap");
    expect(matchingRows("  ")).toEqual([]);
  });

  test.each([
    ["dark", "appearance.theme"],
    ["deutsch", "appearance.language"],
    ["never allow", "permissions.rules"],
    ["deny", "permissions.rules"],
    ["allow edits", "permissions.mode"],
  ])("finds the setting that has the choice %s", (typed, id) => {
    expect(matchingRows(typed).map((row) => row.id)).toContain(id);
  });

  test("opens the row, marks it and focuses its control", async () => {
    const user = userEvent.setup();
    go({ name: "settings", page: "account" });
    render(() => <SettingsScreen />);
    await user.keyboard("{Control>}f{/Control}");
    const field = page.getByRole("combobox", { name: "Search settings" });
    expect(field).toHaveFocus();
    await user.keyboard("thoughts");
    expect(page.getByRole("option", { name: /Show thoughts.*Appearance/ })).toBeVisible();
    await user.keyboard("{Enter}");
    expect(screen()).toEqual({ name: "settings", page: "appearance" });
    const control = page.getByRole("switch", { name: "Show thoughts" });
    await expect.poll(() => document.activeElement).toBe(control);
    expect(control.closest(".sr-row")).toHaveClass("marked");
    expect(field).toHaveValue("");
    // The highlight lasts until the next input.
    await user.keyboard("{Tab}");
    expect(control.closest(".sr-row")).not.toHaveClass("marked");
  });

  test("opens a row that renders later", async () => {
    go({ name: "settings", page: "appearance" });
    render(() => <SettingsScreen />);
    showSetting({ id: "x", page: "appearance", label: "Comes later" });
    await Promise.resolve();
    const late = document.createElement("h2");
    late.textContent = "Comes later";
    main().append(late);
    await expect.poll(() => late.classList.contains("marked")).toBe(true);
  });

  test("reports no matches, and Escape clears it before going back", async () => {
    const user = userEvent.setup();
    go({ name: "new" });
    go({ name: "settings", page: "desktop" });
    render(() => <SettingsScreen />);
    const field = page.getByRole("combobox", { name: "Search settings" });
    await user.type(field, "zzzz");
    expect(page.getAllByText(messages.settings.searchNone("zzzz"))[0]).toBeVisible();
    await user.keyboard("{Escape}");
    expect(field).toHaveValue("");
    expect(screen().name).toBe("settings");
    await user.keyboard("{Escape}");
    expect(screen().name).toBe("new");
  });
});
