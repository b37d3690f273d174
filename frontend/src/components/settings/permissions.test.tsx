import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { go } from "../../state/screen";
import type { Event } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { SettingsScreen } from "./SettingsScreen";
import { settings } from "./testing";

const rule = (id: string, command?: string): Event => ({
  rule: {
    id,
    effect: "allow",
    scope: { kind: command ? "command" : "edits", folder: "/home/anna/code/orbit-api", command },
    createdAt: 1,
  },
});

beforeEach(() => {
  stubBrowser();
  resetState(cliFound, { settings });
});

describe("the settings", () => {
  test("search many rules by pattern and folder", async () => {
    const user = userEvent.setup();
    stubApp();
    applyEvents(...["a", "b", "c", "d", "e"].map((name) => rule(name, `make ${name}`)));
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    expect(page.queryByRole("searchbox", { name: "Search rules" })).toBeNull();
    applyEvents(rule("f", "go vet"));
    const search = page.getByRole("searchbox", { name: "Search rules" });
    await user.type(search, "VET");
    expect(page.getAllByRole("button", { name: /^Remove rule/ })).toHaveLength(1);
    await user.clear(search);
    await user.type(search, "orbit");
    expect(page.getAllByRole("button", { name: /^Remove rule/ })).toHaveLength(6);
    await user.type(search, "x");
    expect(page.getByText("No rules match “orbitx”.")).toBeVisible();
  });

  test("filter requests by chat and decider across many pages", async () => {
    const user = userEvent.setup();
    stubApp();
    applyEvents(chatEvent("one"), chatEvent("two"));
    const all = Array.from({ length: 130 }, (_, i) => ({
      id: `p${i}`,
      chatId: i === 129 ? "two" : "one",
      session: "main",
      state: "decided",
      title: "Run",
      kind: "execute",
      command: `make ${i}`,
      options: [],
      decision: i % 2 ? "allowed_once" : "always_allowed",
      ruleId: i % 2 ? undefined : "gone",
      createdAt: 1000 - i,
    }));
    vi.stubGlobal("fetch", (input: string) => {
      const query = new URL(input, "http://app").searchParams;
      const before = Number(query.get("before")) || Number.POSITIVE_INFINITY;
      const permissions = all.filter((each) => each.createdAt < before).slice(0, Number(query.get("limit")));
      return Promise.resolve(Response.json({ permissions }));
    });
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    await user.click(page.getByText("Request history"));
    await page.findByText("make 49");
    expect(page.queryByText("make 50")).toBeNull();
    await user.selectOptions(page.getByRole("combobox", { name: "Chat" }), "two");
    expect(await page.findByText("make 129")).toBeVisible();
    expect(page.queryByText("make 49")).toBeNull();
    await user.selectOptions(page.getByRole("combobox", { name: "Decided by" }), "A rule");
    expect(page.getByText("No matching requests.")).toBeVisible();
    await user.selectOptions(page.getByRole("combobox", { name: "Chat" }), "one");
    expect(page.getByText("make 128")).toBeVisible();
    expect(page.queryByText("make 127")).toBeNull();
    expect(page.getAllByText("Allowed by a rule")).toHaveLength(65);
  });

  test("remove a rule at once, but all rules only after confirmation", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    applyEvents(rule("r1"), rule("r2", "go test ./..."));
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

  test("add a rule that no request offers, including a denial", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    go({ name: "settings", page: "permissions" });
    render(() => <SettingsScreen />);
    await user.click(page.getByRole("button", { name: "Add a rule" }));
    expect(page.getByText(/chaining, pipes or redirection still require permission/)).toBeVisible();
    await user.selectOptions(page.getByRole("combobox", { name: "Action" }), "Never allow");
    expect(page.getByText(/including in chained commands, pipes and shell scripts/)).toBeVisible();
    await user.type(page.getByRole("textbox", { name: "Prefix" }), "rm -rf");
    await user.click(page.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(app.of("SaveRule")).toHaveLength(1));
    expect(app.of("SaveRule")[0]?.[0]).toMatchObject({
      effect: "deny",
      scope: { kind: "prefix", folder: "", command: "rm -rf" },
      expiresAt: 0,
    });
  });

  test("never allow everything in new chats, and can always ask outside the folder", async () => {
    const user = userEvent.setup();
    const app = stubApp();
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

  test("list every past request with its decider", async () => {
    const user = userEvent.setup();
    stubApp();
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
    await user.click(page.getByText("Request history"));
    const row = (await page.findByText("go test")).closest("tr") as HTMLElement;
    expect(row).toHaveTextContent("Allowed by “Allow everything”");
  });
});
