import { expect, test } from "vitest";
import type { ProtocolMessage } from "../../state/types";
import { filterRows, Log, maxMessages, prettyBody } from "./protocolLog";

const frame = (seq: number, more: Partial<ProtocolMessage>): ProtocolMessage => ({
  seq,
  at: 1,
  size: 10,
  body: "{}",
  ...more,
});

test("a response is named after its request, whoever sent it", () => {
  const rows = new Log().add([
    frame(1, { out: true, method: "session/load", id: "1" }),
    frame(2, { method: "session/request_permission", id: "1" }),
    frame(3, { out: true, id: "1" }),
    frame(4, { id: "1", error: true, body: '{"error":{"message":"no","code":-32000}}' }),
    frame(5, { id: "9" }),
    frame(6, { method: "session/update", body: '{"params":{"update":{"sessionUpdate":"tool_call"}}}' }),
  ]);
  expect(rows.map((row) => row.text)).toEqual([
    "session/load",
    "session/request_permission",
    "session/request_permission result",
    "session/load error -32000",
    "response",
    "session/update tool_call",
  ]);
});

test("the log adds each message once and drops the oldest", () => {
  const log = new Log();
  log.add([frame(1, { method: "a" }), frame(2, { method: "b" })]);
  log.add([frame(2, { method: "b" }), frame(3, { method: "c" })]);
  expect(log.last).toBe(3);
  const rows = log.add(Array.from({ length: maxMessages }, (_, n) => frame(n + 4, { method: "d" })));
  expect(rows).toHaveLength(maxMessages);
  expect(rows[0]?.message.seq).toBe(4);
});

test("messages are found by name and content", () => {
  const rows = new Log().add([
    frame(1, { method: "initialize" }),
    frame(2, { method: "session/new", body: '{"cwd":"/Home"}' }),
  ]);
  expect(filterRows(rows, " INIT ").map((row) => row.message.seq)).toEqual([1]);
  expect(filterRows(rows, "/home").map((row) => row.message.seq)).toEqual([2]);
  expect(filterRows(rows, "")).toBe(rows);
});

test("a message is formatted, and a truncated one is left unchanged", () => {
  const lines = prettyBody('{"title":"a \\"b\\": c","n":[1]}');
  expect(lines.map((line) => line.map((run) => run.text).join(""))).toEqual([
    "{",
    '  "title": "a \\"b\\": c",',
    '  "n": [',
    "    1",
    "  ]",
    "}",
  ]);
  expect(lines[1]?.map((run) => run.class)).toEqual(["", "a-blue", "", "a-green", ""]);
  expect(
    prettyBody('{"cut": "he')
      .flat()
      .map((run) => run.text)
      .join(""),
  ).toBe('{"cut": "he');
});
