// Stores rows as VoxPilot does, in a database created by VoxPilot: the same tables and pragmas, and one
// transaction per batch. Statements are prepared once.

import Database from "libsql";

/** Maximum size in bytes of one stored row of text or of a body, as in backend/store. */
const maxChunk = 64 * 1024;

const pragmas = [
	"busy_timeout = 5000",
	"journal_mode = wal",
	"synchronous = normal",
	"foreign_keys = on",
	"journal_size_limit = 67108864",
];

export class Store {
	constructor(file) {
		this.db = new Database(file);
		for (const pragma of pragmas) this.db.exec(`PRAGMA ${pragma}`);
		this.durable = false;
		this.positions = new Map(); // by item
		this.sizes = new Map(); // text sizes by item
		const prepare = (sql) => this.db.prepare(sql);
		this.insertItem = prepare(`INSERT INTO items (id, chat_id, turn_id, parent_id, session, kind, open,
			created_at, ended_at, tool, plan, banner, has_error, pos) VALUES (?, ?, ?, '', 'main', ?, ?, ?, ?, ?, ?, NULL, 0, ?)`);
		this.updateItem = prepare("UPDATE items SET open = ?, ended_at = ?, tool = ?, plan = ? WHERE id = ?");
		this.insertText = prepare("INSERT INTO texts (item_id, offset, body) VALUES (?, ?, ?)");
		this.countTexts = prepare("SELECT count(*) AS n FROM texts WHERE item_id = ?");
		this.readTexts = prepare("SELECT body FROM texts WHERE item_id = ? ORDER BY offset");
		this.deleteTexts = prepare("DELETE FROM texts WHERE item_id = ?");
		this.upsertContent = prepare(`INSERT INTO contents (id, item_id, chat_id, type, path, mime, size, version, added, removed, lines)
			VALUES (?, ?, ?, ?, ?, '', ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET size = excluded.size, version = excluded.version,
			added = excluded.added, removed = excluded.removed, lines = excluded.lines`);
		this.deleteBody = prepare("DELETE FROM content_bodies WHERE content_id = ?");
		this.insertBody = prepare("INSERT INTO content_bodies (content_id, offset, body) VALUES (?, ?, ?)");
		this.upsertTurn = prepare(`INSERT INTO turns (id, chat_id, session, state, stop_reason, error, started_at, ended_at)
			VALUES (?, ?, 'main', ?, ?, NULL, ?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state,
			stop_reason = excluded.stop_reason, ended_at = excluded.ended_at`);
		this.updateChat = prepare("UPDATE chats SET turn_state = ?, turn_since = ?, updated_at = ? WHERE id = ?");
		this.upsertSession = prepare(`INSERT INTO acp_sessions (chat_id, name, acp_id, cwd, home, had_prompt, state, mode, allow_all,
			modes, commands, used, size, created_at, used_at) VALUES (?, 'main', ?, ?, '', 1, 'loaded', '', 0, NULL, NULL, ?, ?, ?, ?)
			ON CONFLICT (chat_id, name) DO UPDATE SET used = excluded.used, size = excluded.size, used_at = excluded.used_at`);
	}

	/** apply writes events in order in one transaction. */
	apply(events, durable) {
		if (durable !== this.durable) {
			this.db.exec(`PRAGMA synchronous = ${durable ? "full" : "normal"}`);
			this.durable = durable;
		}
		this.db.exec("BEGIN IMMEDIATE");
		for (const event of events) this.write(event);
		this.db.exec("COMMIT");
	}

	write(event) {
		if (event.text) this.text(event.text);
		else if (event.item) this.item(event.item);
		else if (event.content) this.content(event.content, event.body);
		else if (event.turn) {
			const t = event.turn;
			this.upsertTurn.run(t.id, t.chatId, t.state, t.stopReason, t.startedAt, t.endedAt);
		} else if (event.chat) {
			const c = event.chat;
			this.updateChat.run(c.turnState, c.turnSince, c.updatedAt, c.id);
		} else if (event.session) {
			const s = event.session;
			this.upsertSession.run(s.chatId, s.acpId, s.cwd, s.used, s.size, s.createdAt, s.usedAt);
		}
	}

	text(t) {
		const body = Buffer.from(t.text);
		t.offset = this.sizes.get(t.itemId) ?? 0;
		this.insertChunks(this.insertText, t.itemId, t.offset, body);
		t.size = t.offset + body.length;
		this.sizes.set(t.itemId, t.size);
	}

	insertChunks(insert, owner, offset, body) {
		for (let at = 0; at < body.length; at += maxChunk) insert.run(owner, offset + at, body.subarray(at, at + maxChunk));
	}

	item(i) {
		const tool = i.tool ? JSON.stringify(i.tool) : null;
		const plan = i.plan ? JSON.stringify(i.plan) : null;
		i.pos = this.positions.get(i.id);
		if (i.pos) this.updateItem.run(Number(i.open), i.endedAt, tool, plan, i.id);
		else {
			i.pos = this.positions.size + 1;
			this.positions.set(i.id, i.pos);
			this.insertItem.run(i.id, i.chatId, i.turnId, i.kind, Number(i.open), i.createdAt, i.endedAt, tool, plan, i.pos);
		}
		if (!i.open && !i.tool) this.compact(i.id);
	}

	/** compact merges the many short rows of a streamed text into a few long ones. */
	compact(itemId) {
		const size = this.sizes.get(itemId) ?? 0;
		if (this.countTexts.get(itemId).n <= Math.ceil(size / maxChunk)) return;
		const whole = Buffer.concat(this.readTexts.all(itemId).map((row) => Buffer.from(row.body)));
		this.deleteTexts.run(itemId);
		this.insertChunks(this.insertText, itemId, 0, whole);
	}

	content(c, body) {
		this.upsertContent.run(c.id, c.itemId, c.chatId, c.type, c.path, c.size, c.version, c.added, c.removed, c.lines);
		this.deleteBody.run(c.id);
		this.insertChunks(this.insertBody, c.id, 0, body);
	}

	close() {
		this.db.close();
	}
}
