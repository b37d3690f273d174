// The counterpart of VoxPilot in the benchmark agent.ingest.node: it processes an agent's output in Node
// with the official SDK. It reads the same bytes, decodes them, merges events that arrive within the same
// interval, stores the same rows and builds the same batches for a window.
//
// Its argument is JSON: {agent, database, chat, folder, greeting, prompt}. It prompts the agent with the
// greeting, then with the prompt, and prints the milliseconds from the second prompt until all output is
// stored and emitted.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { Store } from "./store.mjs";

const config = JSON.parse(process.argv[2]);
const store = new Store(config.database);

/** The same limits as in backend/eventbus and backend/event.go. */
const flushMillis = 16;
const maxBatch = 8000;
const maxText = 4096;

// — Events queued until the next commit, merged by subject.

let queue = new Map();
let timer;
let committed = 0;
let first = 1;
let emitted = 0;

function publish(key, event) {
	const known = queue.get(key);
	if (known?.text && event.text) known.text.text += event.text.text;
	else if (known) Object.assign(known, event);
	else queue.set(key, event);
	timer ??= setTimeout(() => commit(false), Math.max(0, committed + flushMillis - performance.now()));
}

function commit(durable) {
	clearTimeout(timer);
	timer = undefined;
	const events = [...queue.values()];
	queue = new Map();
	if (events.length > 0) {
		store.apply(events, durable);
		emitBatches(events);
	}
	committed = performance.now();
}

/** emitBatches builds the batches for a window and counts their bytes. */
function emitBatches(events) {
	let batch = [];
	let size = 0;
	const flush = () => {
		if (batch.length === 0) return;
		emitted += JSON.stringify({ run: "bench", first, events: batch }).length;
		first += batch.length;
		batch = [];
		size = 0;
	};
	for (const event of events) {
		for (const part of split(event)) {
			const length = JSON.stringify(part).length;
			if (size + length > maxBatch - 100) flush();
			batch.push(part);
			size += length;
		}
	}
	flush();
}

/**
 * split yields an event as a window receives it: long text in several pieces, and content without its
 * body, which the window loads separately.
 */
function* split(event) {
	if (event.content) {
		yield { content: event.content };
	} else if (event.text && event.text.text.length > maxText) {
		const { text, ...rest } = event.text;
		for (let at = 0; at < text.length; at += maxText) yield { text: { ...rest, text: text.slice(at, at + maxText) } };
	} else {
		yield event;
	}
}

// — Converting the agent's output to items.

const now = () => Date.now();
const session = { chatId: config.chat, acpId: "", cwd: config.folder, used: 0, size: 0, createdAt: now(), usedAt: now() };
let turn;
let text; // the streaming item
let plan;
let tools = new Map();

function item(kind, more) {
	return { id: randomUUID(), chatId: config.chat, turnId: turn.id, kind, open: true, createdAt: now(), endedAt: 0, ...more };
}

const publishItem = (i) => publish(`item ${i.id} ${i.tool ? "" : i.open}`, { item: { ...i, tool: i.tool && { ...i.tool } } });

function appendText(kind, piece) {
	if (text?.kind !== kind) {
		closeText();
		text = item(kind);
		publishItem(text);
	}
	publish(`text ${text.id}`, { text: { itemId: text.id, chatId: config.chat, offset: 0, text: piece, size: 0 } });
}

function close(i) {
	i.open = false;
	i.endedAt = now();
	publishItem(i);
}

function closeText() {
	if (text) close(text);
	text = undefined;
}

function tool(update) {
	let known = tools.get(update.toolCallId);
	if (!known) {
		closeText();
		known = { item: item("tool", { tool: { callId: update.toolCallId, title: "", kind: "other", status: "pending" } }), slots: [] };
		tools.set(update.toolCallId, known);
	}
	const t = known.item.tool;
	t.title = update.title ?? t.title;
	t.kind = update.kind ?? t.kind;
	t.status = update.status ?? t.status;
	t.path = update.locations?.[0]?.path ?? t.path;
	t.command = update.rawInput?.command?.split("\n", 1)[0] ?? t.command;
	known.item.open = t.status === "pending" || t.status === "in_progress";
	if (!known.item.open) known.item.endedAt = now();
	publishItem(known.item);
	update.content?.forEach((c, n) => {
		content(known, n, c);
	});
}

function content(known, n, c) {
	const [body, facts] = c.type === "diff" ? diff(c) : [c.content.text, { type: known.item.tool.kind === "execute" ? "terminal" : "text", path: "" }];
	known.slots[n] ??= { content: { id: randomUUID(), itemId: known.item.id, chatId: config.chat, version: 0, added: 0, removed: 0 } };
	const slot = known.slots[n];
	if (slot.body === body) return;
	slot.body = body;
	const bytes = Buffer.from(body);
	Object.assign(slot.content, facts, { size: bytes.length, lines: body.split("\n").length - 1 });
	slot.content.version++;
	publish(`content ${slot.content.id}`, { content: { ...slot.content }, body: bytes });
}

/** diff returns a unified diff that spans from the first to the last line that differs. */
function diff(c) {
	const before = (c.oldText ?? "").split("\n");
	const after = c.newText.split("\n");
	let head = 0;
	while (head < before.length && head < after.length && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
	const removed = before.slice(head, before.length - tail);
	const added = after.slice(head, after.length - tail);
	const lines = [
		`--- ${c.path}`,
		`+++ ${c.path}`,
		`@@ -${head + 1},${removed.length} +${head + 1},${added.length} @@`,
		...removed.map((l) => `-${l}`),
		...added.map((l) => `+${l}`),
		"",
	];
	return [lines.join("\n"), { type: "diff", path: c.path, added: added.length, removed: removed.length }];
}

function applyUpdate(update) {
	switch (update.sessionUpdate) {
		case "agent_message_chunk":
			appendText("message", update.content.text);
			break;
		case "agent_thought_chunk":
			appendText("thought", update.content.text);
			break;
		case "tool_call":
		case "tool_call_update":
			tool(update);
			break;
		case "plan":
			plan ??= item("plan");
			plan.plan = update.entries.map(({ content, status }) => ({ content, status }));
			publishItem(plan);
			break;
		case "usage_update":
			Object.assign(session, { used: update.used, size: update.size, usedAt: now() });
			publish("session", { session });
			break;
	}
}

// — The two prompts.

/** prompt sends a user message and resolves once all output is stored and emitted. */
async function prompt(agent, message) {
	turn = { id: randomUUID(), chatId: config.chat, state: "running", stopReason: "", startedAt: now(), endedAt: 0 };
	const chat = { id: config.chat, turnState: "running", turnSince: now(), updatedAt: now() };
	const userItem = item("user", { open: false, endedAt: now() });
	publish("turn", { turn });
	publishItem(userItem);
	publish(`text ${userItem.id}`, { text: { itemId: userItem.id, chatId: config.chat, offset: 0, text: message, size: 0 } });
	publish("chat", { chat });
	commit(true);
	const { stopReason } = await agent.request(methods.agent.session.prompt, {
		sessionId: session.acpId,
		prompt: [{ type: "text", text: message }],
	});
	closeText();
	if (plan) close(plan);
	plan = undefined;
	tools = new Map();
	publish("turn", { turn: { ...turn, state: "done", stopReason, endedAt: now() } });
	publish("chat", { chat: { ...chat, turnState: "done", turnSince: now(), updatedAt: now() } });
	commit(false);
}

const child = spawn(config.agent, { stdio: ["pipe", "pipe", "inherit"] });
const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
await client({ name: "bench" })
	.onNotification(methods.client.session.update, ({ params }) => applyUpdate(params.update))
	.connectWith(stream, async (agent) => {
		await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
		session.acpId = (await agent.request(methods.agent.session.new, { cwd: config.folder, mcpServers: [] })).sessionId;
		publish("session", { session });
		await prompt(agent, config.greeting);
		const started = performance.now();
		await prompt(agent, config.prompt);
		console.log(JSON.stringify({ ms: performance.now() - started, emitted }));
	});
child.stdin.end();
store.close();
