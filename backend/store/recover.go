package store

import (
	"github.com/voxpilot/voxpilot/backend"
)

// recoveryStatements repair the state that was left when the app quit or crashed. ?1 is the current time.
//
// If a running turn was never sent, no agent has received it: its message returns to the head of the queue under the
// same ID. A turn that was sent is kept as interrupted, because the agent may have acted on it. A delegated turn is
// always interrupted: the delegating turn is interrupted, too, or returns to the queue and delegates again.
var recoveryStatements = []string{
	`INSERT INTO queued (id, chat_id, text, attachments, pos, paused, created_at)
	 SELECT items.id, items.chat_id,
	     coalesce((SELECT group_concat(CAST(body AS TEXT), '' ORDER BY offset) FROM texts WHERE item_id = items.id), ''),
	     items.attachments,
	     coalesce((SELECT min(pos) FROM queued AS waiting WHERE waiting.chat_id = items.chat_id), 1) - 1,
	     1, items.created_at
	 FROM turns JOIN items ON items.chat_id = turns.chat_id AND items.turn_id = turns.id
	 WHERE turns.state = 'running' AND turns.sent_at = 0 AND turns.block_id = '' AND items.kind = 'user'`,
	`DELETE FROM search WHERE rowid IN (SELECT rowid FROM items WHERE id IN (SELECT id FROM queued))`,
	`DELETE FROM items WHERE id IN (SELECT id FROM queued)`,
	`UPDATE items SET turn_id = '' WHERE (chat_id, turn_id) IN
	     (SELECT chat_id, id FROM turns WHERE state = 'running' AND sent_at = 0 AND block_id = '')`,
	`DELETE FROM turns WHERE state = 'running' AND sent_at = 0 AND block_id = ''`,
	`UPDATE turns SET state = 'interrupted', ended_at = ?1 WHERE state = 'running'`,

	`UPDATE items SET tool = json_set(tool, '$.decision', 'closed')
	 WHERE tool IS NOT NULL AND id IN (SELECT item_id FROM permissions WHERE state = 'open')`,
	`UPDATE permissions SET state = 'closed', decision = 'closed', decided_at = ?1 WHERE state = 'open'`,

	// Record how long open tool calls and interrupted turns waited for the user. A delegating turn also waits for the
	// requests of its tasks. Time in which several waits overlap counts once.
	`UPDATE items SET waited = (SELECT ` + waitedSQL + ` WHERE item_id = items.id` + waitedSQLEnd + `) WHERE open = 1 AND kind = 'tool'`,
	`UPDATE turns SET waited = (SELECT ` + waitedSQL + ` WHERE chat_id = turns.chat_id AND (turn_id = turns.id OR turn_id IN (
	     SELECT given.id FROM turns AS given JOIN items ON items.id = given.block_id WHERE items.chat_id = turns.chat_id AND items.turn_id = turns.id
	 ))` + waitedSQLEnd + `) WHERE state = 'interrupted' AND ended_at = ?1`,
	`UPDATE items SET waited = coalesce((SELECT turns.waited FROM turns WHERE turns.block_id = items.id), 0) WHERE open = 1 AND kind = 'block'`,

	`UPDATE items SET tool = json_set(tool, '$.status', 'cancelled')
	 WHERE open = 1 AND tool ->> '$.status' IN ('pending', 'in_progress')`,
	`UPDATE items SET open = 0, ended_at = ?1 WHERE open = 1`,

	`UPDATE queued SET paused = 1 WHERE paused = 0`,

	// Delete images that were attached but never sent and are in no draft.
	`DELETE FROM contents WHERE item_id = '' AND type = 'image' AND id NOT IN (
	     SELECT attached.value ->> '$.contentId' FROM chats, json_each(chats.draft_with) AS attached
	     WHERE draft_with IS NOT NULL AND attached.value ->> '$.contentId' IS NOT NULL
	 )`,
	`UPDATE acp_sessions SET state = 'away' WHERE state = 'loaded'`,
	`UPDATE chats SET (turn_state, turn_since) = (
	     SELECT coalesce(max(state), ''), coalesce(max(ended_at), 0) FROM (
	         SELECT state, ended_at FROM turns WHERE chat_id = chats.id AND block_id = '' AND aside = '' ORDER BY started_at DESC, rowid DESC LIMIT 1
	     )
	 ), detail = '' WHERE turn_state = 'running'`,
}

// waitedSQL and waitedSQLEnd enclose a condition on permission requests. Together, they select the total time in
// milliseconds during which at least one of these requests was open.
const (
	waitedSQL = `coalesce(sum(max(0, decided_at - max(created_at, coalesce(until, 0)))), 0) FROM (
	     SELECT created_at, decided_at,
	         max(decided_at) OVER (ORDER BY created_at, rowid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until
	     FROM permissions`
	waitedSQLEnd = `)`
)

// recover repairs the state that the previous run of the app left. It runs at every start; after a clean exit, there is
// usually nothing to repair.
func (s *Store) recover() error {
	return s.transaction(fast, func(w *writer) error {
		now := backend.Now()
		var open []string
		if err := w.db.Model(&itemRow{}).Where("open = 1").Pluck("id", &open).Error; err != nil {
			return err
		}
		for _, statement := range recoveryStatements {
			if err := w.exec(statement, now); err != nil {
				return err
			}
		}
		for _, id := range open {
			w.touched[id] = true // closed by the recovery
		}
		return w.indexTouched()
	})
}
