import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { toNextRequest } from "../../state/commands";
import { go, screen } from "../../state/screen";
import { sink } from "../../state/store";
import type { Chat, Event } from "../../state/types";
import { aChat, cliFound, know, learn, octocat, standIn, standInForBrowser } from "../../testing";
import { TrustSheet } from "../trust/TrustSheet";
import { ChatScreen } from "./ChatScreen";
import { Sidebar } from "./Sidebar";

const asks = (chatId: string, createdAt: number): Event => ({
  permission: {
    id: `p-${chatId}`,
    chatId,
    session: "main",
    state: "open",
    title: "Run",
    kind: "execute",
    options: [],
    createdAt,
  },
});
const waits = (chatId: string, since: number): Event => ({
  connection: { chatId, state: "needs_login", cause: "not_signed_in", since },
});

beforeEach(() => {
  standInForBrowser();
  standIn();
  go({ name: "new" });
});

test("a chat waiting for a sign-in counts as needing attention and is opened from there", async () => {
  const user = userEvent.setup();
  know(
    aChat("asks"),
    aChat("waits"),
    aChat("main", { mainId: "ollama" }), // continues without its agent
    aChat("gone", { deletedAt: 1 }),
    asks("asks", 5),
    ...["waits", "main", "gone"].map((chatId) => waits(chatId, 3)),
  );
  render(() => <Sidebar onHide={() => {}} />);
  await user.click(page.getByRole("button", { name: "2 other chats need you" }));
  expect(screen()).toEqual({ name: "chat", id: "waits", toRequest: true });
  expect(page.getByRole("button", { name: "1 other chat needs you" })).toBeVisible();
  toNextRequest();
  expect(screen()).toEqual({ name: "chat", id: "asks", toRequest: true });
  expect(page.getAllByRole("link", { name: /, needs you$/ })).toHaveLength(2);
});

test("the request list is offered only if there are requests", () => {
  know(aChat("a"), aChat("b"), waits("a", 1), waits("b", 2));
  render(() => <Sidebar onHide={() => {}} />);
  expect(page.getByRole("button", { name: "2 other chats need you" })).toBeVisible();
  expect(page.queryByRole("button", { name: "All requests" })).toBeNull();
  learn(asks("a", 3));
  expect(page.getByRole("button", { name: "All requests" })).toBeVisible();
});

test("opening a chat that waits for a sign-in focuses its banner", async () => {
  const chat = aChat("waits");
  know(cliFound, octocat({ state: "expired" }), chat, waits("waits", 3));
  sink.open("waits", [], 0, []);
  go({ name: "chat", id: "waits" });
  render(() => <ChatScreen chat={chat.chat as Chat} overlay={false} />);
  await waitFor(() => expect(page.getByRole("textbox", { name: "Message" })).toHaveFocus());
  toNextRequest();
  await waitFor(() => expect(page.getByRole("alert", { name: "Sign in needed" })).toHaveFocus());
});

test("opening a chat that waits for trust asks, and focuses its banner the next time", async () => {
  const user = userEvent.setup();
  const chat = aChat("waits");
  const request = { id: "t", key: "k", folder: "/a", root: "/a", chatIds: ["waits"], agent: "Copilot" };
  know(
    cliFound,
    octocat(),
    chat,
    { connection: { chatId: "waits", state: "needs_trust", cause: "untrusted", since: 1 } },
    { trust: { ...request, runs: [{ file: ".envrc" }], steers: [] } },
  );
  render(() => (
    <>
      <ChatScreen chat={chat.chat as Chat} overlay={false} />
      <TrustSheet />
    </>
  ));
  toNextRequest();
  const notNow = await page.findByRole("button", { name: "Not now" });
  await waitFor(() => expect(notNow).toHaveFocus());
  // The chat arrives while the sheet is open.
  sink.open("waits", [], 0, []);
  await new Promise((done) => setTimeout(() => setTimeout(() => setTimeout(done))));
  expect(notNow).toHaveFocus();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
  toNextRequest();
  await waitFor(() => expect(page.getByRole("alert", { name: "Trust needed" })).toHaveFocus());
});

test("an unread reply shows its result, and a read one doesn't", () => {
  const chat = (unread: boolean) =>
    aChat("c", { title: "Fix", turnState: "done", unread, detail: "Finished. 9 files changed" });
  know(chat(true));
  render(() => <Sidebar onHide={() => {}} />);
  expect(page.getByRole("link", { name: "Fix, new reply" })).toHaveTextContent("Finished. 9 files changed");
  learn(chat(false));
  expect(page.getByRole("link", { name: "Fix" })).not.toHaveTextContent("Finished");
});
