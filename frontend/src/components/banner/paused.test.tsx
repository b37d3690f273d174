import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Item } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "./EventBanner";

const pause = (change: Partial<Item>): Item => ({
  id: "pause",
  chatId: "c",
  pos: 1,
  kind: "banner",
  createdAt: 1,
  banner: { kind: "rate_limited", detail: "Ollama", nextTryAt: Date.now() + 42_000 },
  ...change,
});

beforeEach(stubBrowser);

describe("a rate limit from a model service", () => {
  test("shows its duration and can be canceled", () => {
    vi.useFakeTimers({ now: 1_000_000 });
    try {
      const app = stubApp();
      const item = pause({ open: true });
      resetState(chatEvent("c"), { item });
      render(() => <EventBanner item={item} banner={item.banner as NonNullable<Item["banner"]>} />);
      const alert = page.getByRole("alert", { name: "Rate limited" });
      expect(alert).toHaveTextContent(
        "Ollama is rate-limiting requests. Trying again in 0:42. Your message is saved.",
      );
      vi.advanceTimersByTime(2000);
      expect(alert).toHaveTextContent("Trying again in 0:40.");
      within(alert).getByRole("button", { name: "Cancel" }).click();
      expect(app.of("Stop")).toEqual([["c"]]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("can be avoided with another main AI, if there is one", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const item = pause({ open: true, turnId: "t" });
    const turn = {
      id: "t",
      chatId: "c",
      session: "main",
      mainId: "ollama",
      state: "running" as const,
      startedAt: 1,
    };
    const ollama = { id: "ollama", name: "Ollama", baseUrl: "", model: "qwen3:8b", createdAt: 1 };
    resetState(chatEvent("c", { mainId: "ollama" }), { provider: ollama });
    sink.open("c", [{ turn }, { item }], 0, []);
    render(() => <EventBanner item={item} banner={item.banner as NonNullable<Item["banner"]>} />);
    expect(page.queryByRole("button", { name: "Change model" })).toBeNull();
    applyEvents({ provider: { ...ollama, id: "router", name: "OpenRouter", model: "gpt-oss" } });
    await user.click(page.getByRole("button", { name: "Change model" }));
    expect(page.queryByRole("menuitem", { name: /qwen3/ })).toBeNull();
    await user.click(await page.findByRole("menuitem", { name: /gpt-oss/ }));
    await waitFor(() => expect(app.of("SetMain")).toEqual([["c", "router"]]));
  });

  test("can be avoided with another model of the same main AI", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const item = pause({ open: true, turnId: "t" });
    const turn = {
      id: "t",
      chatId: "c",
      session: "main",
      mainId: "router",
      state: "running" as const,
      startedAt: 1,
    };
    const router = {
      id: "router",
      name: "OpenRouter",
      baseUrl: "",
      model: "gpt-oss",
      models: ["gpt-oss", "qwen3"],
      createdAt: 1,
    };
    resetState(chatEvent("c", { mainId: "router" }), { provider: router });
    sink.open("c", [{ turn }, { item }], 0, []);
    render(() => <EventBanner item={item} banner={item.banner as NonNullable<Item["banner"]>} />);
    await user.click(page.getByRole("button", { name: "Change model" }));
    expect(page.queryByRole("menuitem", { name: /gpt-oss/ })).toBeNull();
    await user.click(await page.findByRole("menuitem", { name: /qwen3/ }));
    await waitFor(() => expect(app.of("SaveProvider")).toEqual([[{ ...router, model: "qwen3" }, ""]]));
    await waitFor(() => expect(app.of("CheckProvider")).toEqual([["router"]]));
  });

  test("becomes a line afterward", () => {
    stubApp();
    const item = pause({ endedAt: 2 });
    applyEvents({ item });
    render(() => <EventBanner item={item} banner={item.banner as NonNullable<Item["banner"]>} />);
    expect(page.queryByRole("alert")).toBeNull();
    expect(page.getByText(/Rate limited by Ollama/)).toBeVisible();
  });
});
