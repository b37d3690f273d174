import { render, screen, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Permission } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ChatList } from "../shell/ChatList";
import { requestPhrase, requestSummary, requestTitle } from "../transcript/tool";
import { guardMillis } from "./clickGuard";
import { Inbox } from "./Inbox";
import { buttonsOf } from "./options";
import { type CardControl, PermissionCard } from "./PermissionCard";
import { option, request } from "./testing";

const options = [option("allow_once", "yes"), option("reject_once", "no")];
const site = (more: Partial<Permission> = {}) =>
  request({
    title: "Reach get.example.dev",
    kind: "fetch",
    command: "get.example.dev",
    path: undefined,
    scope: undefined,
    sandbox: "site",
    itemId: "row",
    options,
    ...more,
  });
const leaves = (more: Partial<Permission> = {}) =>
  request({
    title: "Run make",
    kind: "execute",
    command: "make install",
    path: undefined,
    scope: undefined,
    sandbox: "leaves",
    earlier: "This command ran in the sandbox 2 min ago and exited with code 2.",
    options,
    ...more,
  });

function show(of: Permission) {
  const app = stubApp();
  resetState(
    chatEvent("c", {
      title: "Refresh",
      folder: "/code/orbit",
      sandbox: { on: true, sites: ["own.example"] },
    }),
    {
      sandbox: {
        state: "ready",
        sites: ["a", "b", "c", "d"].map((at) => ({ host: `${at}.example`, tool: "npm" })),
      },
    },
  );
  sink.open(
    "c",
    [
      {
        item: {
          id: "row",
          chatId: "c",
          pos: 1,
          kind: "tool",
          createdAt: 1,
          tool: {
            callId: "t",
            title: "",
            kind: "execute",
            status: "in_progress",
            command: "curl -sO get.example.dev",
          },
        },
      },
      { permission: of },
    ],
    0,
    [],
  );
  let control: CardControl | undefined;
  render(() => (
    <PermissionCard
      request={of}
      folder="/code/orbit"
      waiting={1}
      control={(it) => {
        control = it ?? control;
      }}
    />
  ));
  // Buttons ignore clicks for a moment after they appear.
  clock += guardMillis;
  return { app, user: userEvent.setup(), control: control as CardControl };
}

let clock = 0;

beforeEach(() => {
  stubBrowser();
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  return () => {
    vi.restoreAllMocks();
  };
});

describe("a request for a site", () => {
  test("names the site, the command, and the sites that are allowed", () => {
    show(site({ session: "auth" }));
    const card = screen.getByRole("group", { name: "Blocked connection to get.example.dev" });
    expect(card).toHaveTextContent("A command from Copilot [auth] in orbit is paused until you decide");
    expect(within(card).getByRole("region", { name: "Command" })).toHaveTextContent(
      "curl -sO get.example.dev",
    );
    expect(card).toHaveTextContent("Siteget.example.dev");
    expect(card).toHaveTextContent("Allowed sitesown.example, a.example, b.example and 2 more");
    expect(card).toHaveTextContent(
      "“Allow this site” lets this command continue and lets all commands in this chat connect to the site. If you choose “Keep blocked”, VoxPilot tells Copilot that the connection was blocked, and Copilot continues.",
    );
  });

  test("is kept blocked by the main button, without a reason", async () => {
    const { app, user } = show(site());
    const keep = screen.getByRole("button", { name: "Keep blocked" });
    expect(keep).toHaveClass("primary");
    expect(keep).toHaveAttribute("aria-keyshortcuts", "Control+Shift+Backspace");
    await user.click(keep);
    expect(app.of("Reject")).toEqual([["p", ""]]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test("is allowed by a button without a shortcut", async () => {
    const { app, user, control } = show(site());
    const allow = screen.getByRole("button", { name: "Allow this site" });
    expect(allow).not.toHaveAttribute("aria-keyshortcuts");
    expect(allow).not.toHaveClass("primary");
    control.allowOnce();
    expect(app.of("Answer")).toEqual([]);
    await user.click(allow);
    expect(app.of("Answer")).toEqual([["p", "yes", false]]);
  });
});

describe("a request to leave the sandbox", () => {
  test("names the command, its earlier run and the consequence", async () => {
    show(leaves());
    const card = screen.getByRole("group", { name: "Permission request: Run outside the sandbox?" });
    expect(within(card).getByRole("region", { name: "Command" })).toHaveTextContent("make install");
    expect(card).toHaveTextContent("This command ran in the sandbox 2 min ago and exited with code 2.");
    expect(card).toHaveTextContent(
      "If you allow it, the command runs outside the sandbox, with your full permissions.",
    );
  });

  test("offers Reject first, then Allow once without a shortcut, and nothing permanent", async () => {
    const { app, control } = show(leaves({ scope: { kind: "command", folder: "/code/orbit" } }));
    expect(buttonsOf(leaves()).map(({ label, role }) => [label, role])).toEqual([
      ["Reject", "keep"],
      ["Allow once outside the sandbox", "other"],
    ]);
    expect(screen.getByRole("button", { name: "Reject" })).toHaveClass("primary");
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
    control.allowOnce();
    expect(app.of("Answer")).toEqual([]);
    control.reject();
    expect(app.of("Reject")).toEqual([["p", ""]]);
  });
});

test("a command that would run in the sandbox says so, and is answered as usual", async () => {
  show(leaves({ sandbox: "inside", earlier: undefined }));
  expect(screen.getByText("Runs in the sandbox")).toBeVisible();
  expect(screen.getByRole("button", { name: "Allow once" })).toHaveClass("primary");
});

test("the requests have short texts for lists and announcements", () => {
  expect(requestTitle(site(), "/code")).toBe("Blocked connection to get.example.dev");
  expect([site(), leaves(), leaves({ command: "" })].map(requestSummary)).toEqual([
    "connect to get.example.dev",
    "run make install outside the sandbox",
    "run a command outside the sandbox",
  ]);
  expect([site(), leaves(), request()].map((each) => requestPhrase(each, "/code/orbit"))).toEqual([
    "connect to get.example.dev",
    "run a command outside the sandbox",
    "edit a.go",
  ]);
});

test("the chat list and the list of requests name them", async () => {
  show(site());
  applyEvents({ permission: leaves({ id: "q", createdAt: 2 }) });
  document.body.replaceChildren();
  render(() => <ChatList />);
  expect(screen.getByText("Blocked connection to get.example.dev")).toBeVisible();
  render(() => <Inbox onLeave={() => {}} />);
  await userEvent.setup().click(screen.getByRole("button", { name: "All requests" }));
  const list = await screen.findByRole("list", { name: "Requests waiting for you" });
  expect(
    within(list)
      .getAllByRole("button")
      .map((row) => row.querySelector(".what")?.textContent),
  ).toEqual(["Blocked connection to get.example.dev", "Run make install outside the sandbox"]);
});
