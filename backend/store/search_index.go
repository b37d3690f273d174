package store

import (
	"database/sql"
	"errors"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// Limits in bytes on the part of an item's text that is indexed, and on that of each of its contents.
const (
	maxIndexedText    = 1 << 20
	maxIndexedContent = 64 * 1024
)

// A source runs queries. It uses either the writing connection or a ReadTx.
type source func(query string, args ...any) (*sql.Rows, error)

func (w *writer) rows(query string, args ...any) (*sql.Rows, error) {
	return w.conn.QueryContext(background, query, args...)
}

// rowsDone closes the rows and returns any errors.
func rowsDone(rows *sql.Rows) error { return errors.Join(rows.Err(), rows.Close()) }

// isSearched reports whether items of a kind are indexed. Thoughts and plans aren't,
// because the answer repeats them, and neither are images and banners.
func isSearched(kind backend.ItemKind) bool {
	switch kind {
	case backend.ItemUser, backend.ItemMessage, backend.ItemNote, backend.ItemTool, backend.ItemBlock:
		return true
	case backend.ItemThought, backend.ItemPlan, backend.ItemImage, backend.ItemBanner:
	}
	return false
}

// A document is the indexed form of an item.
type document struct {
	row       int64
	id        string
	chatID    string
	parent    string
	kind      backend.ItemKind
	tool      backend.ToolKind
	open      bool
	isDeleted bool     // a later attempt at the model call replaced the item
	texts     []string // title, command, paths and prompt
}

const documentColumns = `items.rowid, items.id, items.chat_id, items.parent_id, items.kind, coalesce(tool ->> '$.kind', ''), items.open, items.replaced,
    tool ->> '$.title', tool ->> '$.command', tool ->> '$.path', tool ->> '$.to', block ->> '$.prompt'`

// scan reads the current row into d. It reads the columns that follow documentColumns into the given additional
// variables.
func (d *document) scan(rows *sql.Rows, more ...any) error {
	var facts [5]sql.NullString
	into := []any{&d.row, &d.id, &d.chatID, &d.parent, &d.kind, &d.tool, &d.open, &d.isDeleted}
	for i := range facts {
		into = append(into, &facts[i])
	}
	if err := rows.Scan(append(into, more...)...); err != nil {
		return err
	}
	for _, fact := range facts {
		if fact.String != "" {
			d.texts = append(d.texts, fact.String)
		}
	}
	return nil
}

// markSign is the first character of each mark in the index (see marks). No word or ID starts with it.
const markSign = "§"

// marks returns the index terms by which searches can be restricted to an item's author and kind. It doesn't return
// the term for the item's chat.
func (d *document) marks() string {
	who := backend.HitByOrchestrator
	switch {
	case d.kind == backend.ItemUser:
		who = backend.HitByUser
	case d.kind == backend.ItemBlock || d.parent != "":
		who = backend.HitByCopilot
	}
	marks := " " + markSign + string(who)
	if of := d.of(); of != "" {
		marks += " " + markSign + string(of)
	}
	return marks
}

func (d *document) of() backend.HitCategory {
	switch d.kind {
	case backend.ItemUser:
		return backend.HitMessages
	case backend.ItemMessage:
		return backend.HitAnswers
	case backend.ItemTool:
		switch d.tool {
		case backend.ToolExecute:
			return backend.HitCommands
		case backend.ToolRead, backend.ToolEdit, backend.ToolDelete, backend.ToolMove:
			return backend.HitFiles
		case backend.ToolSearch, backend.ToolThink, backend.ToolFetch, backend.ToolAsk, backend.ToolPlan, backend.ToolOther:
		}
		return backend.HitTools
	case backend.ItemThought, backend.ItemPlan, backend.ItemNote, backend.ItemImage, backend.ItemBlock, backend.ItemBanner:
	}
	return ""
}

// read passes each piece of searchable text in an item to the function take until take returns false.
func (d *document) read(from source, take func(text string) bool) error {
	for _, text := range d.texts {
		if !take(text) {
			return nil
		}
	}
	if d.kind == backend.ItemTool || d.kind == backend.ItemBlock {
		return d.contents(from, take)
	}
	text, err := beginning(from, textPieces, d.id, maxIndexedText)
	if err == nil && text != "" {
		take(text)
	}
	return err
}

// contents passes the searchable text of each of the item's contents to the function take until take returns false. For
// diffs, images, lists of names, requests and review comments, that text is only the path.
func (d *document) contents(from source, take func(text string) bool) error {
	rows, err := from("SELECT id, type, path FROM contents WHERE item_id = ? ORDER BY rowid", d.id)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	type content struct {
		id, path string
		of       backend.ContentType
	}
	var contents []content
	for rows.Next() {
		var c content
		if err := rows.Scan(&c.id, &c.of, &c.path); err != nil {
			return err
		}
		contents = append(contents, c)
	}
	if err := rowsDone(rows); err != nil {
		return err
	}
	for _, c := range contents {
		text := c.path
		switch c.of {
		case backend.ContentText, backend.ContentTerminal, backend.ContentCommand, backend.ContentQuestion, backend.ContentRaw:
			if text, err = beginning(from, bodyPieces, c.id, maxIndexedContent); err != nil {
				return err
			}
		case backend.ContentDiff, backend.ContentImage, backend.ContentNames, backend.ContentRequest, backend.ContentReview:
		}
		if c.of == backend.ContentTerminal {
			text = terms.Plain(text)
		}
		if text != "" && !take(text) {
			return nil
		}
	}
	return nil
}

// beginning returns the first limit bytes of a body, or the whole body if it is shorter.
func beginning(from source, table pieceTable, owner string, limit int) (string, error) {
	rows, err := from("SELECT body FROM "+table.name+" WHERE "+table.owner+" = ? AND offset < ? ORDER BY offset", owner, limit)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	var text strings.Builder
	for rows.Next() && text.Len() < limit {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return "", err
		}
		text.Write(body[:min(len(body), limit-text.Len())])
	}
	return text.String(), rowsDone(rows)
}

// indexTouched indexes the complete items that changed in this transaction. Open items are indexed when they close.
func (w *writer) indexTouched() error {
	for id := range w.touched {
		if err := w.index(id); err != nil {
			return err
		}
	}
	clear(w.touched)
	return nil
}

func (w *writer) index(itemID string) error {
	rows, err := w.rows("SELECT "+documentColumns+" FROM items WHERE id = ?", itemID)
	if err != nil {
		return err
	}
	var d document
	if rows.Next() {
		err = d.scan(rows)
	}
	if err := errors.Join(err, rowsDone(rows)); err != nil {
		return err
	}
	return w.indexDocument(&d)
}

func (w *writer) indexDocument(d *document) error {
	if d.id == "" || d.open || !isSearched(d.kind) {
		return nil
	}
	if d.isDeleted {
		return w.exec("DELETE FROM search WHERE rowid = ?", d.row)
	}
	var words strings.Builder
	err := d.read(w.rows, func(text string) bool {
		terms.Folded(&words, text)
		return true
	})
	if err != nil {
		return err
	}
	return w.exec("INSERT OR REPLACE INTO search (rowid, chat, words) VALUES (?, ?, ?)", d.row, d.chatID+d.marks(), words.String())
}

// indexTitle indexes the changed title of a chat.
func (w *writer) indexTitle(chatID, title string) error {
	var words strings.Builder
	terms.Folded(&words, title)
	return w.exec("INSERT OR REPLACE INTO search (rowid, chat, words) SELECT -rowid, id, ? FROM chats WHERE id = ?", words.String(), chatID)
}

// unindexChat removes an existing chat from the index, and schedules the cleanup of its words and pages (see
// Maintain).
func (w *writer) unindexChat(id string) error {
	err := w.exec(`
DELETE FROM search WHERE rowid IN (
    SELECT rowid FROM items WHERE chat_id = ?1 UNION ALL SELECT -rowid FROM chats WHERE id = ?1
)`, id)
	if err != nil {
		return err
	}
	return w.exec("UPDATE search_state SET tidy = 1")
}
