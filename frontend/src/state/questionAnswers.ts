// Answers that the user has entered but not sent, by question. They are stored outside the cards, because a card that
// is scrolled far out of view, or that shows another question, is removed from the DOM. They survive a reload of the
// window.

import { createStore, unwrap } from "solid-js/store";
import { type PlanPart, parsePlan } from "../lib/plan";
import type { Event, FieldValue, Permission, Question, QuestionAnswer, QuestionField } from "./types";

/** The entered answer to a question. */
export interface Entered {
  choices: number[];
  /** Whether the user's own answer is chosen. */
  own: boolean;
  text: string;
  /** Values of the fields of a form, by name. */
  values: Record<string, string[]>;
  /** Problems of the answer, by the name of the field; "" for the whole answer. */
  problems: Record<string, string>;
  plan?: PlanDraft;
}

/** A plan as the user has edited it. The text in which the user asks for changes is Entered.text. */
export interface PlanDraft {
  parts: PlanPart[];
  /** The plan while it is edited as text. */
  whole?: string;
  /** Earlier states of `parts`, the newest last. They aren't stored. */
  undo: PlanPart[][];
}

const key = "voxpilot.answers";

/** Maximum number of answers that are stored. The oldest are dropped first. */
const maxStored = 50;

type Stored = Record<string, Omit<Entered, "problems">>;

function load(): Stored {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

/** save stores the entered answer to a question, or removes it. */
function save(id: string, now?: Entered): void {
  const { [id]: _, ...others } = load();
  const all = Object.entries(others);
  if (now) {
    const { problems: __, ...answer } = unwrap(now);
    all.push([id, answer.plan ? { ...answer, plan: { ...unwrap(answer.plan), undo: [] } } : answer]);
  }
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(all.slice(-maxStored))));
  } catch {
    // Without storage, answers are lost on reload.
  }
}

const [entered, setEntered] = createStore<Record<string, Entered>>({});

/** initialValue returns the value of a field before the user changes it. */
function initialValue(field: QuestionField): string[] {
  if (field.default) return [...field.default];
  return field.kind === "boolean" ? ["false"] : [];
}

/** initial returns the answer to a question before the user changes it: the suggested choice, or the form's defaults. */
function initial(question: Question): Entered {
  const suggested = question.choices?.findIndex((choice) => choice.suggested) ?? -1;
  return {
    choices: suggested >= 0 ? [suggested] : [],
    own: !question.choices?.length,
    text: "",
    values: Object.fromEntries((question.fields ?? []).map((field) => [field.name, initialValue(field)])),
    problems: {},
    ...(question.plan ? { plan: { parts: parsePlan(question.plan), undo: [] } } : {}),
  };
}

/** enteredFor returns the entered answer to a question. It is reactive. */
export function enteredFor(request: Permission): Entered {
  if (!entered[request.id])
    setEntered(request.id, { ...initial(request.question as Question), ...load()[request.id] });
  return entered[request.id] as Entered;
}

/** change changes the entered answer to a question. */
export function change(id: string, to: Partial<Entered>): void {
  setEntered(id, to);
  save(id, entered[id]);
}

/** setValue sets the value of a field of a form. */
export function setValue(id: string, name: string, values: string[]): void {
  setEntered(id, "values", name, values);
  save(id, entered[id]);
}

/** setProblem sets the problem of a field, or removes it if it is "". */
export function setProblem(id: string, name: string, problem: string): void {
  setEntered(id, "problems", name, problem);
}

/** forgetEntered discards the entered answer to a question that has ended. */
export function forgetEntered(id: string): void {
  if (entered[id]) setEntered(id, undefined as never);
  if (load()[id]) save(id);
}

/** forgetEnded discards the entered answers to the questions that have ended according to the events. */
export function forgetEnded(events: readonly Event[]): void {
  for (const { permission } of events)
    if (permission?.question && permission.state !== "open") forgetEntered(permission.id);
}

/** answerOf converts the entered answer to the form in which it is sent. */
export function answerOf(question: Question, now: Entered): QuestionAnswer {
  if (question.fields?.length) {
    const values: FieldValue[] = question.fields.map(({ name }) => ({
      name,
      values: [...(now.values[name] ?? [])],
    }));
    return { values };
  }
  return { choices: [...now.choices], text: now.own ? now.text : "" };
}
