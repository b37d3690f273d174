import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { chatEvent, cliFound, resetState, signedIn, stubApp } from "../../testing";
import { Condition } from "../banner/Condition";
import { Masked } from "./Masked";
import { needsTrust, reset } from "./testing";

beforeEach(reset);

test("a chat without the folder's code says so, and asks again on request", async () => {
  const app = stubApp({});
  resetState(cliFound, signedIn(), chatEvent("c", { sandbox: { on: true, masked: true } }));
  render(() => <Masked chatId="c" />);
  expect(page.getByRole("status")).toHaveTextContent(
    "This folder's hooks and settings are off. Copilot runs in the sandbox without the files that can run code.",
  );
  await userEvent.click(page.getByRole("button", { name: "Review…" }));
  expect(app.of("ReviewTrust")).toEqual([["c"]]);
});

test("the note makes way for a problem, and other chats have none", () => {
  stubApp({});
  resetState(
    cliFound,
    signedIn(),
    chatEvent("c", { sandbox: { on: true, masked: true } }),
    chatEvent("d"),
    needsTrust(),
  );
  render(() => (
    <>
      <Masked chatId="c" />
      <Masked chatId="d" />
    </>
  ));
  expect(page.queryByRole("status")).toBeNull();
});

test("an agent that can't run in the sandbox isn't started, and the sandbox can be turned off", async () => {
  const app = stubApp({});
  const problem =
    "The sandbox needs bubblewrap, which isn't installed. To start the agent without the sandbox, turn the sandbox off for this chat.";
  resetState(
    cliFound,
    signedIn(),
    chatEvent("c", { sandbox: { on: true, wholeAgent: true, masked: true } }),
    { connection: { chatId: "c", state: "failed", cause: "no_sandbox", message: problem, since: 1 } },
  );
  render(() => <Condition chatId="c" />);
  expect(page.getByRole("alert")).toHaveTextContent(problem);
  await userEvent.click(page.getByRole("button", { name: "Turn off the sandbox" }));
  expect(app.of("SetSandbox")).toEqual([["c", { on: false, wholeAgent: true, masked: false }]]);
  expect(app.of("Reconnect")).toEqual([["c"]]);
});
