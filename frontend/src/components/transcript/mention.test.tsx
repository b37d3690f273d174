import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Attachment, Item } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { UserMessage } from "./Message";

const folder = "/home/anna/code/orbit-api";
const mention = (name: string): Attachment => ({ kind: "mention", name, path: `${folder}/${name}` });

beforeEach(() => stubBrowser());

function show(text: string, ...attachments: Attachment[]) {
  const app = stubApp();
  const item: Item = {
    id: "m",
    chatId: "c",
    session: "main",
    pos: 1,
    kind: "user",
    createdAt: 1,
    with: attachments,
  };
  resetState(chatEvent("c"));
  sink.open(
    "c",
    [{ item }, { text: { itemId: "m", chatId: "c", offset: 0, text, size: text.length } }],
    0,
    [],
  );
  render(() => <UserMessage item={item} />);
  return app;
}

test("A file mentioned in a message appears there once and opens", async () => {
  const app = show("Look at @cmd/my file.go and @other.go.", mention("cmd/my file.go"));
  expect(page.getAllByText(/my file\.go/)).toHaveLength(1);
  expect(page.queryByRole("list")).toBeNull();
  expect(page.getByRole("article")).toHaveTextContent("Look at @cmd/my file.go and @other.go.");
  await userEvent.setup().click(page.getByRole("button", { name: "@cmd/my file.go" }));
  expect(app.of("OpenInEditor")).toEqual([["c", `${folder}/cmd/my file.go`, 0]]);
});

test("A file not mentioned appears below the message", () => {
  show("Look.", mention("a.go"), { kind: "file", name: "notes.txt", path: "/srv/notes.txt" });
  expect(page.getAllByRole("listitem")).toHaveLength(2);
});
