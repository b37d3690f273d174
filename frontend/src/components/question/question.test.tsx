import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal, Show } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { composer } from "../../state/composer";
import { raw } from "../../state/store";
import type { Permission, Question, QuestionAnswer, QuestionPage } from "../../state/types";
import { applyEvents, chatEvent, resetState } from "../../testing";
import { guardMillis } from "../permission/clickGuard";
import type { CardControl } from "../permission/PermissionCard";
import { ClosedQuestion } from "./ClosedQuestion";
import { QuestionCards } from "./QuestionCard";

const choices: Question = {
  text: "How long should late callers wait?",
  freeText: true,
  choices: [
    { label: "10 seconds", description: "As the client", suggested: true },
    { label: "No limit" },
    { label: "A setting" },
  ],
};

const form: Question = {
  text: "Details for the new database",
  fields: [
    { name: "name", title: "Name", kind: "text", required: true },
    { name: "size", title: "Size in GB", kind: "integer", required: true, min: 5, max: 500, default: ["20"] },
    {
      name: "region",
      title: "Region",
      kind: "one",
      required: true,
      default: ["fra"],
      options: ["fra", "iad", "sin", "gru", "syd"].map((value) => ({ value, title: value.toUpperCase() })),
    },
    {
      name: "tier",
      title: "Tier",
      kind: "one",
      options: [
        { value: "s", title: "Small" },
        { value: "l", title: "Large" },
      ],
    },
    { name: "extensions", title: "Extensions", kind: "some", options: [{ value: "v", title: "pgvector" }] },
    { name: "backup", title: "Daily backup", kind: "boolean", default: ["true"] },
    { name: "mail", title: "Owner email", kind: "text", format: "email" },
  ],
};

const request = (question: Question, more: Partial<Permission> = {}): Permission => ({
  // Entered answers are stored by ID.
  id: `q${serial}`,
  chatId: "c",
  session: "main",
  itemId: "i",
  state: "open",
  title: question.text,
  kind: "ask",
  options: [],
  createdAt: 1,
  question,
  ...more,
});

let app: {
  [M in "AnswerQuestion" | "CheckAnswer" | "SkipQuestion" | "OpenURL" | "Copy"]: ReturnType<typeof vi.fn>;
};
let serial = 0;
let control: CardControl | undefined;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["performance"] });
  resetState();
  sessionStorage.clear();
  serial++;
  app = {
    AnswerQuestion: vi.fn(async () => []),
    CheckAnswer: vi.fn(async () => []),
    SkipQuestion: vi.fn(async () => undefined),
    OpenURL: vi.fn(async () => undefined),
    Copy: vi.fn(async () => undefined),
  };
  window.go = { main: { App: app as unknown as App } };
});
afterEach(() => vi.useRealTimers());

/** open shows the card of the oldest of the given questions once it accepts input. */
function open(...requests: Permission[]) {
  applyEvents(chatEvent("c", { folder: "/code/orbit" }), ...requests.map((permission) => ({ permission })));
  const [at] = createSignal(requests[0] as Permission);
  render(() => (
    <Show when={raw().permissions[at().id]?.state === "open"}>
      <QuestionCards
        request={at()}
        folder="/code/orbit"
        waiting={requests.length}
        control={(given) => {
          control = given;
        }}
      />
    </Show>
  ));
  vi.advanceTimersByTime(guardMillis + 1);
}

const sent = () => app.AnswerQuestion.mock.calls.map(([, answer]) => answer as QuestionAnswer);

test("the card names the question, the suggestion and the answers", () => {
  open(request(choices));
  const card = screen.getByRole("group", { name: "Question: How long should late callers wait?" });
  const group = within(card).getByRole("radiogroup", { name: "Answer" });
  expect(
    within(group)
      .getAllByRole("radio")
      .map((radio) => [radio.getAttribute("aria-label"), radio.getAttribute("aria-checked")]),
  ).toEqual([
    ["10 seconds", "true"],
    ["No limit", "false"],
    ["A setting", "false"],
  ]);
  expect(within(group).getByRole("radio", { name: "10 seconds" })).toHaveAccessibleDescription(
    "As the client",
  );
  expect(card).toHaveTextContent("Asked by Copilot in orbit");
  expect(document.activeElement).toBe(document.body);
});

test("a digit chooses, and the shortcut answers", async () => {
  open(request(choices));
  screen.getByRole("group", { name: /^Question/ }).focus();
  await userEvent.keyboard("2");
  expect(screen.getByRole("radio", { name: "No limit" })).toHaveAttribute("aria-checked", "true");
  await userEvent.keyboard("{ArrowDown}");
  expect(screen.getByRole("radio", { name: "A setting" })).toHaveFocus();
  control?.allowOnce();
  await waitFor(() => expect(sent()).toEqual([{ choices: [2], text: "" }]));
});

test("input right after the card has appeared is ignored", () => {
  applyEvents(chatEvent("c", { folder: "/code/orbit" }), { permission: request(choices) });
  render(() => <QuestionCards request={request(choices)} folder="/code/orbit" waiting={1} />);
  screen.getByRole("button", { name: "Answer" }).click();
  screen.getByRole("button", { name: "Skip" }).click();
  expect(app.AnswerQuestion).not.toHaveBeenCalled();
  expect(app.SkipQuestion).not.toHaveBeenCalled();
});

test("the user's own answer replaces the choice, and Enter sends it", async () => {
  open(request(choices));
  screen.getByRole("group", { name: /^Question/ }).focus();
  await userEvent.keyboard("4");
  expect(screen.getByRole("textbox", { name: "Your own answer" })).toHaveFocus();
  expect(screen.getByRole("radio", { name: "10 seconds" })).toHaveAttribute("aria-checked", "false");
  await userEvent.keyboard("5 minutes, 2 at night{Enter}");
  await waitFor(() => expect(sent()).toEqual([{ choices: [], text: "5 minutes, 2 at night" }]));
});

test("several answers are checkboxes", async () => {
  open(request({ ...choices, several: true, choices: choices.choices?.map(({ label }) => ({ label })) }));
  const group = screen.getByRole("group", { name: "Answer" });
  await userEvent.click(within(group).getByRole("checkbox", { name: "A setting" }));
  await userEvent.click(within(group).getByRole("checkbox", { name: "10 seconds" }));
  await userEvent.click(screen.getByRole("button", { name: "Answer" }));
  expect(sent()).toEqual([{ choices: [0, 2], text: "" }]);
});

test("an answer with a problem stays, with the problem announced and focused", async () => {
  app.AnswerQuestion.mockResolvedValueOnce([{ name: "", message: "Choose an answer." }]);
  open(request({ ...choices, choices: [{ label: "a" }, { label: "b" }] }));
  await userEvent.click(screen.getByRole("button", { name: "Answer" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Choose an answer.");
  expect(screen.getByRole("radio", { name: "a" })).toHaveFocus();
});

test("a form is filled in with its defaults, and sent with all values", async () => {
  open(request(form));
  const card = screen.getByRole("group", { name: "Form: Details for the new database" });
  expect(within(card).getByRole("combobox", { name: "Region" })).toHaveValue("fra");
  expect(within(card).getByRole("switch", { name: "Daily backup" })).toBeChecked();
  expect(card).toHaveTextContent("5 to 500");
  expect(card).toHaveTextContent("These answers are sent to Copilot as entered. Never type a password here.");
  await userEvent.type(within(card).getByRole("textbox", { name: "Name" }), "orbit");
  await userEvent.click(within(card).getByRole("checkbox", { name: "pgvector" }));
  await userEvent.click(within(card).getByRole("radio", { name: "Large" }));
  await userEvent.click(within(card).getByRole("switch", { name: "Daily backup" }));
  await userEvent.click(within(card).getByRole("button", { name: "Send answers" }));
  expect(sent()).toEqual([
    {
      values: [
        { name: "name", values: ["orbit"] },
        { name: "size", values: ["20"] },
        { name: "region", values: ["fra"] },
        { name: "tier", values: ["l"] },
        { name: "extensions", values: ["v"] },
        { name: "backup", values: ["false"] },
        { name: "mail", values: [] },
      ],
    },
  ]);
});

test("a problem is shown at its field: on leaving it, and for the first one on sending", async () => {
  const problems = [
    { name: "name", message: "Fill in this field." },
    { name: "mail", message: "Enter an email address, such as name@example.com." },
  ];
  app.CheckAnswer.mockResolvedValue(problems);
  app.AnswerQuestion.mockResolvedValue(problems);
  open(request(form));
  const name = screen.getByRole("textbox", { name: "Name" });
  const mail = screen.getByRole("textbox", { name: "Owner email optional" });
  await userEvent.type(mail, "x");
  await userEvent.tab();
  await waitFor(() =>
    expect(mail).toHaveAccessibleDescription("Enter an email address, such as name@example.com."),
  );
  expect(mail).toBeInvalid();
  expect(name).toBeValid();
  await userEvent.click(screen.getByRole("button", { name: "Send answers" }));
  await waitFor(() => expect(name).toHaveFocus());
  expect(name).toBeInvalid();
});

test("several questions have steps, and keep what was entered", async () => {
  open(
    request(choices),
    request({ text: "Which region?", freeText: true }, { id: "r", createdAt: 2 }),
    request({ text: "Which branch?", freeText: true }, { id: "s", createdAt: 3 }),
  );
  await userEvent.click(screen.getByRole("radio", { name: "No limit" }));
  expect(screen.getByText("1 of 3")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Previous question" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "Next question" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Your answer" }), "Frankfurt");
  vi.advanceTimersByTime(guardMillis + 1);
  await userEvent.click(screen.getByRole("button", { name: "Answer" }));
  expect(app.AnswerQuestion).toHaveBeenCalledWith("r", { choices: [], text: "Frankfurt" });
  await userEvent.click(screen.getByRole("button", { name: "Previous question" }));
  expect(screen.getByRole("radio", { name: "No limit" })).toHaveAttribute("aria-checked", "true");
});

test("hidden characters of a question are shown by name", () => {
  open(request({ text: "Pay \u202e$1?", choices: [{ label: "a\u202eb" }] }));
  expect(screen.getByRole("heading")).toHaveTextContent("Pay [U+202E]$1?");
  expect(screen.getByRole("radio", { name: "a[U+202E]b" })).toBeInTheDocument();
});

test("a closed question can be answered in a message", async () => {
  const item = { id: "i", chatId: "c", kind: "tool" as const, pos: 1, createdAt: 1, turnId: "t" };
  applyEvents(chatEvent("c"), {
    permission: request({ ...choices, outcome: "away" }, { state: "closed", decision: "closed" }),
  });
  render(() => <ClosedQuestion item={item} />);
  expect(screen.getByText(/You didn't answer in time/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Answer in a message" }));
  expect(composer.draft("c").text).toBe("You asked: How long should late callers wait?\nMy answer: ");
});

test("an answered question shows the answer and needs no message", () => {
  const item = { id: "i", chatId: "c", kind: "tool" as const, pos: 1, createdAt: 1, turnId: "t" };
  const values = [
    { name: "name", values: ["orbit"] },
    { name: "extensions", values: ["v"] },
    { name: "backup", values: ["true"] },
  ];
  applyEvents(chatEvent("c"), {
    permission: request({ ...form, outcome: "answered", answer: { values } }, { state: "decided" }),
  });
  render(() => <ClosedQuestion item={item} />);
  const text = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
  expect([text("Name"), text("Extensions"), text("Daily backup"), text("Owner email")]).toEqual([
    "orbit",
    "pgvector",
    "Yes",
    "not filled in",
  ]);
  expect(screen.queryByRole("button")).toBeNull();
});

const page: QuestionPage = { id: "e", before: "https://", host: "sentry.io", after: "/oauth?client=a%2Fb" };
const address = "https://sentry.io/oauth?client=a%2Fb";
const site = (more: Partial<QuestionPage> = {}): Question => ({
  text: "Sign in to sentry",
  elicited: true,
  page: { ...page, ...more },
});

test("a web page shows its whole address, and opens exactly that on a click", async () => {
  open(request(site()));
  const card = screen.getByRole("group", { name: "Web page: Sign in to sentry" });
  expect(within(card).getByRole("region", { name: "Web address" })).toHaveTextContent(address);
  expect(card).toHaveTextContent("You enter passwords on sentry.io, not here.");
  await userEvent.click(within(card).getByRole("button", { name: "Copy address" }));
  expect(app.Copy).toHaveBeenCalledWith(address);
  expect(app.OpenURL).not.toHaveBeenCalled();
  await userEvent.click(within(card).getByRole("button", { name: "Open in browser" }));
  expect(app.OpenURL).toHaveBeenCalledWith(address);
  await waitFor(() => expect(sent()).toEqual([{}]));
});

test("the agent gets no answer if the browser couldn't be opened", async () => {
  app.OpenURL.mockRejectedValueOnce(new Error("no browser"));
  open(request(site()));
  await userEvent.click(screen.getByRole("button", { name: "Open in browser" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("no browser");
  expect(app.AnswerQuestion).not.toHaveBeenCalled();
});

test("a suspicious address is opened only after a second confirmation", async () => {
  open(request(site({ before: "http://", doubts: ["It isn't encrypted."] })));
  const card = screen.getByRole("group", { name: "Web page: This address isn't what it looks like" });
  expect(card).toHaveTextContent("It isn't encrypted.");
  expect(card).toHaveTextContent("Copilot says: Sign in to sentry");
  expect(within(card).getByRole("button", { name: "Decline" })).toHaveClass("primary");
  control?.allowOnce(); // the shortcut doesn't open it
  await userEvent.click(within(card).getByRole("button", { name: "Open anyway…" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Open sentry.io anyway?");
  await userEvent.click(within(card).getByRole("button", { name: "Open in browser" })); // too early
  expect(app.OpenURL).not.toHaveBeenCalled();
  vi.advanceTimersByTime(guardMillis + 1);
  await userEvent.click(within(card).getByRole("button", { name: "Open in browser" }));
  expect(app.OpenURL).toHaveBeenCalledWith("http://sentry.io/oauth?client=a%2Fb");
});

test("an address with a user name can only be declined", async () => {
  open(
    request(site({ before: "https://github.com@", doubts: ["The site is sentry.io."], neverOpens: true })),
  );
  expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual(["Decline"]);
  await userEvent.click(screen.getByRole("button", { name: "Decline" }));
  expect(app.SkipQuestion).toHaveBeenCalled();
});

test("a text is confirmed or declined", async () => {
  open(request({ text: "Delete the branch?", elicited: true }));
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("button", { name: "Decline" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(sent()).toEqual([{ choices: [], text: "" }]));
});

test("the row of an opened page opens it again", async () => {
  const item = { id: "i", chatId: "c", kind: "tool" as const, pos: 1, createdAt: 1, turnId: "t" };
  applyEvents(chatEvent("c"), {
    permission: request({ ...site(), outcome: "answered" }, { state: "decided" }),
  });
  render(() => <ClosedQuestion item={item} />);
  await userEvent.click(screen.getByRole("button", { name: "Open again" }));
  expect(app.OpenURL).toHaveBeenCalledWith(address);
});

test("what was entered survives a reload until the question ends", async () => {
  const asked = request({ text: "Which region?", freeText: true });
  applyEvents(chatEvent("c", { folder: "/code/orbit" }), { permission: asked });
  render(() => <QuestionCards request={asked} folder="/code/orbit" waiting={1} />);
  await userEvent.type(screen.getByRole("textbox"), "Frankfurt");
  vi.resetModules(); // a new copy of the module has nothing in memory, as after a reload
  const { enteredFor } = await import("../../state/questionAnswers");
  expect(enteredFor(asked).text).toBe("Frankfurt");
  applyEvents({ permission: { ...asked, state: "closed" } });
  expect(sessionStorage.getItem("voxpilot.answers")).not.toContain("Frankfurt");
});
