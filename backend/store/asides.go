package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/branches"
)

// setAsideStatements set aside (hide) the turns and items after the point to which the user went back;
// bringBackStatements show them again. ?1, ?2 and ?3 are the IDs of the aside, the chat and the first turn. An item is
// set aside with its turn. An item without a turn is set aside unless it comes before the items of the first turn.
var (
	setAsideStatements = []string{
		"UPDATE turns SET aside = ?1 WHERE chat_id = ?2 AND aside = '' AND rowid >= (SELECT rowid FROM turns WHERE id = ?3 AND chat_id = ?2)",
		`UPDATE items SET aside = ?1 WHERE chat_id = ?2 AND aside = '' AND (
		     turn_id IN (SELECT id FROM turns WHERE chat_id = ?2 AND aside = ?1)
		     OR turn_id = '' AND pos >= (SELECT min(pos) FROM items WHERE chat_id = ?2 AND (turn_id = ?3 OR id = (SELECT block_id FROM turns WHERE id = ?3)))
		 )`,
	}
	bringBackStatements = []string{
		"UPDATE turns SET aside = '' WHERE chat_id = ?2 AND aside = ?1",
		"UPDATE items SET aside = '' WHERE chat_id = ?2 AND aside = ?1",
	}
)

// aside writes the record of an aside; see Asides. If the aside changes between hidden and shown, the method also hides
// or shows its turns and items.
func (w *writer) aside(a *backend.Aside) error {
	var states []backend.AsideState
	if err := w.db.Model(&asideRow{}).Where("id = ?", a.ID).Pluck("state", &states).Error; err != nil {
		return err
	}
	was := slices.Concat(states, []backend.AsideState{""})[0]
	if err := w.save((*asideRow)(a)); err != nil {
		return err
	}
	isHidden := func(s backend.AsideState) bool { return s == backend.AsideHidden || s == backend.AsideComing }
	statements := bringBackStatements
	if isHidden(a.State) {
		statements = setAsideStatements
	}
	if isHidden(a.State) == isHidden(was) || a.FromTurn == "" {
		return nil
	}
	for _, statement := range statements {
		if err := w.exec(statement, a.ID, a.ChatID, a.FromTurn); err != nil {
			return err
		}
	}
	return nil
}

// branches computes the branches of the chat that e.ChatBranches names, and stores them in the event after the commit.
func (w *writer) branches(e *backend.Event) error {
	found, err := branchesOf(e.ChatBranches.ChatID, func(dest any, query string, args ...any) error { return w.db.Raw(query, args...).Scan(dest).Error })
	w.complete = append(w.complete, func() { *e.ChatBranches = found })
	return err
}

// addBranches adds an event with the branches of a chat to the list. If the chat has no branches, it adds nothing.
func (l *list) addBranches(chatID string) {
	if l.err != nil {
		return
	}
	var found backend.ChatBranches
	found, l.err = branchesOf(chatID, func(dest any, query string, args ...any) error { return l.tx.query(l.ctx, dest, query, args...) })
	if found.Revision > 0 {
		l.events = append(l.events, backend.Event{ChatBranches: &found})
	}
}

// branchesOf returns the branches of a chat. It reads the rows with the function read.
func branchesOf(chatID string, read func(dest any, query string, args ...any) error) (b backend.ChatBranches, err error) {
	var rows []asideRow
	var shown []branches.Turn
	var began []branches.Beginning
	err = read(&rows, "SELECT * FROM asides WHERE chat_id = ? ORDER BY rowid", chatID)
	if err == nil && len(rows) > 0 {
		err = errors.Join(
			read(&shown, "SELECT turns.id, started_at, "+isMessage+" AS is_message FROM turns WHERE chat_id = ? AND aside = '' ORDER BY rowid", chatID),
			read(&began, "SELECT aside, min(started_at) AS at FROM turns WHERE chat_id = ? AND aside <> '' GROUP BY aside", chatID),
		)
	}
	return branches.Of(chatID, asidesOf(rows), shown, began), err
}

// isMessage is an SQL condition on the table turns: the user sent the turn's prompt. A turn with a block meets it only
// if the block belongs to no turn, because the user then gave the task to the session directly.
const isMessage = "(block_id = '' OR EXISTS (SELECT 1 FROM items WHERE items.id = turns.block_id AND items.turn_id = ''))"

// Asides returns the asides of a chat, or of all chats if chatID is "", oldest first. An aside records that the user
// went back in a chat, and the turns after that point.
func (s *Store) Asides(ctx context.Context, chatID string) ([]backend.Aside, error) {
	var rows []asideRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Where("? IN ('', chat_id)", chatID).Order("rowid"), &rows)
	})
	return asidesOf(rows), err
}

func asidesOf(rows []asideRow) (asides []backend.Aside) {
	for _, row := range rows {
		asides = append(asides, backend.Aside(row))
	}
	return asides
}

// Line is a turn in a chat, together with whether the user sent its prompt.
type Line struct {
	backend.Turn
	IsMessage bool // the user sent its prompt
}

// Lines returns all turns of a chat, including those that are set aside, in the order in which they started.
func (s *Store) Lines(ctx context.Context, chatID string) ([]Line, error) {
	var rows []turnRow
	var messages []string
	err := s.Read(ctx, func(v *ReadTx) error {
		err := v.find(v.db(ctx).Where("chat_id = ?", chatID).Order("rowid"), &rows)
		if err != nil {
			return err
		}
		return v.query(ctx, &messages, "SELECT id FROM turns WHERE chat_id = ? AND "+isMessage+" ORDER BY rowid", chatID)
	})
	lines := make([]Line, len(rows))
	for i, row := range rows {
		lines[i] = Line{backend.Turn(row), len(messages) > 0 && messages[0] == row.ID}
		if lines[i].IsMessage {
			messages = messages[1:]
		}
	}
	return lines, err
}

// copyChat copies, from the chat c.From to the chat c.ChatID, the shown turns and items that come before c.BeforeTurn,
// with the texts and contents of these items. It leaves out banners. It forms the IDs of the copies by appending the
// first 8 bytes of c.ChatID to the original IDs.
func (w *writer) copyChat(c *backend.ChatCopy) error {
	if err := w.flushAll(); err != nil {
		return err
	}
	delete(w.lastPos, c.ChatID)
	const turns = "chat_id = ?2 AND aside = '' AND rowid < (SELECT rowid FROM turns WHERE id = ?3)"
	const items = `chat_id = ?2 AND aside = '' AND kind <> 'banner' AND (turn_id IN (SELECT id FROM turns WHERE ` + turns + `) OR turn_id = '' AND pos < (
    SELECT min(pos) FROM items WHERE chat_id = ?2 AND (turn_id = ?3 OR id = (SELECT block_id FROM turns WHERE id = ?3))))`
	const contents = "item_id IN (SELECT id FROM items WHERE " + items + ")"
	id := func(column string) string { return "iif(" + column + " = '', '', " + column + " || ?4)" }
	// named returns an SQL expression for the JSON object in column. In it, the ID under key is replaced by that of the
	// copy.
	named := func(column, key string) string {
		path := "'$." + key + "'"
		return "iif(coalesce(" + column + " ->> " + path + ", '') = '', " + column + ", json_set(" + column + ", " + path + ", " + column + " ->> " + path + " || ?4))"
	}
	for _, t := range []struct {
		table, where string
		values       map[string]string
	}{
		{"turns", turns, map[string]string{"id": id("id"), "chat_id": "?1", "block_id": id("block_id")}},
		{"items", items, map[string]string{
			"id": id("id"), "chat_id": "?1", "turn_id": id("turn_id"), "parent_id": id("parent_id"), "block": named("block", "turnId"),
			"attachments": "(SELECT json_group_array(json(" + named("value", "contentId") + ")) FROM json_each(attachments) WHERE attachments IS NOT NULL)",
		}},
		{"texts", contents, map[string]string{"item_id": id("item_id")}},
		{"contents", contents, map[string]string{"id": id("id"), "item_id": id("item_id"), "chat_id": "?1"}},
		{"content_bodies", "content_id IN (SELECT id FROM contents WHERE " + contents + ")", map[string]string{"content_id": id("content_id")}},
	} {
		var columns []string
		if err := w.db.Raw("SELECT name FROM pragma_table_info(?)", t.table).Scan(&columns).Error; err != nil {
			return err
		}
		values := make([]string, len(columns))
		for i, name := range columns {
			values[i] = cmp.Or(t.values[name], `"`+name+`"`)
			columns[i] = `"` + name + `"`
		}
		err := w.exec("INSERT INTO "+t.table+" ("+strings.Join(columns, ", ")+") SELECT "+strings.Join(values, ", ")+" FROM "+t.table+" WHERE "+t.where+" ORDER BY rowid",
			c.ChatID, c.From, c.BeforeTurn, c.ChatID[:min(len(c.ChatID), 8)])
		if err != nil {
			return err
		}
	}
	var copied []string
	err := w.db.Model(&itemRow{}).Where("chat_id = ?", c.ChatID).Pluck("id", &copied).Error
	for _, id := range copied {
		w.touched[id] = true // must be indexed
	}
	return err
}

// ItemsAside does the same as Items for the items of the given aside instead of the shown ones.
func (tx *ReadTx) ItemsAside(ctx context.Context, chatID, asideID string, before int64, limit int) (events []backend.Event, next int64, err error) {
	l := &list{ctx: ctx, tx: tx, aside: asideID}
	next = l.page(chatID, "", before, limit)
	return l.events, next, l.err
}
