import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createRoot } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import type { Option, Permission } from "../../state/words";
import { createGuard, guardMillis } from "./guard";
import { answersOf } from "./options";
import { PermissionCard } from "./PermissionCard";

const option = (kind: string, id = kind, name = kind): Option => ({ id, kind: kind as Option["kind"], name });

function ask(more: Partial<Permission> = {}): Permission {
  return {
    id: "p",
    chatId: "c",
    session: "main",
    state: "open",
    title: "Edit a.go",
    kind: "edit",
    path: "/code/orbit/a.go",
    options: [option("allow_once"), option("allow_always"), option("reject_once", "reject_once", "Deny")],
    scope: { kind: "edits", folder: "/code/orbit" },
    createdAt: 1,
    ...more,
  };
}

describe("the buttons of a request", () => {
  const labels = (p: Permission) => answersOf(p).map((answer) => `${answer.label}=${answer.optionId}`);

  test("are chosen by the kind of an option and not by its name", () => {
    expect(labels(ask())).toEqual(["Allow once=allow_once", "Always allow=allow_once", "Reject=reject_once"]);
  });

  test("leave out what cannot be promised", () => {
    expect(labels(ask({ scope: undefined }))).toEqual(["Allow once=allow_once", "Reject=reject_once"]);
  });

  test("show an option of an unknown kind under the agent's own name", () => {
    const p = ask({
      options: [option("allow_once"), option("ask_later", "x", "Ask me later"), option("reject_always")],
    });
    expect(labels(p)).toEqual([
      "Allow once=allow_once",
      "Always allow=allow_once",
      "Ask me later=x",
      "Always reject=reject_always",
    ]);
  });

  test("keep two options of one kind apart", () => {
    const p = ask({
      scope: undefined,
      options: [option("allow_once", "1"), option("allow_once", "2", "Allow in a copy")],
    });
    expect(labels(p)).toEqual(["Allow once=1", "Allow in a copy=2"]);
  });
});

describe("the guard of a card", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("takes no input for a moment after the card appears or moves", async () => {
    let time = 0;
    let y = 100;
    const element = { getBoundingClientRect: () => ({ x: 0, y }) } as HTMLElement;
    const { ready, dispose } = createRoot((end) => ({
      ready: createGuard({ element: () => element, now: () => time }),
      dispose: end,
    }));
    await vi.advanceTimersByTimeAsync(0);
    expect(ready()).toBe(false);
    time += guardMillis;
    expect(ready()).toBe(true);
    y = 60;
    expect(ready()).toBe(false);
    time += guardMillis - 1;
    expect(ready()).toBe(false);
    time += 1;
    expect(ready()).toBe(true);
    dispose();
  });
});

describe("the card", () => {
  const answer = vi.fn<App["Answer"]>(() => Promise.resolve());
  let clock = 0;

  beforeEach(() => {
    answer.mockReset();
    answer.mockResolvedValue();
    window.go = { main: { App: { Answer: answer } as unknown as App } };
    clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock);
  });

  test("says what will happen, who asks and where, and gives the answer once", async () => {
    render(() => <PermissionCard ask={ask()} folder="/code/orbit" waiting={2} />);
    const card = screen.getByRole("group", { name: "Permission request: Edit a.go" });
    expect(card).toHaveTextContent("Asked by Copilot [main] in orbit");
    expect(card).toHaveTextContent("1 of 2 waiting");
    expect(card).toHaveTextContent("Always allow covers every file edit in orbit.");
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Allow once" }));
    expect(answer).not.toHaveBeenCalled();
    clock += guardMillis;
    await user.dblClick(screen.getByRole("button", { name: "Always allow" }));
    expect(answer.mock.calls).toEqual([["p", "allow_once", true]]);
  });

  test("says word for word what a rule would cover", () => {
    const scope = { kind: "host" as const, folder: "/code/orbit", command: "pkg.go.dev" };
    render(() => <PermissionCard ask={ask({ kind: "fetch", scope })} folder="/code/orbit" waiting={1} />);
    expect(
      screen.getByText(/^Always allow covers web addresses of pkg\.go\.dev in orbit\. You can take it back/),
    ).toBeVisible();
  });

  test("can be answered again where the answer could not be saved", async () => {
    answer.mockRejectedValueOnce({ code: "storage", message: "Your answer could not be saved." });
    render(() => <PermissionCard ask={ask()} folder="/code/orbit" waiting={1} />);
    clock += guardMillis;
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Reject" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Your answer could not be saved.");
    await user.click(screen.getByRole("button", { name: "Reject" }));
    expect(answer.mock.calls).toEqual([
      ["p", "reject_once", false],
      ["p", "reject_once", false],
    ]);
  });

  test("names a file with what cannot be seen in its name", () => {
    const path = "/code/orbit/a\u202Etxt.exe";
    render(() => <PermissionCard ask={ask({ kind: "edit", path })} folder="/code/orbit" waiting={1} />);
    expect(screen.getByRole("group", { name: "Permission request: Edit a[U+202E]txt.exe" })).toBeVisible();
  });

  test("shows a command whole, with what cannot be seen in it", () => {
    const command = `echo a\u202Eb && ${"x".repeat(250)}`;
    render(() => <PermissionCard ask={ask({ kind: "execute", command })} folder="/code/orbit" waiting={1} />);
    expect(screen.getByRole("region", { name: "Command" })).toHaveTextContent(
      `$ echo aU+202Eb && ${"x".repeat(250)}`,
    );
  });
});
