import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { toNextRequest } from "../../state/commands";
import { go, screen } from "../../state/screen";
import { sink } from "../../state/store";
import type { Chat, Event } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, signedIn, stubApp, stubBrowser } from "../../testing";
import { TrustSheet } from "../trust/TrustSheet";
import { ChatScreen } from "./ChatScreen";
import { Sidebar } from "./Sidebar";

const request = (chatId: string, createdAt: number): Event => ({
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
const needsLogin = (chatId: string, since: number): Event => ({
  connection: { chatId, state: "needs_login", cause: "not_signed_in", since },
});

beforeEach(() => {
  stubBrowser();
  stubApp();
  go({ name: "new" });
});

test("a chat waiting for a sign-in counts as needing attention and is opened from there", async () => {
  const user = userEvent.setup();
  resetState(
    chatEvent("asks"),
    chatEvent("waits"),
    chatEvent("main", { mainId: "ollama" }), // works without its agent
    chatEvent("gone", { deletedAt: 1 }),
    request("asks", 5),
    ...["waits", "main", "gone"].map((chatId) => needsLogin(chatId, 3)),
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
  resetState(chatEvent("a"), chatEvent("b"), needsLogin("a", 1), needsLogin("b", 2));
  render(() => <Sidebar onHide={() => {}} />);
  expect(page.getByRole("button", { name: "2 other chats need you" })).toBeVisible();
  expect(page.queryByRole("button", { name: "All requests" })).toBeNull();
  applyEvents(request("a", 3));
  expect(page.getByRole("button", { name: "All requests" })).toBeVisible();
});

test("opening a chat that waits for a sign-in focuses its banner", async () => {
  const chat = chatEvent("waits");
  resetState(cliFound, signedIn({ state: "expired" }), chat, needsLogin("waits", 3));
  sink.open("waits", [], 0, []);
  go({ name: "chat", id: "waits" });
  render(() => <ChatScreen chat={chat.chat as Chat} overlay={false} />);
  await waitFor(() => expect(page.getByRole("textbox", { name: "Message" })).toHaveFocus());
  toNextRequest();
  await waitFor(() => expect(page.getByRole("alert", { name: "Sign-in needed" })).toHaveFocus());
});

test("opening a chat that waits for trust asks, and focuses its banner the next time", async () => {
  const user = userEvent.setup();
  const chat = chatEvent("waits");
  const request = { id: "t", key: "k", folder: "/a", root: "/a", chatIds: ["waits"], agent: "Copilot" };
  resetState(
    cliFound,
    signedIn(),
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
  // The snapshot of the chat arrives while the sheet is open.
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
    chatEvent("c", { title: "Fix", turnState: "done", unread, detail: "Finished. 9 files changed" });
  resetState(chat(true));
  render(() => <Sidebar onHide={() => {}} />);
  expect(page.getByRole("link", { name: "Fix, new reply" })).toHaveTextContent("Finished. 9 files changed");
  applyEvents(chat(false));
  expect(page.getByRole("link", { name: "Fix" })).not.toHaveTextContent("Finished");
});
