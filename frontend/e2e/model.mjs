// A scripted model endpoint for tests: OpenAI-compatible, on the loopback interface, like a user's own
// model. Its answer depends on the user's newest message:
//
//   stream N [every M ms]   streams N numbered words, one every M ms (10 by default)
//   run <command>           calls the shell tool, then repeats the tool's result
//   edit <file> <a> -> <b>  views and edits the file, then confirms
//   work N <command>        streams N words, runs the command, then confirms
//   delegate <name>: <task> [| <name>: <task>] …
//                           calls copilot_agent for all in parallel, then repeats the results
//   fail <status>           responds with that HTTP status
//   tell <name>             answers with one of the texts given at startup
//   say <text>              repeats the message
//   anything else           answers that no script knows the message
//
// The function `play`, if given, takes precedence over everything but `fail`. It receives the newest message, the
// results of the tool calls after it and the names of the tools, and returns {say} and {calls: [{name, args}]}, or
// nothing to decline.
//
// `onWord` is called with the number of each streamed word after the word has been sent. `stream` also calls it with 0
// before the first word.
//
// Requests with neither a shell tool nor copilot_agent are the CLI's own side requests (such as titles). They get a
// fixed answer.

import { createServer } from "node:http";

export async function startModel({ key = "test-key", models = ["scripted-1"], texts = {}, play } = {}) {
  const seen = [];
  const self = { key, seen, onWord: () => {} };
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: "The key is wrong." } }));
    }
    if (request.url === "/v1/models") {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ data: models.map((id) => ({ id, object: "model" })) }));
    }
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      response.writeHead(404);
      return response.end();
    }
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    seen.push(body);
    await answer(body, response, { texts, play, onWord: (n) => self.onWord(n) });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  self.url = `http://127.0.0.1:${server.address().port}/v1`;
  self.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return self;
}

export const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");

// The CLI adds context to the user's message; a script command is recognized by its
// verb at the start of a line.
const script = /^(stream|run|edit|fail|tell|say|work|delegate) [^\n]*$/gm;

async function answer(body, response, { texts, play, onWord }) {
  const send = (delta, finish = null) =>
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: body.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const tools = new Set((body.tools ?? []).map((tool) => tool.function.name));
  const messages = body.messages;
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const wish = [...textOf(messages[lastUser]?.content).matchAll(script)].at(-1)?.[0] ?? "";
  const results = messages.slice(lastUser + 1).filter((message) => message.role === "tool");

  const status = Number(/^fail (\d+)/.exec(wish)?.[1] ?? 0);
  if (status && tools.has("bash")) {
    response.writeHead(status, { "content-type": "application/json" });
    return response.end(JSON.stringify({ error: { message: `Scripted failure ${status}.` } }));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const callAll = (calls) =>
    send(
      {
        role: "assistant",
        tool_calls: calls.map(({ name, args }, index) => ({
          index,
          id: `call_${messages.length}_${index}`,
          type: "function",
          function: { name, arguments: JSON.stringify(args) },
        })),
      },
      "tool_calls",
    );
  const call = (name, args) => callAll([{ name, args }]);
  const say = (text) => {
    send({ role: "assistant", content: text });
    send({}, "stop");
  };

  const stream = /^stream (\d+)(?: every (\d+))?/.exec(wish);
  const run = /^run (.+)$/.exec(wish);
  const edit = /^edit (\S+) (\S+) -> (\S+)$/.exec(wish);
  const work = /^work (\d+) (.+)$/.exec(wish);
  const delegate = /^delegate (.+)$/.exec(wish);
  // Copilot prefixes the name of an MCP server's tool with the server's name; an orchestrator doesn't.
  const agentTool = [...tools].find((name) => /(^|-)copilot_agent$/.test(name));
  const words = async (count, every) => {
    for (let i = 1; i <= count && !response.destroyed; i++) {
      send({ role: "assistant", content: `${i % 12 === 1 && i > 1 ? "\n\n" : ""}word-${i} ` });
      onWord(i);
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  };
  const played = play?.(textOf(messages[lastUser]?.content), results, tools);
  if (played) {
    if (played.say) send({ role: "assistant", content: played.say });
    if (played.calls) callAll(played.calls);
    else send({}, "stop");
  } else if (!tools.has("bash") && !agentTool) say("A side request.");
  else if (delegate && results.length === 0) {
    callAll(
      delegate[1].split(" | ").map((part) => {
        const [name, task] = part.split(": ");
        return { name: agentTool, args: { session_name: name.trim(), prompt: task.trim() } };
      }),
    );
  } else if (delegate) say(`They returned: ${results.map((each) => textOf(each.content)).join(" / ")}`);
  else if (work && results.length === 0) {
    await words(Number(work[1]), 10);
    call("bash", { command: work[2], description: "Scripted work" });
  } else if (work) say(`The work is done: ${work[2]}`);
  else if (wish.startsWith("tell ")) say(texts[wish.slice(5)]);
  else if (stream) {
    onWord(0);
    await words(Number(stream[1]), Number(stream[2] ?? 10));
    send({}, "stop");
  } else if (run && results.length === 0) call("bash", { command: run[1], description: "Scripted command" });
  else if (run) say(`The command said: ${textOf(results.at(-1).content).trim()}`);
  else if (edit && results.length === 0) call("view", { path: edit[1] });
  else if (edit && results.length === 1) call("edit", { path: edit[1], old_str: edit[2], new_str: edit[3] });
  else if (edit) say("The file is changed.");
  else say(`You said: ${wish || "nothing that a script knows"}`);
  send({ usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  response.end("data: [DONE]\n\n");
}
