package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/prepared"
)

// writeMode is the way in which the writing connection commits.
type writeMode int

const (
	fast   writeMode = iota // a crash of the system may undo the newest commits
	synced                  // commits are synced to disk
	bulk                    // synced, for many rows at once
)

// modePragmas holds the statements that set a mode. In the mode bulk, the pages of the indexes stay in memory, and the
// log is copied into the file less often: cache_size is in KB, and wal_autocheckpoint in pages. The statement journal
// stays in memory, too, because the triggers of the table items make each inserted item use it.
var modePragmas = [...]string{
	fast:   "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = 1000; PRAGMA temp_store = DEFAULT",
	synced: "PRAGMA synchronous = FULL; PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = 1000; PRAGMA temp_store = DEFAULT",
	bulk:   "PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 8000; PRAGMA temp_store = MEMORY",
}

// importing is the state of a transaction of Import.
type importing struct {
	*prepared.Statements
	fresh map[string]bool // IDs of the items that the transaction inserted
}

// Import commits the rows of a conversation that is read from a file, in order. They are synced to disk when it
// returns. If another write waits, Import commits what it has written so far and continues after that write. After an
// error, the rows of the first events may already be committed. The rows are the same as those that Apply writes, and
// it does no harm to import an event again.
//
// Import is several times as fast as Apply for rows that don't exist yet: it doesn't look for earlier versions of them,
// and it leaves indexing them to Maintain. Until WakeIndex is called, Maintain may not notice them. Unlike Apply, it
// doesn't complete the events.
func (s *Store) Import(ctx context.Context, events []backend.Event) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		written, err := s.importSome(events)
		if err != nil {
			return s.failed(backend.Say("VoxPilot couldn't save new data"), err)
		}
		if events = events[written:]; len(events) == 0 {
			return nil
		}
	}
}

// importStep is the number of events after which Import looks for waiting writes.
const importStep = 64

// importSome commits the first events in one transaction, and returns their number.
func (s *Store) importSome(events []backend.Event) (written int, err error) {
	err = s.transaction(bulk, func(w *writer) (err error) {
		statements, err := prepared.New(w.conn)
		if err != nil {
			return err
		}
		defer statements.Close()
		w.importing = &importing{Statements: statements, fresh: map[string]bool{}}
		w.db = w.db.WithContext(background) // a copy
		w.db.Statement.ConnPool = statements.Pool(w.conn)
		var last int64
		if err := w.conn.QueryRowContext(background, "SELECT coalesce(max(rowid), 0) FROM items").Scan(&last); err != nil {
			return err
		}
		for written = 0; written < len(events) && (written == 0 || written%importStep > 0 || s.waiting.Load() == 0); written++ {
			if err := w.event(&events[written]); err != nil {
				return err
			}
		}
		if err := w.flushAll(); err != nil {
			return err
		}
		w.complete = nil
		// Rows of a deleted chat may have had the same IDs.
		if err := w.exec("INSERT OR REPLACE INTO search_ranges (first, last) SELECT ?1 + 1, max(rowid) FROM items HAVING max(rowid) > ?1", last); err != nil {
			return err
		}
		return w.indexTouched()
	})
	return written, err
}

// WakeIndex makes a running Maintain index imported rows.
func (s *Store) WakeIndex() { s.wakeMaintenance() }

// insert inserts an item that doesn't exist yet. It returns false if the item exists.
func (w *writer) insert(i *backend.Item, columns []any) (inserted bool, err error) {
	pos, err := w.nextPosition(i.ChatID)
	if err != nil {
		return false, err
	}
	changed, err := w.importing.Exec(insertItem+" ON CONFLICT (id) DO NOTHING", append(append([]any{i.ID, i.ChatID}, columns...), pos)...)
	if err != nil || changed == 0 {
		w.lastPos[i.ChatID] = pos - 1
		return false, err
	}
	w.importing.fresh[i.ID] = true
	w.texts[i.ID] = &text{}
	return true, nil
}

// isFresh reports whether the transaction imported the item. Such an item has no earlier parts, and is indexed later.
func (w *writer) isFresh(itemID string) bool { return w.importing != nil && w.importing.fresh[itemID] }

// readImported indexes a batch of imported items, like readItems.
func (w *writer) readImported() (more bool, err error) {
	var first, last int64
	err = w.conn.QueryRowContext(background, "SELECT first, last FROM search_ranges ORDER BY first DESC LIMIT 1").Scan(&first, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	next, err := w.indexDown(first, last)
	if err != nil {
		return false, err
	}
	if next < first {
		return true, w.exec("DELETE FROM search_ranges WHERE first = ?", first)
	}
	return true, w.exec("UPDATE search_ranges SET last = ? WHERE first = ?", next, first)
}
