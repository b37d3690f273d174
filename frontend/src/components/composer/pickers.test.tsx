import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Session } from "../../state/words";
import { aChat, know, standIn, standInForBrowser } from "../ui/testing";
import { Pickers } from "./Pickers";

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
  const app = standIn();
  know(aChat("c"));
  sink.open("c", [{ session: { ...session, ...more } }], 0, []);
  render(() => <Pickers chatId="c" />);
  return { app, user: userEvent.setup() };
}

beforeEach(() => standInForBrowser());

describe("the permission picker", () => {
  test("says what the chat allows, and changes it", async () => {
    const { app, user } = show();
    await user.click(screen.getByRole("button", { name: "Permissions: Ask first" }));
    const list = await screen.findByRole("listbox", { name: "Permissions" });
    expect(within(list).getByRole("option", { selected: true })).toHaveTextContent("Ask first");
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(app.of("SetPermissionMode")).toEqual([["c", "accept_edits"]]));
    expect(screen.queryByRole("listbox")).toBeNull();
  });

  test("leaves everything as it was when it is closed with Escape or on what is chosen", async () => {
    const { app, user } = show();
    const button = screen.getByRole("button", { name: "Permissions: Ask first" });
    await user.click(button);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
    await waitFor(() => expect(button).toHaveFocus());
    await user.keyboard("{ArrowDown}");
    await user.click(await screen.findByRole("option", { name: /Ask first/ }));
    expect(app.of("SetPermissionMode")).toEqual([]);
  });

  test("says that everything is allowed where the agent's own switch does so", () => {
    show({ allowAll: true });
    expect(screen.getByRole("button", { name: "Permissions: Allow everything" })).toHaveClass("warn");
  });
});

test("what the agent lets the user choose is a picker each, in its own words", async () => {
  const { app, user } = show();
  await user.click(screen.getByRole("button", { name: "Mode: Agent" }));
  const autopilot = await screen.findByRole("option", { name: /Autopilot/ });
  expect(autopilot).toHaveTextContent("Turns on Allow everything");
  await user.click(autopilot);
  await user.click(screen.getByRole("button", { name: "Model: Alpha" }));
  const list = await screen.findByRole("listbox", { name: "Model" });
  expect(within(list).getByText("Slow")).toBeVisible();
  await user.keyboard("b{Enter}");
  await user.click(screen.getByRole("button", { name: "Thinking: Off" }));
  await user.click(await screen.findByRole("option", { name: "On" }));
  expect(app.of("SetMode")).toEqual([["c", "main", "m#autopilot"]]);
  expect(app.of("SetOption")).toEqual([
    ["c", "main", "model", "b"],
    ["c", "main", "think", "true"],
  ]);
});

test("an agent that lets the user choose nothing has only the permissions to choose", () => {
  show({ modes: [], options: [] });
  expect(screen.getAllByRole("button")).toHaveLength(1);
});
