package store

import (
	"database/sql"
	"errors"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// maxPiece is the size of the longest row in texts and content_bodies.
const maxPiece = 64 * 1024

// A pieceTable is a table that holds bodies in pieces: those of an owner follow
// one another without a gap.
type pieceTable struct{ name, owner string }

var (
	textPieces = pieceTable{"texts", "item_id"}
	bodyPieces = pieceTable{"content_bodies", "content_id"}
)

// A text is what a transaction knows of an item's text: its size, and what of
// it waits to be written.
type text struct {
	size    int64 // with what waits
	waiting []byte
}

// text takes a piece of text. It is written at the end of the transaction, or
// before something that depends on it, so that the pieces of one batch become
// one row.
func (w *writer) text(e *backend.Event) error {
	t := e.Text
	known := w.texts[t.ItemID]
	if known == nil {
		var err error
		if known, err = w.known(t.ItemID); err != nil {
			return err
		}
		w.texts[t.ItemID] = known
	}
	// What starts before the end was seen already; what starts after it
	// follows a piece that was lost, and closes up.
	fresh, at := t.Text, known.size
	if seen := at - t.Offset; seen > 0 {
		fresh = fresh[min(seen, int64(len(fresh))):]
	}
	if fresh == "" {
		w.complete = append(w.complete, func() { *e = backend.Event{} })
		return nil
	}
	known.waiting = append(known.waiting, fresh...)
	known.size += int64(len(fresh))
	size := known.size
	w.complete = append(w.complete, func() { t.Text, t.Offset, t.Size = fresh, at, size })
	return nil
}

// known is what the database knows of an item's text.
func (w *writer) known(itemID string) (*text, error) {
	t := &text{}
	var open bool
	err := w.conn.QueryRowContext(background, `
SELECT open, coalesce((SELECT offset + length(body) FROM texts WHERE item_id = items.id ORDER BY offset DESC LIMIT 1), 0)
FROM items WHERE id = ?`, itemID).Scan(&open, &t.size)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errOwnerDeleted
	}
	if !open { // else it is indexed when it closes
		w.touched[itemID] = true
	}
	return t, err
}

// flush writes the text of an item that waits.
func (w *writer) flush(itemID string) error {
	t := w.texts[itemID]
	if t == nil || len(t.waiting) == 0 {
		return nil
	}
	err := w.insertPieces(textPieces, itemID, t.size-int64(len(t.waiting)), t.waiting)
	t.waiting = nil
	return err
}

// flushAll writes all text that waits.
func (w *writer) flushAll() error {
	for itemID := range w.texts {
		if err := w.flush(itemID); err != nil {
			return err
		}
	}
	return nil
}

// insertPieces inserts a body that starts at offset.
func (w *writer) insertPieces(table pieceTable, owner string, offset int64, body []byte) error {
	insert := "INSERT INTO " + table.name + " (" + table.owner + ", offset, body) VALUES (?, ?, ?)"
	for part := range slices.Chunk(body, maxPiece) {
		if err := w.exec(insert, owner, offset, part); err != nil {
			return err
		}
		offset += int64(len(part))
	}
	return nil
}

// compact makes few long rows of the many short ones in which the text of an
// item came. It is done once it has ended.
func (w *writer) compact(itemID string) error {
	var rows, size int64
	err := w.conn.QueryRowContext(background,
		"SELECT count(*), coalesce(sum(length(body)), 0) FROM texts WHERE item_id = ?", itemID).Scan(&rows, &size)
	if err != nil || rows <= (size+maxPiece-1)/maxPiece {
		return err
	}
	return w.repack(textPieces, itemID)
}

// repack rewrites a body in as few pieces as there can be, without gaps.
func (w *writer) repack(table pieceTable, owner string) error {
	body, err := w.whole(table, owner)
	if err != nil {
		return err
	}
	if err := w.exec("DELETE FROM "+table.name+" WHERE "+table.owner+" = ?", owner); err != nil {
		return err
	}
	return w.insertPieces(table, owner, 0, body)
}

// whole is a whole body.
func (w *writer) whole(table pieceTable, owner string) (body []byte, err error) {
	rows, err := w.conn.QueryContext(background, "SELECT body FROM "+table.name+" WHERE "+table.owner+" = ? ORDER BY offset", owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var part sql.RawBytes
		if err := rows.Scan(&part); err != nil {
			return nil, err
		}
		body = append(body, part...)
	}
	return body, rows.Err()
}
