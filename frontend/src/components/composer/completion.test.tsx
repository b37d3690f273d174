import { fireEvent, screen, waitFor } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test } from "vitest";
import type { Event, FoundFiles } from "../../state/types";
import { open, root } from "./testing";

const found = (...paths: string[]): FoundFiles => ({
  files: paths.map((path) => ({ path, marks: [0] })),
  total: paths.length,
});
const all = () => found("internal/auth/refresh.go", "docs/reference.md", "tools/refactor/");
const mention = (path: string) => ({
  kind: "mention",
  name: path,
  path: `${root}/${path.replace(/\/$/, "")}`,
});

/** listed returns the list of files once its matches reflect all of the typed text. */
const listed = async () => {
  const list = await screen.findByRole("listbox", { name: "Files" });
  await waitFor(() => expect(list).toHaveAttribute("aria-busy", "false"));
  return list;
};

beforeEach(() => localStorage.clear());

describe("files after an @", () => {
  test("are listed while the text keeps focus, and Enter inserts the chosen one", async () => {
    const { user, field, app, id } = open({ files: all });
    await user.type(field, "Look at @ref");
    const list = await listed();
    expect(list.querySelectorAll("b.hit")[0]).toHaveTextContent("i");
    expect(field).toHaveFocus();
    await user.keyboard("{ArrowDown}");
    const chosen = screen.getByRole("option", { selected: true });
    expect(chosen).toHaveTextContent("docs/reference.md");
    expect(field).toHaveAttribute("aria-activedescendant", chosen.id);
    expect(field).toHaveAttribute("aria-controls", list.id);
    await user.keyboard("{Enter}");
    expect(field.value).toBe("Look at @docs/reference.md ");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(app.of("Send")).toEqual([]);
    await user.keyboard("{Enter}");
    expect(app.of("Send")).toEqual([[id, "Look at @docs/reference.md ", [mention("docs/reference.md")]]]);
  });

  test("can be chosen with Tab or a click, in the middle of text", async () => {
    const { user, field } = open({ files: all });
    await user.type(field, "Read  and go on");
    field.setSelectionRange(5, 5);
    await user.keyboard("@ref");
    await listed();
    await user.keyboard("{Tab}");
    expect(field.value).toBe("Read @internal/auth/refresh.go and go on");
    expect(field).toHaveFocus();
    await user.keyboard("then @");
    await user.click(await screen.findByRole("option", { name: /tools\/refactor/ }));
    expect(field.value).toBe("Read @internal/auth/refresh.go then @tools/refactor/ and go on");
  });

  test("are no longer mentioned once removed from the text, and again once restored", async () => {
    const { user, field, app, id } = open({ files: all });
    await user.type(field, "@ref");
    await listed();
    await user.keyboard("{Enter}{Backspace}{Backspace}");
    expect(field.value).toBe("@internal/auth/refresh.g");
    await waitFor(() => expect(app.of("SaveDraft").at(-1)).toEqual([id, field.value, []]));
    await user.keyboard("{Escape}o");
    await waitFor(() =>
      expect(app.of("SaveDraft").at(-1)).toEqual([id, field.value, [mention("internal/auth/refresh.go")]]),
    );
  });

  test("are hidden by Escape until the next @", async () => {
    const { user, field, app } = open({ files: all });
    await user.type(field, "@ref");
    await screen.findByRole("listbox");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    await user.keyboard("r");
    expect(screen.queryByRole("listbox")).toBeNull();
    await user.keyboard(" @");
    await screen.findByRole("listbox");
    await user.keyboard("{Escape}{Enter}");
    expect(app.of("Send")).toHaveLength(1);
  });

  test("are not listed in an address or without matches, and Enter sends", async () => {
    const { user, field, app, asked } = open({ files: () => found() });
    await user.type(field, "Write to anna@example.org");
    expect(asked).toEqual([]);
    await user.type(field, " @nobody");
    await waitFor(() => expect(asked.at(-1)).toBe("nobody"));
    await waitFor(() => {
      fireEvent.keyDown(field, { key: "Enter" });
      expect(app.of("Send")).toHaveLength(1);
    });
    expect(screen.queryByRole("listbox")).toBeNull();
  });

  test("being loaded when Enter is pressed are inserted once loaded, and nothing is sent", async () => {
    let answer = (_: FoundFiles) => {};
    const { user, field, app } = open({
      files: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await user.type(field, "@");
    await user.keyboard("{Enter}");
    answer(all());
    await waitFor(() => expect(field.value).toBe("@internal/auth/refresh.go "));
    expect(app.of("Send")).toEqual([]);
  });

  test("in a folder still being read are requested again", async () => {
    let asked = 0;
    const { user, field } = open({
      files: () => (++asked === 1 ? { files: [], total: 0, reading: true } : all()),
    });
    await user.type(field, "@");
    expect(await screen.findByText("Loading files…")).toBeVisible();
    await screen.findByRole("option", { name: /refresh\.go/ });
    expect(screen.queryByText("Loading files…")).toBeNull();
  });

  test("that can't be read leave the text unchanged, and the error is shown", async () => {
    const { user, field } = open({ files: () => Promise.reject(new Error("gone")) });
    await user.type(field, "@a");
    expect(await screen.findByText("Couldn't list the files in this folder.")).toBeVisible();
    expect(field.value).toBe("@a");
  });

  test("wait for the input method to finish", async () => {
    const { field, asked } = open({ files: all });
    field.focus();
    field.value = "@re";
    field.setSelectionRange(3, 3);
    fireEvent.input(field, { isComposing: true });
    fireEvent.keyUp(field, { key: "e", isComposing: true });
    expect(asked).toEqual([]);
    fireEvent.compositionEnd(field);
    await waitFor(() => expect(asked).toEqual(["re"]));
  });

  test("can be requested with a button, which removes its @ again", async () => {
    const { user, field } = open({ files: all });
    await user.type(field, "Look at");
    await user.click(screen.getByRole("button", { name: "Mention file" }));
    expect(field.value).toBe("Look at @");
    await screen.findByRole("listbox", { name: "Files" });
    await user.click(screen.getByRole("button", { name: "Mention file" }));
    expect(field.value).toBe("Look at ");
    expect(screen.queryByRole("listbox")).toBeNull();
  });
});

describe("commands after a /", () => {
  const commands = (chatId: string): Event[] => [
    {
      session: {
        chatId,
        name: "main",
        acpId: "x",
        cwd: "/",
        state: "loaded",
        commands: [
          { id: "review", name: "review", description: "Look over the current changes" },
          { id: "rename", name: "rename" },
        ],
        createdAt: 1,
        usedAt: 1,
      },
    },
  ];
  const names = () =>
    screen.getAllByRole("option").map((option) => option.querySelector("span")?.textContent);

  test("keep the agent's order until one is sent, which then comes first", async () => {
    const { user, field, app } = open({ events: commands });
    await user.type(field, "/");
    await screen.findByRole("listbox", { name: "Command list" });
    expect(names().slice(0, 2)).toEqual(["/review", "/rename"]);
    await user.keyboard("{ArrowDown}{Enter}it");
    expect(field.value).toBe("/rename it");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("Send")).toHaveLength(1));
    await waitFor(() => expect(field.value).toBe(""));
    await user.type(field, "/");
    await waitFor(() => expect(names().slice(0, 2)).toEqual(["/rename", "/review"]));
  });

  test("are inserted before the text by the button", async () => {
    const { user, field } = open({ events: commands });
    await user.type(field, "it");
    await user.click(screen.getByRole("button", { name: "Commands" }));
    await screen.findByRole("listbox", { name: "Command list" });
    expect(field.value).toBe("/it");
  });
});
