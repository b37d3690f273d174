import { render, screen } from "@solidjs/testing-library";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../state/reduce";
import { raw } from "../../state/store";
import type { PlanEntry } from "../../state/types";
import { applyEvents, chatEvent, resetState } from "../../testing";
import { AgentPlan } from "./AgentPlan";

beforeEach(() => {
  resetState();
  openPage(raw(), "c");
});

const turn = (id: string, startedAt: number) => ({
  turn: { id, chatId: "c", session: "main", state: "running" as const, startedAt },
});
const plan = (id: string, turnId: string, entries: PlanEntry[], more: object = {}) => ({
  item: {
    id,
    chatId: "c",
    turnId,
    session: "main",
    kind: "plan" as const,
    createdAt: 1,
    pos: Number(id),
    plan: entries,
    ...more,
  },
});
const states = () => screen.getAllByRole("listitem").map((row) => row.textContent);

test("the plan of the newest answer is shown with the states of its steps, as they change", () => {
  applyEvents(chatEvent("c", {}), turn("old", 1), plan("1", "old", [{ content: "Old", status: "pending" }]));
  render(() => <AgentPlan chatId="c" />);
  expect(states()).toEqual(["Old, to do"]);
  applyEvents(turn("t", 2));
  expect(screen.queryByRole("region")).toBeNull();
  applyEvents(
    plan("2", "t", [
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
    ]),
  );
  expect(screen.getByRole("region", { name: "Plan of this answer" })).toHaveTextContent("1 of 2 done");
  expect(states()).toEqual(["Read, done", "Write, in progress"]);
  applyEvents(plan("2", "t", [{ content: "Write", status: "completed" }]));
  expect(states()).toEqual(["Write, done"]);
});

test("a plan inside a delegated task isn't shown here", () => {
  applyEvents(
    chatEvent("c", {}),
    turn("t", 1),
    plan("1", "t", [{ content: "x", status: "pending" }], { session: "tests", parentId: "b" }),
  );
  render(() => <AgentPlan chatId="c" />);
  expect(screen.queryByRole("region")).toBeNull();
});
