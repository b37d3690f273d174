import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { callActionOf } from "../../state/callActions";
import type { Item, Tool } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ToolRow } from "./ToolRow";
import { call, mainTurn, names, showTranscript } from "./testing";

let tests = 0;

beforeEach(() => {
  tests++;
  stubBrowser();
  vi.stubGlobal("fetch", () => Promise.reject(new Error("nothing is pulled here")));
  resetState(chatEvent("c", { turnState: "done" }));
});

const command = (more: Partial<Tool> = {}): Tool => ({
  callId: "t",
  title: "",
  kind: "execute",
  command: "make",
  status: "completed",
  sandboxed: true,
  ...more,
});
const itemOf = (tool: Tool): Item => ({
  id: `row-${tests}`,
  chatId: "c",
  pos: 1,
  kind: "tool",
  createdAt: 1000,
  endedAt: 2900,
  tool,
});
/** row shows a command in a block. */
function row(more: Partial<Tool> = {}, app: Partial<App> = {}) {
  const stub = stubApp(app);
  const tool = command(more);
  render(() => <ToolRow item={itemOf(tool)} tool={tool} folder="/code" />);
  return { app: stub, user: userEvent.setup(), button: screen.getByRole("button", { name: /^Run/ }) };
}
const theLine = () => document.querySelector(".ln") as HTMLElement;
/** lineOf shows a command of the main session. */
function lineOf(more: Partial<Tool>) {
  const app = showTranscript(0, mainTurn("running"), call(`line-${tests}`, 1, command(more)));
  return { ...app, names: names() };
}

describe("a command in the sandbox", () => {
  test("says so to screen readers, in a block and in a line", () => {
    const { button } = row();
    expect(button).toHaveAccessibleName("Run make, in the sandbox, completed");
    expect(button.querySelector(".x > .in")).toBeVisible();
    document.body.replaceChildren();
    expect(lineOf({}).names).toEqual([expect.stringMatching(/^Ran make, in the sandbox/)]);
    expect(theLine().querySelector(".fx > svg")).toBeVisible();
  });

  test("names a site that was blocked instead of its exit code", () => {
    const blocked = { exitCode: 6, blocked: ["get.example.dev:443"] };
    const { button } = row(blocked);
    expect(button).toHaveAttribute("data-status", "failed");
    expect(button).toHaveTextContent("blocked: get.example.dev");
    expect(button).not.toHaveTextContent("exit");
    document.body.replaceChildren();
    expect(lineOf(blocked).names).toEqual([
      expect.stringMatching(/^Ran make, in the sandbox, blocked: get\.example\.dev/),
    ]);
  });

  test("lists all blocked sites when expanded", async () => {
    const { button, user } = row({
      exitCode: 1,
      blocked: ["a.example:443", "b.example:8443", "c.example:80"],
    });
    expect(button).toHaveTextContent("blocked: a.example and 2 more");
    await user.click(button);
    expect(screen.getByText("The sandbox blocked a.example, b.example:8443 and c.example.")).toBeVisible();
  });

  test("keeps its own line if a site was blocked, even if it succeeded", () => {
    expect(callActionOf(itemOf(command()))).toBe("run");
    expect(callActionOf(itemOf(command({ blocked: ["a.example:443"] })))).toBeUndefined();
    expect(lineOf({ blocked: ["a.example:443"] }).names).toEqual([
      expect.stringContaining("blocked: a.example"),
    ]);
  });
});

describe("Run outside the sandbox", () => {
  const outside = () => screen.queryByRole("button", { name: "Run outside the sandbox…" });

  test("is offered for a failed command, without a shortcut, and runs once", async () => {
    const { app, button, user } = row({ exitCode: 1 });
    await user.click(button);
    expect(outside()).not.toHaveAttribute("aria-keyshortcuts");
    await user.click(outside() as HTMLElement);
    await user.click(outside() as HTMLElement);
    expect(app.of("RunOutside")).toEqual([[`row-${tests}`]]);
  });

  test("reports why it isn't possible, and can be tried again", async () => {
    const { button, user } = row(
      { signal: "SIGSYS" },
      { RunOutside: () => Promise.reject({ code: "invalid", message: "The command is gone." }) },
    );
    await user.click(button);
    await user.click(outside() as HTMLElement);
    expect(await screen.findByRole("alert")).toHaveTextContent("The command is gone.");
    expect(outside()).toBeEnabled();
  });

  test.each<[string, Partial<Tool>]>([
    ["a command that succeeded", {}],
    ["a command outside the sandbox", { sandboxed: false, exitCode: 1 }],
    ["a running command", { status: "in_progress" }],
  ])("isn't offered for %s", async (_, tool) => {
    const { button, user } = row(tool);
    await user.click(button);
    expect(outside()).toBeNull();
  });

  test("is offered in an expanded line", async () => {
    const { app, user } = lineOf({ exitCode: 2 });
    await user.click(theLine());
    await user.click(outside() as HTMLElement);
    expect(app.of("RunOutside")).toEqual([[`line-${tests}`]]);
  });
});
