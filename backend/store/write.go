package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/voxpilot/voxpilot/backend"
)

// Apply commits events, in order, in one transaction. When durable, they have
// reached the disk when it returns; otherwise they survive the death of the
// app, but the last of them may not survive the death of the machine.
//
// Events may be applied twice. Apply completes them in place once they are
// committed: an Item gets its Pos; a Text loses what was there already and gets
// its Offset and Size; a Content gets its Size. An event about something that
// is no more (an item of a chat that was removed) has no effect and is emptied.
// Events of kinds that are not stored are left alone.
func (s *Store) Apply(ctx context.Context, events []backend.Event, durable bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.transaction(durable, func(w *writer) error {
		for i := range events {
			if err := w.event(&events[i]); err != nil {
				return err
			}
		}
		if err := w.flushAll(); err != nil {
			return err
		}
		return w.indexTouched()
	})
	if err != nil {
		return s.failed(backend.Say("VoxPilot couldn't save new data"), err)
	}
	return nil
}

// transaction runs do in a transaction on the writing connection. Nothing that
// do notes in the writer takes effect unless it was committed.
func (s *Store) transaction(durable bool, do func(*writer) error) (err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.conn == nil {
		return errClosed
	}
	if durable != s.durable {
		// It cannot be changed within a transaction.
		mode := "NORMAL"
		if durable {
			mode = "FULL"
		}
		if _, err := s.conn.ExecContext(background, "PRAGMA synchronous = "+mode); err != nil {
			return err
		}
		s.durable = durable
	}
	if _, err := s.conn.ExecContext(background, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w := &writer{conn: s.conn, db: s.rows, texts: map[string]*text{}, lastPos: map[string]int64{}, touched: map[string]bool{}}
	if err = do(w); err == nil {
		_, err = s.conn.ExecContext(background, "COMMIT")
	}
	if err != nil {
		// SQLite may have rolled back by itself; then this is an error that
		// says so, and all is well.
		_, _ = s.conn.ExecContext(background, "ROLLBACK")
		return err
	}
	for _, complete := range w.complete {
		complete()
	}
	if w.hasDeleted {
		s.wakeMaintenance()
	}
	return nil
}

// background is the context of writes: once begun, a transaction is short and
// runs to its end.
var background = context.Background()

// A writer writes events within one transaction.
type writer struct {
	conn       *sql.Conn
	db         *gorm.DB         // on conn, for plain rows
	texts      map[string]*text // by item
	lastPos    map[string]int64 // by chat
	touched    map[string]bool  // items that the index is to look at
	hasDeleted bool             // a chat was removed
	complete   []func()         // what to change in the events once they are committed
}

// event writes one event.
func (w *writer) event(e *backend.Event) error {
	switch {
	case e.Chat != nil:
		return w.chat(e.Chat)
	case e.ChatDeleted != nil:
		return w.deleteChat(e.ChatDeleted)
	case e.Turn != nil:
		return w.checkOwner(e, w.save((*turnRow)(e.Turn)))
	case e.Item != nil:
		return w.checkOwner(e, w.item(e.Item))
	case e.Text != nil:
		return w.checkOwner(e, w.text(e))
	case e.Content != nil:
		return w.checkOwner(e, w.content(e.Content))
	case e.Permission != nil:
		return w.checkOwner(e, w.permission(e.Permission))
	case e.Queued != nil:
		return w.checkOwner(e, w.save((*queuedPromptRow)(e.Queued)))
	case e.QueuedDeleted != nil:
		return w.remove(&queuedPromptRow{}, "id = ?", e.QueuedDeleted.ID)
	case e.Session != nil:
		return w.checkOwner(e, w.save((*sessionRow)(e.Session)))
	case e.SessionDeleted != nil:
		return w.remove(&sessionRow{}, "chat_id = ? AND name = ?", e.SessionDeleted.ChatID, e.SessionDeleted.ID)
	case e.SessionRenamed != nil:
		return w.renameSession(e.SessionRenamed)
	case e.Rule != nil:
		return w.save((*ruleRow)(e.Rule))
	case e.RuleDeleted != nil:
		return w.remove(&ruleRow{}, "id = ?", e.RuleDeleted.ID)
	case e.Provider != nil:
		return w.save((*providerRow)(e.Provider))
	case e.ProviderDeleted != nil:
		return w.remove(&providerRow{}, "id = ?", e.ProviderDeleted.ID)
	case e.CustomAgent != nil:
		return w.save((*customAgentRow)(e.CustomAgent))
	case e.CustomAgentDeleted != nil:
		return w.remove(&customAgentRow{}, "id = ?", e.CustomAgentDeleted.ID)
	case e.Settings != nil:
		return w.settings(e.Settings)
	case e.Login != nil:
		return w.save((*loginRow)(e.Login))
	case e.TrustedFolder != nil:
		return w.trusted(e.TrustedFolder)
	case e.TrustedFolderDeleted != nil:
		return w.remove(&trustedRow{}, `"key" = ?`, e.TrustedFolderDeleted.ID)
	case e.LoginDeleted != nil:
		return w.remove(&loginRow{}, "id = ?", e.LoginDeleted.ID)
	case e.UnknownUpdate != nil:
		return w.checkOwner(e, w.save((*unknownUpdateRow)(e.UnknownUpdate)))
	}
	if k := backend.KindOf(e); k != nil && k.Lifetime == backend.Stored {
		panic("store: no statement writes events of kind " + k.Name)
	}
	return nil
}

// errOwnerDeleted says that the item or the chat an event is about is no more.
var errOwnerDeleted = errors.New("its owner is gone")

// checkOwner empties an event whose owner is gone. Where a foreign key shows it,
// SQLite has undone that one statement and the transaction goes on.
func (w *writer) checkOwner(e *backend.Event, err error) error {
	if extendedCode(err) != sqliteConstraintForeignKey && !errors.Is(err, errOwnerDeleted) {
		return err
	}
	w.complete = append(w.complete, func() { *e = backend.Event{} })
	return nil
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.conn.ExecContext(background, query, args...)
	return err
}

// save inserts rows or, where their keys are there, takes over all columns but
// those that are named.
func (w *writer) save(rows any, but ...string) error {
	return w.db.Clauses(clause.OnConflict{UpdateAll: true}).Omit(but...).Create(rows).Error
}

// remove deletes the rows of row's table that a condition selects.
func (w *writer) remove(row any, condition string, args ...any) error {
	return w.db.Where(condition, args...).Delete(row).Error
}

// asJSON is v for a JSON column, NULL where it is not present.
func asJSON(v any, present bool) any {
	if !present {
		return nil
	}
	b, err := json.Marshal(toStored(v))
	if err != nil {
		// Only strings, numbers and lists of them are kept in JSON columns.
		panic(err)
	}
	return string(b)
}

func (w *writer) chat(c *backend.Chat) error {
	var titles []string // as it is now, none where the chat is new
	if err := w.db.Model(&chatRow{}).Where("id = ?", c.ID).Pluck("title", &titles).Error; err != nil {
		return err
	}
	if err := w.save((*chatRow)(c)); err != nil || slices.Contains(titles, c.Title) {
		return err
	}
	return w.indexTitle(c.ID, c.Title)
}

// deleteChat removes a chat; its rows in other tables go with it, and what the
// index has of it.
func (w *writer) deleteChat(g *backend.Deleted) error {
	// Text that waits to be written may be of this chat.
	if err := w.flushAll(); err != nil {
		return err
	}
	clear(w.texts)
	delete(w.lastPos, g.ID)
	w.hasDeleted = true
	if err := w.unindexChat(g.ID); err != nil {
		return err
	}
	return w.remove(&chatRow{}, "id = ?", g.ID)
}

// An item keeps the position that it got when it was inserted. The two cases
// are statements of their own because there are many items, and SQLite takes
// several times as long to prepare the upsert.
const (
	insertItem = `
INSERT INTO items (id, chat_id, turn_id, parent_id, session, kind, open,
    created_at, ended_at, tool, plan, banner, block, attachments, has_error,
    waited, replaced, cut_off, retry, pos)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	updateItem = `
UPDATE items SET turn_id = ?, parent_id = ?, session = ?, kind = ?, open = ?,
    created_at = ?, ended_at = ?, tool = ?, plan = ?, banner = ?, block = ?, attachments = ?, has_error = ?,
    waited = ?, replaced = ?, cut_off = ?, retry = ?
WHERE id = ?`
)

func (w *writer) item(i *backend.Item) error {
	if err := w.flush(i.ID); err != nil {
		return err
	}
	columns := []any{
		i.TurnID, i.ParentID, i.Session, i.Kind, i.Open, i.CreatedAt, i.EndedAt,
		asJSON(i.Tool, i.Tool != nil), asJSON(i.Plan, len(i.Plan) > 0), asJSON(i.Banner, i.Banner != nil), asJSON(i.Block, i.Block != nil), asJSON(i.Attachments, len(i.Attachments) > 0), i.HasError,
		i.Waited, i.Replaced, i.CutOff, asJSON(i.Retry, i.Retry != nil),
	}
	var pos int64
	err := w.conn.QueryRowContext(background, "SELECT pos FROM items WHERE id = ?", i.ID).Scan(&pos)
	switch {
	case err == nil:
		err = w.exec(updateItem, append(columns, i.ID)...)
	case errors.Is(err, sql.ErrNoRows):
		if pos, err = w.nextPosition(i.ChatID); err == nil {
			err = w.exec(insertItem, append(append([]any{i.ID, i.ChatID}, columns...), pos)...)
		}
	}
	if err != nil {
		return err
	}
	w.complete = append(w.complete, func() { i.Pos = pos })
	if i.Open {
		return nil
	}
	w.touched[i.ID] = true
	if i.Tool == nil {
		return w.compact(i.ID)
	}
	return nil
}

// nextPosition is a position in a chat that is after all others.
func (w *writer) nextPosition(chatID string) (int64, error) {
	last, known := w.lastPos[chatID]
	if !known {
		err := w.conn.QueryRowContext(background, "SELECT coalesce(max(pos), 0) FROM items WHERE chat_id = ?", chatID).Scan(&last)
		if err != nil {
			return 0, err
		}
	}
	w.lastPos[chatID] = last + 1
	return last + 1, nil
}

// upsertContent is SQL, as an item is: contents are written while an answer streams.
const upsertContent = `
INSERT INTO contents (id, item_id, chat_id, type, path, mime, size, version, added, removed, lines)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET item_id = excluded.item_id, chat_id = excluded.chat_id, type = excluded.type,
    path = excluded.path, mime = excluded.mime, size = excluded.size, version = excluded.version,
    added = excluded.added, removed = excluded.removed, lines = excluded.lines`

// content writes the facts and, where the event carries one, the body.
func (w *writer) content(c *backend.Content) error {
	size := c.Size
	if c.Body != nil {
		size = int64(len(c.Body))
	}
	err := w.exec(upsertContent, c.ID,
		c.ItemID, c.ChatID, c.Type, c.Path, c.Mime, size, c.Version, c.Added, c.Removed, c.Lines)
	if err != nil || c.Body == nil {
		return err
	}
	w.complete = append(w.complete, func() { c.Size = size })
	w.touched[c.ItemID] = true
	if err := w.exec("DELETE FROM content_bodies WHERE content_id = ?", c.ID); err != nil {
		return err
	}
	return w.insertPieces(bodyPieces, c.ID, 0, c.Body)
}

// permission writes a request. A later event may come without what only the first
// one had.
func (w *writer) permission(p *backend.Permission) error {
	var kept []string
	if p.Commands == nil {
		kept = append(kept, "commands")
	}
	if p.Raw == nil {
		kept = append(kept, "raw")
	}
	return w.save((*permissionRow)(p), kept...)
}

// renameStatements gives a session another name, ?3 in the place of ?2, wherever it
// stands.
var renameStatements = []string{
	"UPDATE acp_sessions SET name = ?3 WHERE chat_id = ?1 AND name = ?2",
	"UPDATE turns SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	"UPDATE permissions SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	`UPDATE items SET block = json_set(block, '$.sessionName', ?3)
	 WHERE chat_id = ?1 AND session = ?2 AND block ->> '$.sessionName' = ?2`,
	`UPDATE items SET banner = json_set(banner, '$.session', ?3)
	 WHERE chat_id = ?1 AND session = ?2 AND banner ->> '$.session' = ?2`,
	"UPDATE items SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
}

func (w *writer) renameSession(r *backend.SessionRenamed) error {
	for _, statement := range renameStatements {
		if err := w.exec(statement, r.ChatID, r.Session, r.To); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) settings(s *backend.Settings) error {
	if err := w.exec("DELETE FROM settings"); err != nil {
		return err
	}
	return w.exec("INSERT INTO settings (key, value) SELECT key, ?1 -> fullkey FROM json_each(?1)", asJSON(s, true))
}
