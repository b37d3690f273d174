import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { closeDialog, dialog } from "../../state/dialogs";
import { go, screen } from "../../state/screen";
import type { Chat, Event } from "../../state/types";
import {
  applyEvents,
  chatEvent,
  cliFound,
  resetState,
  signedIn,
  signedOut,
  stubApp,
  stubBrowser,
} from "../../testing";
import { AccountDialogs } from "../account/AccountDialogs";
import { AccountRow } from "./AccountRow";
import { ChatList } from "./ChatList";
import { ConnectionPill } from "./ConnectionPill";

const chat = chatEvent("c").chat as Chat;
const connection = (more: object): Event => ({
  connection: { chatId: "c", state: "ready", since: 1, ...more },
});

beforeEach(() => {
  stubBrowser();
  closeDialog();
  go({ name: "chat", id: "c" });
});

describe("the account in the sidebar", () => {
  test("shows who is signed in; its menu shows the source and last check", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, signedIn());
    render(() => <AccountRow />);
    await user.click(page.getByRole("button", { name: "Account: octocat" }));
    expect(
      page.getByText(/github\.com · Signed in with VoxPilot · Last checked 2 minutes ago: valid\./),
    ).toBeVisible();
    await user.click(page.getByRole("menuitem", { name: "Check now" }));
    await waitFor(() => expect(app.of("CheckAccount")).toHaveLength(1));
    await user.click(page.getByRole("button", { name: "Account: octocat" }));
    await user.click(page.getByRole("menuitem", { name: "Sign out…" }));
    await waitFor(() => expect(dialog()).toBe("sign_out"));
  });

  test("names a CLI login only if the CLI reports one", () => {
    stubApp();
    resetState(cliFound, signedOut({ state: "own", source: "cli" }));
    render(() => <AccountRow />);
    expect(page.getByRole("button", { name: "Account: Sign-in status unknown" })).toBeVisible();
    applyEvents(signedOut({ state: "own", source: "cli", login: "octocat" }));
    expect(page.getByRole("button", { name: "Account: octocat" })).toBeVisible();
  });

  test("shows that a sign-in is needed, and opens it", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedIn({ state: "expired" }));
    render(() => <AccountRow />);
    await user.click(page.getByRole("button", { name: "Account: octocat, sign-in needed" }));
    await user.click(page.getByRole("menuitem", { name: "Sign in to GitHub…" }));
    await waitFor(() => expect(dialog()).toBe("sign_in"));
  });

  test("offers no sign-out when signed out", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, signedOut());
    render(() => <AccountRow />);
    await user.click(page.getByRole("button", { name: "Account: Not signed in" }));
    expect(page.queryByRole("menuitem", { name: "Sign out…" })).toBeNull();
    await user.click(page.getByRole("menuitem", { name: "Account settings" }));
    await waitFor(() => expect(screen()).toEqual({ name: "settings", page: "account" }));
  });
});

test("a dialog returns the focus to its opener", async () => {
  const user = userEvent.setup();
  stubApp();
  resetState(cliFound, signedIn());
  render(() => (
    <>
      <AccountRow />
      <AccountDialogs />
    </>
  ));
  const row = () => page.getByRole("button", { name: "Account: octocat" });
  for (const [entry, title] of [
    ["Sign out…", "Sign out of octocat?"],
    ["Use another account…", "Sign in to GitHub"],
  ]) {
    await user.click(row());
    await user.click(page.getByRole("menuitem", { name: entry }));
    expect(await page.findByRole("dialog", { name: title })).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(row()).toHaveFocus());
  }
});

describe("the connection pill", () => {
  test("shows that a sign-in is needed and for which account, and opens it", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(
      cliFound,
      { chat },
      signedIn({ state: "expired" }),
      connection({ state: "needs_login", cause: "not_signed_in" }),
    );
    render(() => <ConnectionPill chat={chat} />);
    const pill = page.getByRole("button", { name: "Connection: Sign-in needed" });
    expect(pill).toHaveAttribute("data-state", "signin");
    await user.click(pill);
    const facts = page.getByRole("dialog", { name: "Connection" });
    expect(facts).toHaveTextContent("Accountoctocat");
    expect(facts).toHaveTextContent("Last check2 minutes ago, rejected by GitHub");
    await user.click(page.getByRole("button", { name: "Sign in to GitHub" }));
    await waitFor(() => expect(dialog()).toBe("sign_in"));
  });

  test("shows being offline", () => {
    stubApp();
    resetState(
      cliFound,
      { chat },
      signedIn({ state: "unverified" }),
      connection({ state: "waiting", cause: "offline" }),
    );
    render(() => <ConnectionPill chat={chat} />);
    expect(page.getByRole("button", { name: "Connection: Offline" })).toHaveAttribute(
      "data-state",
      "offline",
    );
  });

  test("of a chat without GitHub doesn't mention the account", async () => {
    const user = userEvent.setup();
    stubApp();
    const practice = chatEvent("c", { providerId: "practice" }).chat as Chat;
    resetState(cliFound, { chat: practice }, signedIn({ state: "expired" }), connection({}));
    render(() => <ConnectionPill chat={practice} />);
    await user.click(page.getByRole("button", { name: "Connection: Connected" }));
    expect(page.getByRole("dialog")).not.toHaveTextContent("octocat");
    expect(page.getByRole("dialog")).toHaveTextContent("Not checked by VoxPilot");
  });
});

test("a chat waiting for a sign-in needs attention until it is resolved", () => {
  stubApp();
  resetState(
    cliFound,
    chatEvent("c", { title: "Fix it", detail: "Ended" }),
    connection({ state: "needs_login" }),
  );
  render(() => <ChatList />);
  expect(page.getByRole("link", { name: "Fix it, needs you" })).toHaveTextContent("Sign in to continue");
  applyEvents(connection({ state: "ready" }));
  expect(page.getByRole("link", { name: "Fix it" })).not.toHaveTextContent("Sign in to continue");
  applyEvents(connection({ state: "needs_login" }), chatEvent("c", { title: "Fix it", mainId: "ollama" }));
  expect(page.getByRole("link", { name: "Fix it" })).toBeVisible();
});

test("a chat with a request shows it, and an interrupted one says so", () => {
  stubApp();
  const ask = {
    id: "p",
    chatId: "c",
    session: "one",
    state: "open",
    title: "edit",
    kind: "edit",
    path: "/code/orbit/internal/auth/refresh.go",
    options: [],
    createdAt: 2,
  } as const;
  const run = {
    ...ask,
    id: "q",
    kind: "execute",
    path: "",
    command: "make migrate\nls",
    createdAt: 1,
  } as const;
  resetState(cliFound, chatEvent("c", { title: "Fix it" }), { permission: { ...ask, options: [] } });
  render(() => <ChatList />);
  const row = () => page.getByRole("link", { name: /^Fix it/ });
  expect(row()).toHaveTextContent("Wants to edit refresh.go");
  // The request that has waited longest comes first.
  applyEvents({ permission: { ...run, options: [] } });
  expect(row()).toHaveTextContent("Wants to run make migrate");
  applyEvents(
    { permission: { ...ask, state: "decided", options: [] } },
    { permission: { ...run, state: "decided", options: [] } },
    chatEvent("c", { title: "Fix it", turnState: "interrupted" }),
  );
  expect(row()).toHaveTextContent("Interrupted");
});
