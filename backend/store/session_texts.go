package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// SessionLog is a session of the Copilot CLI whose texts are in the search index.
type SessionLog struct {
	ID        int64 // 0 for a session without a row
	Home      string
	SessionID string
	Title     string
	Folder    string
	Offset    int64 // bytes of the log that were read
	Check     int64 // hash of the last bytes before Offset
}

// Row IDs of session texts, and of their rows in the search index, are derived from the texts' times: the newest hits
// then come first without sorting, and a time range is a range of rows. A second has textsPerSecond row IDs. All are
// greater than the row IDs of items.
const (
	firstText      = 1 << 44
	textsPerSecond = 1 << 12
	lastTextSecond = 1<<32 - 1
)

// textRow returns the first row ID for texts of the given time.
func textRow(at backend.Millis) int64 {
	return firstText + min(max(int64(at)/1000, 0), lastTextSecond)*textsPerSecond
}

// SessionLogs returns the sessions of the Copilot CLI whose texts are indexed.
func (s *Store) SessionLogs(ctx context.Context) (logs []SessionLog, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &logs, `SELECT id, home, session_id, title, folder, offset, "check" FROM session_logs`)
	})
	return logs, err
}

// AddSessionTexts stores the state of a session's log together with further texts of the session, and indexes them. A
// title replaces an earlier title. It returns log with its ID. The IDs of the texts are ignored.
func (s *Store) AddSessionTexts(log SessionLog, texts []backend.SessionText) (SessionLog, error) {
	err := s.transaction(fast, func(w *writer) error {
		err := w.conn.QueryRowContext(background, `
INSERT INTO session_logs (home, session_id, title, folder, offset, "check") VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (home, session_id) DO UPDATE SET title = excluded.title, folder = excluded.folder, offset = excluded.offset, "check" = excluded."check"
RETURNING id`, log.Home, log.SessionID, log.Title, log.Folder, log.Offset, log.Check).Scan(&log.ID)
		for i := 0; err == nil && i < len(texts); i++ {
			err = w.addSessionText(log, &texts[i])
		}
		return err
	})
	if err != nil {
		return log, s.failed(backend.Say("VoxPilot couldn't update its search index"), err)
	}
	return log, nil
}

func (w *writer) addSessionText(log SessionLog, t *backend.SessionText) error {
	if t.Kind == backend.HitTitle {
		const old = "SELECT id FROM session_texts WHERE log_id = ? AND kind = 'title'"
		if err := w.exec("DELETE FROM search WHERE rowid IN ("+old+")", log.ID); err != nil {
			return err
		}
		if err := w.exec("DELETE FROM session_texts WHERE id IN ("+old+")", log.ID); err != nil {
			return err
		}
	}
	id, err := w.freeTextRow(t.At)
	if err != nil {
		return err
	}
	err = w.exec("INSERT INTO session_texts (id, log_id, kind, tool, agent, at, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
		id, log.ID, string(t.Kind), string(t.Tool), t.BySubagent, int64(t.At), t.Text)
	if err != nil {
		return err
	}
	var words strings.Builder
	terms.Folded(&words, t.Text)
	return w.exec("INSERT INTO search (rowid, chat, words) VALUES (?, ?, ?)", id, strings.TrimSpace(textMarks(t)), words.String())
}

// freeTextRow returns the row ID for a new text: the next one of its second or, if that second has none left, of a
// later one.
func (w *writer) freeTextRow(at backend.Millis) (id int64, err error) {
	for first := textRow(at); ; first += textsPerSecond {
		const next = "SELECT coalesce(max(id) + 1, ?1) FROM session_texts WHERE id >= ?1 AND id < ?2"
		err := w.conn.QueryRowContext(background, next, first, first+textsPerSecond).Scan(&id)
		if err != nil || id < first+textsPerSecond {
			return id, err
		}
	}
}

// textMarks returns the marks of a text in the index (see document.marks).
func textMarks(t *backend.SessionText) string {
	d := document{tool: t.Tool}
	switch t.Kind {
	case backend.HitUser:
		d.kind = backend.ItemUser
	case backend.HitMessage:
		d.kind = backend.ItemMessage
	case backend.HitTool:
		d.kind = backend.ItemTool
	default: // a title has no author
		return ""
	}
	if t.BySubagent {
		d.parent = "subagent"
	}
	return d.marks()
}

// removedTexts is the maximum number of texts that are removed in one transaction.
const removedTexts = 2000

// RemoveSessionLog removes a session and its texts from the search.
func (s *Store) RemoveSessionLog(ctx context.Context, id int64) error {
	if err := s.clearSessionLog(ctx, id, "DELETE FROM session_logs WHERE id = ?"); err != nil {
		return s.failed(backend.Say("VoxPilot couldn't update its search index"), err)
	}
	return nil
}

// RestartSessionLog removes the texts of a session whose log was replaced, so that it can be read from its start.
func (s *Store) RestartSessionLog(ctx context.Context, id int64) error {
	if err := s.clearSessionLog(ctx, id, `UPDATE session_logs SET offset = 0, "check" = 0 WHERE id = ?`); err != nil {
		return s.failed(backend.Say("VoxPilot couldn't update its search index"), err)
	}
	return nil
}

// clearSessionLog removes the texts of a session, in short transactions, and then runs a statement with its ID.
func (s *Store) clearSessionLog(ctx context.Context, id int64, last string) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.transaction(fast, func(w *writer) error {
			const some = "SELECT id FROM session_texts WHERE log_id = ? ORDER BY id LIMIT ?"
			if err := w.exec("DELETE FROM search WHERE rowid IN ("+some+")", id, removedTexts); err != nil {
				return err
			}
			result, err := w.conn.ExecContext(background, "DELETE FROM session_texts WHERE id IN ("+some+")", id, removedTexts)
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if more = n == removedTexts; more || err != nil {
				return err
			}
			w.hasDeleted = true
			if err := w.exec("UPDATE search_state SET tidy = 1"); err != nil {
				return err
			}
			return w.exec(last, id)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// SessionTexts returns the texts around one text of a session, in the order of their times: at most before texts before
// it and after texts after it. Titles are left out, except the given text itself. It returns none if the text doesn't
// exist.
func (tx *ReadTx) SessionTexts(ctx context.Context, id int64, before, after int) ([]backend.SessionText, error) {
	texts := []backend.SessionText{}
	err := tx.query(ctx, &texts, `
WITH log AS (SELECT log_id FROM session_texts WHERE id = ?1)
SELECT * FROM (
    SELECT * FROM (SELECT id, kind, tool, agent, at, body FROM session_texts WHERE log_id = (SELECT log_id FROM log) AND id <= ?1 AND (kind <> 'title' OR id = ?1) ORDER BY id DESC LIMIT ?2)
    UNION ALL
    SELECT * FROM (SELECT id, kind, tool, agent, at, body FROM session_texts WHERE log_id = (SELECT log_id FROM log) AND id > ?1 AND kind <> 'title' ORDER BY id LIMIT ?3)
) ORDER BY id`, id, before+1, after)
	if err != nil {
		return nil, fmt.Errorf("read the texts of a session: %w", err)
	}
	return texts, nil
}
