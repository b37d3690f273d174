// A test agent that speaks ACP and streams as fast as a test needs:
//
//   flood     one chunk of text per millisecond, until stopped
//   flood N   N chunks immediately, then as above
//   lines N   an answer of N short paragraphs, in a single chunk
//
// Chunks are numbered: word-1, word-2, … Forty form a paragraph, and every fifth paragraph is code.
// `longchat -agent` (internal/longchat) creates a chat that uses this agent.

import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const say = (sessionId, text) =>
  send({
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });

const perParagraph = 40;
const perSecond = 1000;

/** chunk returns the nth chunk of a flood. */
function chunk(n) {
  const [paragraph, word] = [Math.floor(n / perParagraph), n % perParagraph];
  const isCode = paragraph % 5 === 4;
  const begins = word > 0 ? "" : isCode ? "\n\n```\n" : "\n\n";
  const ends = isCode ? (word === perParagraph - 1 ? "\n```" : word % 8 === 7 ? "\n" : "") : "";
  return `${begins}word-${n + 1} ${ends}`;
}

let stop = () => {};

/** flood sends `atOnce` chunks and then streams until `stop` is called. If the timer is late, it catches up. */
function flood(sessionId, atOnce, ended) {
  const started = performance.now() - (atOnce * 1000) / perSecond;
  let said = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - started) * perSecond) / 1000;
    while (said < due) say(sessionId, chunk(said++));
  }, 4);
  stop = () => {
    clearInterval(timer);
    stop = () => {};
    ended("cancelled");
  };
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const answer = (result) => send({ id, result });
    if (method === "session/cancel") stop();
    if (id === undefined || !method) return;
    if (method === "initialize") {
      answer({
        protocolVersion: 1,
        agentInfo: { name: "flood", version: "1.0.0" },
        agentCapabilities: { loadSession: true },
      });
    } else if (method === "session/new") answer({ sessionId: "flood-1" });
    else if (method === "session/load") answer({});
    else if (method === "session/prompt") {
      const text = params.prompt.map((part) => part.text ?? "").join("\n");
      const wanted = /^flood ?(\d*)$/m.exec(text);
      if (wanted) return flood(params.sessionId, Number(wanted[1]), (stopReason) => answer({ stopReason }));
      const lines = Number(/^lines (\d+)$/m.exec(text)?.[1] ?? 1);
      say(
        params.sessionId,
        Array.from({ length: lines }, (_, n) => `Line ${n + 1} of ${lines}.\n\n`).join(""),
      );
      answer({ stopReason: "end_turn" });
    } else send({ id, error: { code: -32601, message: "Method not found" } });
  })
  .on("close", () => process.exit(0));
