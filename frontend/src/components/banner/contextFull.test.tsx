import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { go, screen } from "../../state/screen";
import { sink } from "../../state/store";
import type { Event, Provider } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, signedIn, stubApp, stubBrowser } from "../../testing";
import { Dock } from "../composer/Dock";

const ollama: Provider = {
  id: "ollama",
  name: "Ollama",
  baseUrl: "http://x/v1",
  model: "qwen3:8b",
  createdAt: 1,
};
const sessionUsing = (used: number, chatId = "c"): Event => ({
  session: {
    chatId,
    name: "main",
    acpId: "s",
    cwd: "/",
    state: "loaded",
    used,
    size: 1000,
    createdAt: 1,
    usedAt: 1,
  },
});
const orchestratorTurn = (id: string, used: number, startedAt: number, mainId = "ollama"): Event => ({
  turn: {
    id,
    chatId: "c",
    session: "main",
    mainId,
    state: "done",
    startedAt,
    usage: { input: 0, output: 0, used, size: 1000 },
  },
});
let chats = 0;
let id = "c";
function show(...events: Event[]) {
  resetState(cliFound, signedIn(), ...events);
  sink.open(id, events, 0, []);
  render(() => <Dock chatId={id} />);
}
const banner = () => page.queryByRole("alert", { name: "Chat almost full" });
const ring = () => page.queryByRole("button", { name: /^Context:/ });

beforeEach(() => {
  stubBrowser();
  id = "c";
  go({ name: "chat", id: "c" });
});

describe("an almost full chat", () => {
  beforeEach(() => {
    chats++;
    id = `c${chats}`;
  });

  test("warns from 80% and offers a new chat", async () => {
    const user = userEvent.setup();
    const app = stubApp({ ContinueInNewChat: () => Promise.resolve({ id: "next" } as never) });
    show(chatEvent(id, { turnState: "done" }), sessionUsing(790, id));
    expect(banner()).toBeNull();
    applyEvents(sessionUsing(800, id));
    expect(banner()).toHaveTextContent(
      "This chat is almost full. Older parts will be shortened to make room. A new chat can start from a summary of this one.",
    );
    await user.click(page.getByRole("button", { name: "New chat with summary" }));
    expect(app.of("ContinueInNewChat")).toEqual([[id]]);
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "next" }));
  });

  test("doesn't warn again until it grew by another 10% or had room in between", async () => {
    const user = userEvent.setup();
    stubApp();
    show(chatEvent(id), sessionUsing(830, id));
    await user.click(page.getByRole("button", { name: "Dismiss" }));
    expect(banner()).toBeNull();
    applyEvents(sessionUsing(920, id));
    expect(banner()).toBeNull();
    applyEvents(sessionUsing(930, id));
    expect(banner()).not.toBeNull();
    await user.click(page.getByRole("button", { name: "Dismiss" }));
    applyEvents(sessionUsing(200, id));
    applyEvents(sessionUsing(800, id));
    expect(banner()).not.toBeNull();
  });

  test("ranks behind errors", () => {
    stubApp();
    show(chatEvent(id), sessionUsing(900, id), {
      connection: { chatId: id, state: "failed", cause: "exited", since: 1 },
    });
    expect(page.getAllByRole("alert")).toHaveLength(1);
    expect(banner()).toBeNull();
    applyEvents({ connection: { chatId: id, state: "ready", since: 2 } });
    expect(banner()).not.toBeNull();
  });
});

describe("with a main AI", () => {
  test("the ring shows the usage of its newest turn, not of Copilot's session", async () => {
    const user = userEvent.setup();
    stubApp();
    show({ provider: ollama }, chatEvent("c", { mainId: "ollama" }), sessionUsing(100));
    expect(ring()).toBeNull();
    applyEvents(
      orchestratorTurn("2", 500, 2),
      orchestratorTurn("1", 400, 1),
      orchestratorTurn("3", 300, 3, "another"),
    );
    expect(ring()).toHaveAccessibleName("Context: 50% used");
    await user.click(ring() as HTMLElement);
    expect(await page.findByRole("dialog", { name: "Context" })).toHaveTextContent(
      "How much text Ollama can work with at once.",
    );
  });

  test("overflow counts as full", () => {
    stubApp();
    show({ provider: ollama }, chatEvent("c", { mainId: "ollama" }), orchestratorTurn("1", 1400, 1));
    expect(ring()).toHaveAccessibleName("Context: 100% used");
    expect(within(banner() as HTMLElement).getByRole("button", { name: "Dismiss" })).toBeVisible();
  });
});
