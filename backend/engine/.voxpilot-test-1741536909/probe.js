
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "probe", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "touch", description: "Creates a file.", inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } }] }),
  "tools/call": ({ arguments: { path } }) => { require("fs").writeFileSync(path, ""); return { content: [{ type: "text", text: "done" }] }; },
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  let answer;
  try {
    answer = { result: (answers[method] ?? (() => ({})))(params) };
  } catch (e) {
    answer = { result: { isError: true, content: [{ type: "text", text: String(e) }] } };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n");
});
