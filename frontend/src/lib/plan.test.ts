import { expect, test } from "vitest";
import { joinPlan, numbersOf, type PlanPart, parsePlan, planTextOf, stepCount } from "./plan";

const texts = (parts: readonly PlanPart[]) => parts.map(({ kind, text }) => `${kind}: ${text}`);

test("list items are steps, and the rest is text", () => {
  const plan =
    "# Fix\n\nFirst some words\nin two lines.\n\n1. One `a.go`\n2. Two\n   - nested\n\n   more\n3. Three\n\nAt the end.";
  const parts = parsePlan(plan);
  expect(texts(parts)).toEqual([
    "text: # Fix",
    "text: First some words\nin two lines.",
    "step: One `a.go`",
    "step: Two\n- nested\n\nmore",
    "step: Three",
    "text: At the end.",
  ]);
  expect(stepCount(parts)).toBe(3);
  expect(numbersOf(parts)).toEqual([0, 0, 1, 2, 3, 0]);
  expect(joinPlan(parts).text).toBe(plan);
  expect(joinPlan(parts).lines).toEqual([1, 3, 6, 7, 11, 13]);
});

test("code in a plan is one part, whatever it contains", () => {
  const plan =
    "- Run it\n  ```sh\n  - not a step\n\n  1. neither\n  ```\n- Done\n\n```\n# no heading\n\n- no step\n```";
  expect(texts(parsePlan(plan))).toEqual([
    "step: Run it\n```sh\n- not a step\n\n1. neither\n```",
    "step: Done",
    "text: ```\n# no heading\n\n- no step\n```",
  ]);
  expect(joinPlan(parsePlan(plan)).text).toBe(plan);
});

test("an unchanged plan is returned exactly as it was", () => {
  for (const plan of [
    "1. a\n1. b\n5) c",
    "*  a\n\n\n*  b",
    "a\n1. b",
    "\t- x",
    "1.",
    "```\nunclosed\n- a",
    "- a\n\n\n",
    "<b>x</b>",
  ])
    expect(planTextOf(plan, parsePlan(plan)).text).toBe(plan);
});

test("steps are numbered again after a change", () => {
  const [a, b, c] = parsePlan("1. a\n1. b\n1. c") as [PlanPart, PlanPart, PlanPart];
  expect(joinPlan([c, { ...a, text: "new\nlines" }, b]).text).toBe("1. c\n2. new\n   lines\n3. b");
  expect(joinPlan([b, { ...a, kind: "text", marker: "", text: "words" }]).text).toBe("1. b\n\nwords");
});

test("a comment stays with its step when the whole plan is edited as text", () => {
  const before = parsePlan("- a\n- b").map((part) => ({ ...part, comment: part.text === "b" ? "why?" : "" }));
  const after = parsePlan("- new\n- a\n- b", before);
  expect(after.map(({ comment }) => comment)).toEqual(["", "", "why?"]);
  expect(new Set([...before, ...after].map(({ id }) => id)).size).toBe(5);
});

test("a line number points at the part in the plan as sent", () => {
  const plan = "Intro\n\n\n\n1. a\n1. b";
  const { text, lines } = planTextOf(plan, parsePlan(plan));
  expect(lines.map((line) => text.split("\n")[line - 1])).toEqual(["Intro", "1. a", "1. b"]);
});

test("a plan of many lines is split quickly", () => {
  const parts = parsePlan("- a\n".repeat(16_000));
  expect(parts).toHaveLength(16_000);
});
