package store

import (
	"database/sql"
	"errors"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// maxPiece is the maximum body size of a row in texts and content_bodies, in bytes.
const maxPiece = 64 * 1024

// A pieceTable describes a table that stores bodies in pieces: its name, and the name of the column that contains the
// ID of a piece's owner. There are no gaps between an owner's pieces.
type pieceTable struct{ name, owner string }

var (
	textPieces = pieceTable{"texts", "item_id"}
	bodyPieces = pieceTable{"content_bodies", "content_id"}
)

// A text is the state of an item's text within a transaction: its size, and the part that hasn't been written yet.
type text struct {
	size    int64 // in bytes, including waiting
	waiting []byte
}

// text adds a piece of text to an item. The piece is written at the end of the transaction, or before a statement that
// depends on it, so that pieces added one after another share rows.
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
	// Skip the part that is already stored. If the new text starts after the end of the stored text, a piece
	// between them was lost: append the new text without a gap.
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

// known returns the state of an item's stored text, or errOwnerDeleted if the item doesn't exist.
func (w *writer) known(itemID string) (*text, error) {
	t := &text{}
	var open bool
	err := w.conn.QueryRowContext(background, `
SELECT open, coalesce((SELECT offset + length(body) FROM texts WHERE item_id = items.id ORDER BY offset DESC LIMIT 1), 0)
FROM items WHERE id = ?`, itemID).Scan(&open, &t.size)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errOwnerDeleted
	}
	if !open { // an open item is indexed when it closes
		w.touched[itemID] = true
	}
	return t, err
}

// flush writes the pending text of an item.
func (w *writer) flush(itemID string) error {
	t := w.texts[itemID]
	if t == nil || len(t.waiting) == 0 {
		return nil
	}
	err := w.insertPieces(textPieces, itemID, t.size-int64(len(t.waiting)), t.waiting)
	t.waiting = nil
	return err
}

// flushAll writes all pending text.
func (w *writer) flushAll() error {
	for itemID := range w.texts {
		if err := w.flush(itemID); err != nil {
			return err
		}
	}
	return nil
}

// insertPieces inserts part of a body in rows of at most maxPiece bytes. The parameter offset is the position of this
// part in the body.
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

// compact merges the many short rows in which the text of a completed item arrived.
func (w *writer) compact(itemID string) error {
	var rows, size int64
	err := w.conn.QueryRowContext(background,
		"SELECT count(*), coalesce(sum(length(body)), 0) FROM texts WHERE item_id = ?", itemID).Scan(&rows, &size)
	if err != nil || rows <= (size+maxPiece-1)/maxPiece {
		return err
	}
	return w.repack(textPieces, itemID)
}

// repack rewrites a body in as few pieces as possible, without gaps.
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

// whole returns a body with all its pieces joined.
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
