import { screen as page, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { applyEvents, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { button, open, provider, rule, settings } from "./testing";

beforeEach(() => {
  stubBrowser();
  resetState(cliFound, { settings });
});

describe("the focus in the settings", () => {
  test("moves into a model's form and back to its opener", async () => {
    const user = userEvent.setup();
    stubApp({ SaveProvider: (saved) => Promise.resolve(saved) });
    applyEvents({ provider: provider("ollama") });
    open("model");
    await user.click(button("Edit"));
    expect(page.getByRole("combobox", { name: "Service" })).toHaveFocus();
    await user.click(button("Cancel"));
    await waitFor(() => expect(button("Edit")).toHaveFocus());
    await user.click(button("Edit"));
    await user.click(button("Save and check"));
    await waitFor(() => expect(button("Edit")).toHaveFocus());
  });

  test("moves to an added model, and to the add button after a removal", async () => {
    const user = userEvent.setup();
    stubApp({
      SaveProvider: (saved) => {
        const made = { ...saved, id: "added", createdAt: 2 };
        applyEvents({ provider: made });
        return Promise.resolve(made);
      },
      DeleteProvider: (id) => {
        applyEvents({ providerGone: { id } });
        return Promise.resolve();
      },
    });
    applyEvents({ provider: provider("ollama") });
    open("model");
    await user.click(button("Add a model"));
    await user.type(page.getByRole("textbox", { name: "Model" }), "q");
    await user.type(page.getByRole("textbox", { name: "Server address" }), "http://x/v1");
    await user.click(button("Save and check"));
    await waitFor(() => expect(page.getAllByRole("button", { name: "Edit" })[1]).toHaveFocus());
    await user.click(page.getAllByRole("button", { name: "Remove…" })[1] as HTMLElement);
    await user.click(button("Remove"));
    await waitFor(() => expect(button("Add a model")).toHaveFocus());
    await user.click(button("Remove…"));
    await user.click(button("Remove"));
    await waitFor(() => expect(page.getByRole("combobox", { name: "Service" })).toHaveFocus());
  });

  test("moves to the next rule after a removal, and to the add button after the last", async () => {
    const user = userEvent.setup();
    stubApp({
      RemoveRule: (id) => {
        applyEvents({ ruleGone: { id } });
        return Promise.resolve();
      },
    });
    applyEvents(rule("a", 3), rule("b", 2), rule("c", 1));
    open("permissions");
    const remove = (name: string) => button(`Remove rule: ${name}`);
    await user.click(remove("b"));
    await waitFor(() => expect(remove("c")).toHaveFocus());
    await user.click(remove("c"));
    await waitFor(() => expect(remove("a")).toHaveFocus());
    await user.click(remove("a"));
    await waitFor(() => expect(button("Add a rule")).toHaveFocus());
  });

  test("stays in place when a rule that couldn't be removed is filtered out later", async () => {
    const user = userEvent.setup();
    stubApp({ RemoveRule: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    applyEvents(...["a", "b", "c", "d", "e", "f"].map((id, at) => rule(id, at + 1)));
    open("permissions");
    await user.click(button("Remove rule: b"));
    expect(await page.findByText("The disk is full.")).toBeVisible();
    const search = page.getByRole("searchbox");
    await user.type(search, "c");
    expect(search).toHaveFocus();
    expect(search).toHaveValue("c");
    applyEvents({ ruleGone: { id: "b" } });
    await Promise.resolve();
    expect(search).toHaveFocus();
  });

  test("moves to the add rule button when all are removed", async () => {
    const user = userEvent.setup();
    stubApp({
      RemoveAllRules: () => {
        applyEvents({ ruleGone: { id: "a" } });
        return Promise.resolve();
      },
    });
    applyEvents(rule("a", 1));
    open("permissions");
    await user.click(button("Remove all rules"));
    await user.click(button("Remove all"));
    await waitFor(() => expect(button("Add a rule")).toHaveFocus());
  });

  test("returns to the change key button after saving or canceling", async () => {
    const user = userEvent.setup();
    stubApp({ SaveProvider: (saved) => Promise.resolve(saved) });
    applyEvents(
      { provider: provider("router", { kind: "openrouter", key: "keychain" }) },
      { settings: { ...settings, mainId: "router" } },
    );
    open("account");
    await user.click(button("Change…"));
    await user.type(page.getByLabelText("API key"), "secret");
    await user.click(button("Save"));
    await waitFor(() => expect(button("Change…")).toHaveFocus());
    await user.click(button("Change…"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(button("Change…")).toHaveFocus());
  });
});
