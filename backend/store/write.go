package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/column"
)

// Apply commits events, in order, in one transaction. If durable is set, they are synced to disk when Apply returns.
// Otherwise, they survive a crash of the app, but possibly not a crash of the system soon afterward.
//
// Except for a ChatCopy, it does no harm to apply the same event again. After the commit, Apply completes the events in
// place. An Item gets its Pos, and a Content its Size. A Text loses the part that is already stored, and gets its
// Offset and Size; if nothing is left, the event is emptied. A TrustedFolder gets its number of Entries. ChatBranches
// are computed from the stored turns. An event about a deleted object (such as an item of a deleted chat) has no effect
// and is emptied. Events of kinds that aren't stored are ignored.
func (s *Store) Apply(ctx context.Context, events []backend.Event, durable bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	mode := fast
	if durable {
		mode = synced
	}
	err := s.transaction(mode, func(w *writer) error {
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

// transaction runs the function do in a transaction on the writing connection. After the commit, it runs the functions
// in the writer's complete list.
func (s *Store) transaction(mode writeMode, do func(*writer) error) (err error) {
	s.waiting.Add(1)
	s.writing.Lock()
	s.waiting.Add(-1)
	defer s.writing.Unlock()
	if s.conn == nil {
		return errClosed
	}
	if mode != s.mode {
		// These can't be changed within a transaction.
		if _, err := s.conn.ExecContext(background, modePragmas[mode]); err != nil {
			return err
		}
		s.mode = mode
	}
	if _, err := s.conn.ExecContext(background, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w := &writer{conn: s.conn, db: s.rows, texts: map[string]*text{}, lastPos: map[string]int64{}, touched: map[string]bool{}}
	if err = do(w); err == nil {
		_, err = s.conn.ExecContext(background, "COMMIT")
	}
	if err != nil {
		// SQLite may have rolled the transaction back already. The resulting error can be ignored.
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

// background is the context of writes. Transactions are short, so they aren't canceled.
var background = context.Background()

// A writer writes events within one transaction.
type writer struct {
	conn       *sql.Conn
	db         *gorm.DB         // uses conn, for plain rows
	texts      map[string]*text // by item ID
	lastPos    map[string]int64 // by chat ID
	touched    map[string]bool  // IDs of the items to index
	hasDeleted bool             // a chat or the texts of a session were deleted
	complete   []func()         // functions that update the events after the commit
	importing  *importing       // nil except in Import
}

func (w *writer) event(e *backend.Event) error {
	switch {
	case e.Chat != nil:
		return w.chat(e.Chat)
	case e.ChatDeleted != nil:
		return w.deleteChat(e.ChatDeleted)
	case e.Turn != nil:
		return w.checkOwner(e, w.save((*turnRow)(e.Turn), "aside"))
	case e.TurnUndo != nil:
		return w.checkOwner(e, w.save((*turnUndoRow)(e.TurnUndo)))
	case e.Aside != nil:
		return w.checkOwner(e, w.aside(e.Aside))
	case e.ChatCopy != nil:
		return w.checkOwner(e, w.copyChat(e.ChatCopy))
	case e.ChatBranches != nil:
		return w.branches(e)
	case e.Item != nil:
		return w.checkOwner(e, w.item(e.Item))
	case e.Text != nil:
		return w.checkOwner(e, w.text(e))
	case e.Content != nil:
		return w.checkOwner(e, w.content(e.Content))
	case e.Permission != nil:
		return w.checkOwner(e, w.permission(e.Permission))
	case e.ReviewComment != nil:
		return w.checkOwner(e, w.reviewComment(e.ReviewComment))
	case e.ReviewCommentDeleted != nil:
		return w.removeReviewComment(e.ReviewCommentDeleted)
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

// errOwnerDeleted means that the item to which an event belongs doesn't exist.
var errOwnerDeleted = errors.New("its owner is gone")

// checkOwner handles err, the error of writing an event: if the event's owner doesn't exist, it empties the event and
// returns nil. If a foreign key constraint fails, SQLite has undone only that statement, and the transaction
// continues.
func (w *writer) checkOwner(e *backend.Event, err error) error {
	if extendedCode(err) != sqliteConstraintForeignKey && !errors.Is(err, errOwnerDeleted) {
		return err
	}
	w.complete = append(w.complete, func() { *e = backend.Event{} })
	return nil
}

func (w *writer) exec(query string, args ...any) error {
	if w.importing != nil {
		_, err := w.importing.Exec(query, args...)
		return err
	}
	_, err := w.conn.ExecContext(background, query, args...)
	return err
}

// save inserts rows or, if their keys exist, updates them. It doesn't write the columns in omitted.
func (w *writer) save(rows any, omitted ...string) error {
	return w.db.Clauses(clause.OnConflict{UpdateAll: true}).Omit(omitted...).Create(rows).Error
}

// remove deletes the rows that match a condition from the table of row's type.
func (w *writer) remove(row any, condition string, args ...any) error {
	return w.db.Where(condition, args...).Delete(row).Error
}

func (w *writer) chat(c *backend.Chat) error {
	var titles []string // the current title; empty if the chat is new
	if err := w.db.Model(&chatRow{}).Where("id = ?", c.ID).Pluck("title", &titles).Error; err != nil {
		return err
	}
	if err := w.save((*chatRow)(c)); err != nil || slices.Contains(titles, c.Title) {
		return err
	}
	return w.indexTitle(c.ID, c.Title)
}

// deleteChat deletes a chat, its rows in other tables and its index entries.
func (w *writer) deleteChat(g *backend.Deleted) error {
	// Text that isn't written yet may belong to this chat.
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

// An item keeps the position that it was assigned when it was inserted. Insert and update are separate statements
// because items are written often, and SQLite takes several times as long to prepare an upsert.
const (
	insertItem = `
INSERT INTO items (id, chat_id, turn_id, parent_id, session, kind, open,
    created_at, ended_at, tool, plan, banner, block, attachments, has_error,
    waited, replaced, cut_off, retry, pos, aside)
VALUES (?1, ?2, ?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce((SELECT aside FROM turns WHERE id = ?3), ''))`
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
		column.JSON(i.Tool, i.Tool != nil), column.JSON(i.Plan, len(i.Plan) > 0), column.JSON(i.Banner, i.Banner != nil), column.JSON(i.Block, i.Block != nil), column.JSON(i.Attachments, len(i.Attachments) > 0), i.HasError,
		i.Waited, i.Replaced, i.CutOff, column.JSON(i.Retry, i.Retry != nil),
	}
	if w.importing != nil {
		if inserted, err := w.insert(i, columns); inserted || err != nil {
			return err
		}
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
	if i.Open || w.isFresh(i.ID) {
		return nil
	}
	w.touched[i.ID] = true
	if i.Tool == nil {
		return w.compact(i.ID)
	}
	return nil
}

// nextPosition returns the position after the last one in a chat.
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

// insertContent and updateContent are plain SQL for speed, like the statements for items: contents are written while an
// answer streams.
const (
	insertContent = `
INSERT INTO contents (id, item_id, chat_id, type, path, mime, size, version, added, removed, lines)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	updateContent = `
ON CONFLICT (id) DO UPDATE SET item_id = excluded.item_id, chat_id = excluded.chat_id, type = excluded.type,
    path = excluded.path, mime = excluded.mime, size = excluded.size, version = excluded.version,
    added = excluded.added, removed = excluded.removed, lines = excluded.lines`
)

// content writes a content's metadata and, if the event includes it, the body.
func (w *writer) content(c *backend.Content) error {
	size := c.Size
	if c.Body != nil {
		size = int64(len(c.Body))
	}
	columns := []any{c.ID, c.ItemID, c.ChatID, c.Type, c.Path, c.Mime, size, c.Version, c.Added, c.Removed, c.Lines}
	if w.isFresh(c.ItemID) {
		inserted, err := w.importing.Exec(insertContent+" ON CONFLICT (id) DO NOTHING", columns...)
		if err != nil {
			return err
		}
		if inserted > 0 {
			return w.insertPieces(bodyPieces, c.ID, 0, c.Body)
		}
	}
	err := w.exec(insertContent+updateContent, columns...)
	if err != nil || c.Body == nil {
		return err
	}
	w.complete = append(w.complete, func() { c.Size = size })
	if !w.isFresh(c.ItemID) {
		w.touched[c.ItemID] = true
	}
	if err := w.exec("DELETE FROM content_bodies WHERE content_id = ?", c.ID); err != nil {
		return err
	}
	return w.insertPieces(bodyPieces, c.ID, 0, c.Body)
}

// permission writes a permission request. If a later event omits Commands or Raw, the
// stored value is kept.
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

// renameStatements rename a session of the chat ?1 from ?2 to ?3 in all tables.
var renameStatements = []string{
	"UPDATE acp_sessions SET name = ?3 WHERE chat_id = ?1 AND name = ?2",
	"UPDATE turns SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	"UPDATE permissions SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	`UPDATE items SET block = json_set(block, '$.sessionName', ?3)
	 WHERE chat_id = ?1 AND session = ?2 AND block ->> '$.sessionName' = ?2`,
	`UPDATE items SET banner = json_set(banner, '$.session', ?3)
	 WHERE chat_id = ?1 AND session = ?2 AND banner ->> '$.session' = ?2`,
	"UPDATE items SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	`UPDATE asides SET sessions = (
	     SELECT json_group_array(json(iif(value ->> '$.name' = ?2, json_set(value, '$.name', ?3), value))) FROM json_each(sessions)
	 ) WHERE chat_id = ?1 AND EXISTS (SELECT 1 FROM json_each(sessions) WHERE value ->> '$.name' = ?2)`,
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
	return w.exec("INSERT INTO settings (key, value) SELECT key, ?1 -> fullkey FROM json_each(?1)", column.JSON(s, true))
}
