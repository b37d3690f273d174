package store

import (
	"github.com/voxpilot/voxpilot/backend"
)

// recovery puts right what an app that died has left behind. ?1 is the present.
var recovery = []string{
	`UPDATE turns SET state = 'interrupted', ended_at = ?1 WHERE state = 'running'`,

	`UPDATE items SET tool = json_set(tool, '$.decision', 'closed')
	 WHERE tool IS NOT NULL AND id IN (SELECT item_id FROM permissions WHERE state = 'open')`,
	`UPDATE permissions SET state = 'closed', decision = 'closed', decided_at = ?1 WHERE state = 'open'`,

	`UPDATE items SET tool = json_set(tool, '$.status', 'cancelled')
	 WHERE open = 1 AND tool ->> '$.status' IN ('pending', 'in_progress')`,
	`UPDATE items SET open = 0, ended_at = ?1 WHERE open = 1`,

	`UPDATE queued SET paused = 1 WHERE paused = 0`,
	`UPDATE acp_sessions SET state = 'away' WHERE state = 'loaded'`,
	`UPDATE chats SET turn_state = 'interrupted', turn_since = ?1, detail = '' WHERE turn_state = 'running'`,
}

// recover runs at every start. After a clean end it finds nothing to do.
func (s *Store) recover() error {
	return s.transaction(false, func(w *writer) error {
		now := backend.Now()
		for _, statement := range recovery {
			if err := w.exec(statement, now); err != nil {
				return err
			}
		}
		return nil
	})
}
