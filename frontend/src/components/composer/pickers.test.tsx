import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { screen as where } from "../../state/screen";
import { sink } from "../../state/store";
import type { Chat, CustomAgent, Event, Session } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ChatPickers } from "./Pickers";

const session: Session = {
  chatId: "c",
  name: "main",
  acpId: "x",
  cwd: "/",
  state: "loaded",
  mode: "m#agent",
  modes: [
    { id: "m#agent", name: "Agent", description: "Works with you" },
    { id: "m#autopilot", name: "Autopilot" },
  ],
  options: [
    {
      id: "model",
      name: "Model",
      type: "select",
      value: "a",
      choices: [
        { id: "a", name: "Alpha", group: "Fast" },
        { id: "b", name: "Beta", group: "Slow" },
      ],
    },
    { id: "think", name: "Thinking", type: "boolean", value: "false" },
  ],
  createdAt: 1,
  usedAt: 1,
};

function show(more: Partial<Session> = {}) {
  const app = stubApp();
  resetState(chatEvent("c"));
  sink.open("c", [{ session: { ...session, ...more } }], 0, []);
  render(() => <ChatPickers chatId="c" />);
  return { app, user: userEvent.setup() };
}

beforeEach(() => stubBrowser());

test("the mode is named if the agent's initial mode is unknown", async () => {
  const { app, user } = show({ mode: "", acpId: "" });
  await user.click(screen.getByRole("button", { name: "Mode: Agent default" }));
  await user.click(await screen.findByRole("option", { name: /^Autopilot/ }));
  await waitFor(() => expect(app.of("SetMode")).toEqual([["c", "main", "m#autopilot"]]));
});

test("another agent's models are listed under its name", async () => {
  const app = stubApp();
  resetState(chatEvent("c", { providerId: "q" }), {
    profile: { id: "q", name: "Qwen", command: "/bin/qwen", createdAt: 1 } as CustomAgent,
  });
  sink.open("c", [{ session }], 0, []);
  render(() => <ChatPickers chatId="c" />);
  await userEvent.setup().click(screen.getByRole("button", { name: "Model: Alpha" }));
  const list = await screen.findByRole("listbox", { name: "Model" });
  expect(within(list).getByText("Qwen, Fast")).toBeVisible();
  expect(app.of("SetOption")).toEqual([]);
});

test("a choice moves the focus to the text, and Escape returns it to the button", async () => {
  stubApp();
  resetState(chatEvent("c"));
  sink.open("c", [{ session }], 0, []);
  render(() => (
    <form>
      <textarea aria-label="Message" />
      <ChatPickers chatId="c" />
    </form>
  ));
  const user = userEvent.setup();
  const button = screen.getByRole("button", { name: "Model: Alpha" });
  await user.click(button);
  await user.click(await screen.findByRole("option", { name: /Beta/ }));
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus());
  await user.click(button);
  await screen.findByRole("listbox");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(button).toHaveFocus());
});

test("a click in the text closes the list and keeps the focus there", async () => {
  stubApp();
  resetState(chatEvent("c"));
  sink.open("c", [{ session }], 0, []);
  render(() => (
    <form>
      <textarea aria-label="Message" />
      <ChatPickers chatId="c" />
    </form>
  ));
  const user = userEvent.setup();
  const button = screen.getByRole("button", { name: "Model: Alpha" });
  await user.click(button);
  const list = await screen.findByRole("listbox");
  await waitFor(() => expect(list).toContainElement(document.activeElement as HTMLElement));
  const back = vi.spyOn(button, "focus");
  await user.click(screen.getByRole("textbox", { name: "Message" }));
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  // The focus would return in a separate task.
  await new Promise((done) => setTimeout(done));
  expect(back).not.toHaveBeenCalled();
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus();
});

describe("the permission picker", () => {
  test("shows the chat's mode and changes it", async () => {
    const { app, user } = show();
    await user.click(screen.getByRole("button", { name: "Permissions: Ask first" }));
    const panel = await screen.findByRole("dialog", { name: "Permissions" });
    expect(within(panel).getByRole("menuitemradio", { checked: true })).toHaveTextContent("Ask first");
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(app.of("SetPermissionMode")).toEqual([["c", "accept_edits"]]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("confirms before allowing everything, and changes nothing if declined", async () => {
    const { app, user } = show();
    const allow = async (answer: string) => {
      await user.click(await screen.findByRole("button", { name: "Permissions: Ask first" }));
      await user.click(await screen.findByRole("menuitemradio", { name: /Allow everything/ }));
      const question = await screen.findByRole("dialog", { name: "Allow everything in this chat?" });
      expect(question).toHaveTextContent(
        "You'll still be asked about unclear requests, protected files and files outside the folder.",
      );
      await user.click(within(question).getByRole("button", { name: answer }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    };
    await allow("Cancel");
    expect(app.of("SetPermissionMode")).toEqual([]);
    await allow("Allow everything");
    expect(app.of("SetPermissionMode")).toEqual([["c", "bypass"]]);
  });

  test("changes nothing when closed with Escape or on the current choice", async () => {
    const { app, user } = show();
    const button = screen.getByRole("button", { name: "Permissions: Ask first" });
    await user.click(button);
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(button).toHaveFocus());
    await user.keyboard("{ArrowDown}");
    await user.click(await screen.findByRole("menuitemradio", { name: /Ask first/ }));
    expect(app.of("SetPermissionMode")).toEqual([]);
  });

  test("shows that everything is allowed if the agent's own switch does so", () => {
    show({ allowAll: true });
    expect(screen.getByRole("button", { name: "Permissions: Allow everything" })).toHaveClass("warn");
  });
});

test("the agent's options are its mode and the rest under the model, in its own wording", async () => {
  const { app, user } = show();
  await user.click(screen.getByRole("button", { name: "Mode: Agent" }));
  const autopilot = await screen.findByRole("option", { name: /Autopilot/ });
  expect(autopilot).toHaveTextContent("Turns on “Allow everything”");
  await user.click(autopilot);
  await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
  const list = await screen.findByRole("listbox", { name: "Model" });
  expect(within(list).getByText("Copilot, Slow")).toBeVisible();
  await user.keyboard("b{Enter}");
  await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
  const options = within(await screen.findByRole("listbox", { name: "Model" }));
  expect(options.getByText("Thinking")).toBeVisible();
  expect(options.getAllByRole("option", { selected: true }).map((option) => option.textContent)).toEqual([
    "Alpha",
    "Off",
  ]);
  await user.click(options.getByRole("option", { name: "On" }));
  expect(app.of("SetMode")).toEqual([["c", "main", "m#autopilot"]]);
  expect(app.of("SetOption")).toEqual([
    ["c", "main", "model", "b"],
    ["c", "main", "think", "true"],
  ]);
});

describe("the model picker", () => {
  const ollama = {
    provider: {
      id: "o",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      model: "qwen3:8b",
      createdAt: 1,
    },
  };
  function openChat(more: Partial<Chat> = {}, ...events: Event[]) {
    const app = stubApp();
    resetState(chatEvent("c", more), ...events);
    sink.open("c", [{ session }], 0, []);
    render(() => <ChatPickers chatId="c" />);
    return { app, user: userEvent.setup() };
  }

  test("lists the agent's models and the main AIs under headings, and sets the responder", async () => {
    const { app, user } = openChat({}, ollama);
    await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
    const list = await screen.findByRole("listbox", { name: "Model" });
    expect([...list.querySelectorAll(".cap")].map((cap) => cap.textContent)).toEqual([
      "Copilot, Fast",
      "Copilot, Slow",
      "Copilot",
      "Main AI",
      "Thinking",
    ]);
    await user.click(within(list).getByRole("option", { name: /Ollama answers/ }));
    await waitFor(() => expect(app.of("SetMain")).toEqual([["c", "o"]]));
    expect(app.of("SetProvider")).toEqual([]);
  });

  test("removes the main AI before setting the agent's model", async () => {
    const { app, user } = openChat({ mainId: "o" }, ollama);
    await user.click(screen.getByRole("button", { name: "Model: qwen3:8b" }));
    await user.click(await screen.findByRole("option", { name: "Beta" }));
    await waitFor(() => expect(app.of("SetOption")).toEqual([["c", "main", "model", "b"]]));
    expect(app.calls.map((call) => call.method)).toEqual(["SetMain", "SetOption"]);
    expect(app.of("SetMain")).toEqual([["c", ""]]);
  });

  test("selects another agent, which is unchanged", async () => {
    const { app, user } = openChat({}, ollama);
    await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
    await user.click(await screen.findByRole("option", { name: /Copilot CLI with Ollama/ }));
    await waitFor(() => expect(app.of("SetProvider")).toEqual([["c", "o"]]));
    expect(app.of("SetMain")).toEqual([]);
  });

  test("names the main AI and omits agent-only options", () => {
    openChat({ mainId: "o" }, ollama);
    expect(screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
      "Model: qwen3:8b",
      "Permissions: Ask first",
    ]);
  });

  test("labels a removed main AI as removed", () => {
    openChat({ mainId: "gone" });
    expect(screen.getByRole("button", { name: "Model: Removed model" })).toBeVisible();
  });

  test("opens the settings if no main AI is set up", async () => {
    const { user } = openChat();
    await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
    await user.click(await screen.findByRole("option", { name: "Set up a main AI…" }));
    expect(where()).toEqual({ name: "settings", page: "account" });
  });

  test("has no other choices in practice", async () => {
    const { user } = openChat({ providerId: "practice" }, ollama);
    await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
    const list = await screen.findByRole("listbox", { name: "Model" });
    expect(
      within(list)
        .getAllByRole("option")
        .map((option) => option.textContent),
    ).toEqual(["Alpha", "Beta", "On", "Off"]);
  });
});

test("an agent without options offers only the responder and permissions", () => {
  show({ modes: [], options: [] });
  expect(screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
    "Model: GitHub Copilot",
    "Permissions: Ask first",
  ]);
});
