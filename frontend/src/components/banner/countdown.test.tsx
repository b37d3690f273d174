import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Item } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { Condition } from "./Condition";
import { EventBanner } from "./EventBanner";

beforeEach(stubBrowser);
afterEach(() => {
  vi.useRealTimers();
});

/** Returns an element's text as screen readers receive it, without aria-hidden content. */
function accessibleText(part: HTMLElement): string {
  const copy = part.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return copy.textContent ?? "";
}

const banner = (more: Partial<NonNullable<Item["banner"]>>, open = true): Item => ({
  id: "b",
  chatId: "c",
  turnId: "t",
  pos: 1,
  kind: "banner",
  createdAt: 1,
  open,
  banner: { kind: "rate_limited", detail: "Ollama", ...more },
});
const Shown = (props: { item: Item }) => (
  <EventBanner item={props.item} banner={props.item.banner as NonNullable<Item["banner"]>} />
);

describe("a countdown", () => {
  test("is announced in minutes during a rate limit", () => {
    vi.useFakeTimers({ now: 1_000_000 });
    stubApp();
    const item = banner({ nextTryAt: Date.now() + 130_000 });
    resetState(chatEvent("c"), { item });
    render(() => <Shown item={item} />);
    const alert = page.getByRole("alert", { name: "Rate limited" });
    expect(alert).toHaveTextContent("Trying again in 2:10.");
    const before = accessibleText(alert);
    expect(before).toContain("Trying again in 3 minutes.");
    vi.advanceTimersByTime(5000);
    expect(alert).toHaveTextContent("Trying again in 2:05.");
    expect(accessibleText(alert)).toBe(before);
    vi.advanceTimersByTime(90_000);
    expect(accessibleText(alert)).toContain("Trying again in less than a minute.");
    vi.advanceTimersByTime(60_000);
    expect(accessibleText(alert)).toContain("Trying again in less than a minute.");
  });

  test("is announced in minutes while Copilot restarts", () => {
    vi.useFakeTimers({ now: 1_000_000 });
    stubApp();
    resetState(chatEvent("c"), cliFound, {
      connection: {
        chatId: "c",
        state: "waiting",
        since: 1,
        attempt: 2,
        attempts: 5,
        nextTryAt: Date.now() + 4000,
      },
    });
    render(() => <Condition chatId="c" />);
    const status = page.getByRole("status", { name: "Reconnecting" });
    expect(status).toHaveTextContent("Reconnecting, attempt 2 of 5. Next try in 4 s.");
    const before = accessibleText(status);
    expect(before).toContain("Next try in less than a minute.");
    vi.advanceTimersByTime(2000);
    expect(status).toHaveTextContent("Next try in 2 s.");
    expect(accessibleText(status)).toBe(before);
  });
});

describe("an answer that will be stopped soon", () => {
  const soon = (more: Partial<NonNullable<Item["banner"]>> = {}) =>
    banner({ kind: "stops_soon", detail: "30", nextTryAt: Date.now() + 60_000, ...more });

  test("shows when and can be extended", async () => {
    const user = userEvent.setup();
    let refuse = true;
    const app = stubApp({
      ExtendTurn: () =>
        refuse
          ? Promise.reject({ code: "not_found", message: "This has ended meanwhile." })
          : Promise.resolve(),
    });
    resetState(chatEvent("c"));
    const item = soon();
    sink.open("c", [{ item }], 0, []);
    render(() => <Shown item={item} />);
    const alert = page.getByRole("alert", { name: "Time limit" });
    expect(alert).toHaveTextContent(/Copilot will stop in (1:00|0:\d\d)\./);
    expect(accessibleText(alert)).toContain("Copilot will stop in less than a minute.");
    await user.click(page.getByRole("button", { name: "Extend by 30 min" }));
    expect(await page.findByText("This has ended meanwhile.")).toBeVisible();
    refuse = false;
    await user.click(page.getByRole("button", { name: "Extend by 30 min" }));
    await waitFor(() => expect(page.queryByText("This has ended meanwhile.")).toBeNull());
    expect(app.of("ExtendTurn")).toEqual([
      ["c", "t"],
      ["c", "t"],
    ]);
  });

  test("pauses while waiting for the user and becomes a line afterward", () => {
    stubApp();
    resetState(chatEvent("c"));
    const shown = render(() => <Shown item={soon({ nextTryAt: undefined })} />);
    expect(page.getByRole("alert")).toHaveTextContent("Copilot will stop soon after you answer.");
    shown.unmount();
    const over = render(() => <Shown item={{ ...soon(), open: false }} />);
    expect(page.getByRole("status", { name: "Time limit" })).toHaveTextContent("Close to the time limit");
    over.unmount();
    render(() => <Shown item={{ ...soon({ kind: "extended" }), open: false }} />);
    expect(page.getByRole("status", { name: "Time limit extended" })).toHaveTextContent(
      "Time limit extended by 30 minutes",
    );
  });
});

describe("searching for the CLI again", () => {
  test("is announced while it runs and if the result is the same", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const missing = { state: "missing" as const, min: "1.0.78", lookedAt: 5 };
    resetState(chatEvent("c"), { cli: missing });
    render(() => <Condition chatId="c" />);
    await user.click(page.getByRole("button", { name: "Check again" }));
    expect(app.of("CheckCLI")).toHaveLength(1);
    expect(app.of("Reconnect")).toEqual([["c"]]);
    const button = page.getByRole("button", { name: "Checking…" });
    expect(button).toHaveFocus();
    await user.click(button);
    expect(app.of("CheckCLI")).toHaveLength(1);
    applyEvents({ cli: { ...missing, looking: true } });
    expect(page.queryByText("VoxPilot checked again but still can't find Copilot CLI.")).toBeNull();
    applyEvents({ cli: { ...missing, lookedAt: 6 } });
    expect(page.getByText("VoxPilot checked again but still can't find Copilot CLI.")).toHaveAttribute(
      "role",
      "status",
    );
    expect(page.getByRole("button", { name: "Check again" })).toHaveFocus();
  });
});
