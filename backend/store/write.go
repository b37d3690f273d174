package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
		return s.failed("VoxPilot could not save what is new", err)
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
	w := &writer{conn: s.conn, texts: map[string]*text{}, lastPos: map[string]int64{}, touched: map[string]bool{}}
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
	if w.gone {
		s.wakeUp()
	}
	return nil
}

// background is the context of writes: once begun, a transaction is short and
// runs to its end.
var background = context.Background()

// A writer writes events within one transaction.
type writer struct {
	conn     *sql.Conn
	texts    map[string]*text // by item
	lastPos  map[string]int64 // by chat
	touched  map[string]bool  // items that the index is to look at
	gone     bool             // a chat was removed
	complete []func()         // what to change in the events once they are committed
}

// event writes one event.
func (w *writer) event(e *backend.Event) error {
	switch {
	case e.Chat != nil:
		return w.chat(e.Chat)
	case e.ChatGone != nil:
		return w.chatGone(e.ChatGone)
	case e.Turn != nil:
		return w.owned(e, w.turn(e.Turn))
	case e.Item != nil:
		return w.owned(e, w.item(e.Item))
	case e.Text != nil:
		return w.owned(e, w.text(e))
	case e.Content != nil:
		return w.owned(e, w.content(e.Content))
	case e.Permission != nil:
		return w.owned(e, w.permission(e.Permission))
	case e.Queued != nil:
		return w.owned(e, w.queued(e.Queued))
	case e.QueuedGone != nil:
		return w.exec("DELETE FROM queued WHERE id = ?", e.QueuedGone.ID)
	case e.Session != nil:
		return w.owned(e, w.session(e.Session))
	case e.SessionGone != nil:
		return w.exec("DELETE FROM acp_sessions WHERE chat_id = ? AND name = ?", e.SessionGone.ChatID, e.SessionGone.ID)
	case e.Renamed != nil:
		return w.renamed(e.Renamed)
	case e.Rule != nil:
		return w.rule(e.Rule)
	case e.RuleGone != nil:
		return w.exec("DELETE FROM permission_rules WHERE id = ?", e.RuleGone.ID)
	case e.Provider != nil:
		return w.provider(e.Provider)
	case e.ProviderGone != nil:
		return w.exec("DELETE FROM providers WHERE id = ?", e.ProviderGone.ID)
	case e.Profile != nil:
		return w.profile(e.Profile)
	case e.ProfileGone != nil:
		return w.exec("DELETE FROM profiles WHERE id = ?", e.ProfileGone.ID)
	case e.Settings != nil:
		return w.settings(e.Settings)
	case e.Login != nil:
		return w.login(e.Login)
	case e.Trusted != nil:
		return w.trusted(e.Trusted)
	case e.TrustedGone != nil:
		return w.exec(`DELETE FROM trusted_folders WHERE "key" = ?`, e.TrustedGone.ID)
	case e.LoginGone != nil:
		return w.exec("DELETE FROM logins WHERE id = ?", e.LoginGone.ID)
	case e.Unknown != nil:
		return w.owned(e, w.unknown(e.Unknown))
	}
	if k := backend.KindOf(e); k != nil && k.Lifetime == backend.Stored {
		panic("store: no statement writes events of kind " + k.Name)
	}
	return nil
}

// errOwnerGone says that the item or the chat an event is about is no more.
var errOwnerGone = errors.New("its owner is gone")

// owned empties an event whose owner is gone. Where a foreign key shows it,
// SQLite has undone that one statement and the transaction goes on.
func (w *writer) owned(e *backend.Event, err error) error {
	if extendedCode(err) != sqliteConstraintForeignKey && !errors.Is(err, errOwnerGone) {
		return err
	}
	w.complete = append(w.complete, func() { *e = backend.Event{} })
	return nil
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.conn.ExecContext(background, query, args...)
	return err
}

// ids are the strings that a query gives.
func (w *writer) ids(query string) (ids []string, err error) {
	rows, err := w.rows(query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rowsDone(rows)
}

// upsert is the statement that inserts a row or, where its key is there, takes
// over all other columns.
func upsert(table, keys, columns string) string {
	var set []string
	for column := range strings.SplitSeq(columns, ", ") {
		set = append(set, column+" = excluded."+column)
	}
	all := keys + ", " + columns
	marks := strings.TrimSuffix(strings.Repeat("?, ", strings.Count(all, ", ")+1), ", ")
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s",
		table, all, marks, keys, strings.Join(set, ", "))
}

// asJSON is v for a JSON column, NULL where it is not present.
func asJSON(v any, present bool) any {
	if !present {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		// Only strings, numbers and lists of them are kept in JSON columns.
		panic(err)
	}
	return string(b)
}

var upsertChat = upsert("chats", "id",
	"title, title_by_user, folder, provider_id, main_id, permission_mode, turn_state, turn_since, detail, unread, draft, draft_with, pinned, archived, deleted_at, drop_sessions, created_at, updated_at")

func (w *writer) chat(c *backend.Chat) error {
	var title sql.NullString // as it is now, none where the chat is new
	if err := w.conn.QueryRowContext(background, "SELECT max(title) FROM chats WHERE id = ?", c.ID).Scan(&title); err != nil {
		return err
	}
	err := w.exec(upsertChat, c.ID,
		c.Title, c.TitleByUser, c.Folder, c.ProviderID, c.MainID, c.PermissionMode, c.TurnState, c.TurnSince, c.Detail, c.Unread, c.Draft, asJSON(c.DraftWith, len(c.DraftWith) > 0), c.Pinned, c.Archived, c.DeletedAt, c.DropSessions, c.CreatedAt, c.UpdatedAt)
	if err != nil || title.Valid && title.String == c.Title {
		return err
	}
	return w.indexTitle(c.ID, c.Title)
}

// chatGone removes a chat; its rows in other tables go with it, and what the
// index has of it.
func (w *writer) chatGone(g *backend.Gone) error {
	// Text that waits to be written may be of this chat.
	if err := w.flushAll(); err != nil {
		return err
	}
	clear(w.texts)
	delete(w.lastPos, g.ID)
	w.gone = true
	if err := w.unindexChat(g.ID); err != nil {
		return err
	}
	return w.exec("DELETE FROM chats WHERE id = ?", g.ID)
}

var upsertTurn = upsert("turns", "id",
	"chat_id, session, block_id, main_id, state, stop_reason, error, usage, started_at, sent_at, ended_at, waited")

func (w *writer) turn(t *backend.Turn) error {
	return w.exec(upsertTurn, t.ID,
		t.ChatID, t.Session, t.BlockID, t.MainID, t.State, t.StopReason, asJSON(t.Error, t.Error != nil), asJSON(t.Usage, t.Usage != nil), t.StartedAt, t.SentAt, t.EndedAt, t.Waited)
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
		asJSON(i.Tool, i.Tool != nil), asJSON(i.Plan, len(i.Plan) > 0), asJSON(i.Banner, i.Banner != nil), asJSON(i.Block, i.Block != nil), asJSON(i.With, len(i.With) > 0), i.HasError,
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

var upsertContent = upsert("contents", "id",
	"item_id, chat_id, type, path, mime, size, version, added, removed, lines")

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

// A later upsert may come without what only the first one had.
var upsertPermission = upsert("permissions", "id",
	`chat_id, turn_id, session, item_id, state, title, kind, path, "to", command, content_id, text_id, creates, marks, files, options, scope, decision, option_id, rule_id, mode, reason, outside, protected, created_at, decided_at`)

func (w *writer) permission(p *backend.Permission) error {
	err := w.exec(upsertPermission, p.ID,
		p.ChatID, p.TurnID, p.Session, p.ItemID, p.State, p.Title, p.Kind, p.Path, p.To, p.Command, p.ContentID,
		p.TextID, p.Creates, asJSON(p.Marks, len(p.Marks) > 0), asJSON(p.Files, len(p.Files) > 0), asJSON(p.Options, true), asJSON(p.Scope, p.Scope != nil),
		p.Decision, p.OptionID, p.RuleID, p.Mode, p.Reason, p.Outside, p.Protected, p.CreatedAt, p.DecidedAt)
	if err != nil {
		return err
	}
	if p.Commands != nil {
		if err := w.exec("UPDATE permissions SET commands = ? WHERE id = ?", asJSON(p.Commands, true), p.ID); err != nil {
			return err
		}
	}
	if p.Raw != nil {
		return w.exec("UPDATE permissions SET raw = ? WHERE id = ?", p.Raw, p.ID)
	}
	return nil
}

var upsertQueued = upsert("queued", "id", "chat_id, text, attachments, pos, paused, created_at")

func (w *writer) queued(q *backend.Queued) error {
	return w.exec(upsertQueued, q.ID, q.ChatID, q.Text, asJSON(q.With, len(q.With) > 0), q.Pos, q.Paused, q.CreatedAt)
}

var upsertSession = upsert("acp_sessions", "chat_id, name",
	"acp_id, cwd, home, had_prompt, state, mode, allow_all, modes, commands, options, title, replaces_id, used, size, created_at, used_at")

func (w *writer) session(s *backend.Session) error {
	return w.exec(upsertSession, s.ChatID, s.Name,
		s.ACPID, s.Cwd, s.Home, s.HadPrompt, s.State, s.Mode, s.AllowAll,
		asJSON(s.Modes, len(s.Modes) > 0), asJSON(s.Commands, len(s.Commands) > 0),
		asJSON(s.Options, len(s.Options) > 0), s.Title, s.ReplacesID, s.Used, s.Size, s.CreatedAt, s.UsedAt)
}

// renaming gives a session another name, ?3 in the place of ?2, wherever it
// stands.
var renaming = []string{
	"UPDATE acp_sessions SET name = ?3 WHERE chat_id = ?1 AND name = ?2",
	"UPDATE turns SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	"UPDATE permissions SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
	`UPDATE items SET block = json_set(block, '$.sessionName', ?3)
	 WHERE chat_id = ?1 AND session = ?2 AND block ->> '$.sessionName' = ?2`,
	`UPDATE items SET banner = json_set(banner, '$.session', ?3)
	 WHERE chat_id = ?1 AND session = ?2 AND banner ->> '$.session' = ?2`,
	"UPDATE items SET session = ?3 WHERE chat_id = ?1 AND session = ?2",
}

func (w *writer) renamed(r *backend.Renamed) error {
	for _, statement := range renaming {
		if err := w.exec(statement, r.ChatID, r.Session, r.To); err != nil {
			return err
		}
	}
	return nil
}

var upsertRule = upsert("permission_rules", "id", "effect, kind, folder, command, created_at, expires_at")

func (w *writer) rule(r *backend.Rule) error {
	return w.exec(upsertRule, r.ID, r.Effect, r.Scope.Kind, r.Scope.Folder, r.Scope.Command, r.CreatedAt, r.ExpiresAt)
}

var upsertProvider = upsert("providers", "id",
	`name, kind, base_url, headers, models, model, context, "key", checked_at, "check", created_at`)

func (w *writer) provider(p *backend.Provider) error {
	return w.exec(upsertProvider, p.ID,
		p.Name, p.Kind, p.BaseURL, asJSON(p.Headers, len(p.Headers) > 0), asJSON(p.Models, len(p.Models) > 0),
		p.Model, p.Context, p.Key, p.CheckedAt, p.Check, p.CreatedAt)
}

var upsertProfile = upsert("profiles", "id", `name, address, command, args, env, home, github, "key", created_at`)

func (w *writer) profile(p *backend.Profile) error {
	return w.exec(upsertProfile, p.ID,
		p.Name, p.Address, p.Command, asJSON(p.Args, len(p.Args) > 0), asJSON(p.Env, len(p.Env) > 0), p.Home, p.GitHub, p.Key, p.CreatedAt)
}

var upsertLogin = upsert("logins", "id", `host, login, kind, "key", created_at`)

func (w *writer) login(l *backend.Login) error {
	return w.exec(upsertLogin, l.ID, l.Host, l.Login, l.Kind, l.Key, l.CreatedAt)
}

func (w *writer) settings(s *backend.Settings) error {
	if err := w.exec("DELETE FROM settings"); err != nil {
		return err
	}
	return w.exec("INSERT INTO settings (key, value) SELECT key, ?1 -> fullkey FROM json_each(?1)", asJSON(s, true))
}

var upsertUnknown = upsert("unknown_updates", "id", "chat_id, session, kind, at, raw")

func (w *writer) unknown(u *backend.Unknown) error {
	return w.exec(upsertUnknown, u.ID, u.ChatID, u.Session, u.Kind, u.At, u.Raw)
}
