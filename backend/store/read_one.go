package store

import (
	"context"
	"math"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// Sessions returns the sessions of a chat in order of creation.
func (s *Store) Sessions(ctx context.Context, chatID string) ([]backend.Session, error) {
	var rows []sessionRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Where("chat_id = ?", chatID).Order("created_at, name"), &rows)
	})
	sessions := make([]backend.Session, len(rows))
	for i, row := range rows {
		sessions[i] = backend.Session(row)
	}
	return sessions, err
}

// Turn returns the turn with the given ID, or CodeNotFound if it doesn't exist.
func (s *Store) Turn(ctx context.Context, id string) (turn backend.Turn, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		row, err := one[turnRow](ctx, v, id, errNoMessage)
		turn = backend.Turn(row)
		return err
	})
	return turn, err
}

// TurnUndos returns the undos of a chat's turns, in the order in which the turns started. If chatID is "", it returns
// those of all chats.
func (s *Store) TurnUndos(ctx context.Context, chatID string) ([]backend.TurnUndo, error) {
	var rows []turnUndoRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Where("? IN ('', chat_id)", chatID).Order("rowid"), &rows)
	})
	undos := make([]backend.TurnUndo, len(rows))
	for i, row := range rows {
		undos[i] = backend.TurnUndo(row)
	}
	return undos, err
}

// Item returns the item with the given ID, or CodeNotFound if it doesn't exist.
func (s *Store) Item(ctx context.Context, id string) (item backend.Item, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		row, err := one[itemRow](ctx, v, id, errNoMessage)
		item = backend.Item(row)
		return err
	})
	return item, err
}

// Text returns at most limit bytes of an item's text, starting at offset, and the size of the whole text. It doesn't
// split a character at the end; if limit is smaller than the first character, it returns that character. A limit of 0
// means no limit.
func (s *Store) Text(ctx context.Context, itemID string, offset, limit int64) (text []byte, total int64, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		if _, err := one[itemRow](ctx, v, itemID, errNoMessage); err != nil {
			return err
		}
		if err := v.query(ctx, &total, textPieces.size(), itemID); err != nil {
			return err
		}
		text, err = v.part(ctx, textPieces, itemID, offset, limit, true)
		return err
	})
	return text, total, err
}

// Content returns at most limit bytes of a content's body, starting at offset, and the content's metadata. If the body
// is text, Content doesn't split a character at the end (see Text). A limit of 0 means no limit.
func (s *Store) Content(ctx context.Context, id string, offset, limit int64) (body []byte, content backend.Content, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		row, err := one[contentRow](ctx, v, id, errNoContent)
		if err != nil {
			return err
		}
		content = backend.Content(row)
		body, err = v.part(ctx, bodyPieces, id, offset, limit, content.Type != backend.ContentImage)
		return err
	})
	return body, content, err
}

// Command returns the whole command of a tool call, or "" if it has none.
func (s *Store) Command(ctx context.Context, itemID string) (command string, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		var ids []string
		err := v.query(ctx, &ids, "SELECT id FROM contents WHERE item_id = ? AND type = ?", itemID, backend.ContentCommand)
		if err != nil || len(ids) == 0 {
			return err
		}
		body, err := v.part(ctx, bodyPieces, ids[0], 0, 0, true)
		command = string(body)
		return err
	})
	return command, err
}

// size returns a query for the size of a body.
func (t pieceTable) size() string {
	return "SELECT offset + length(body) FROM " + t.name + " WHERE " + t.owner + " = ? ORDER BY offset DESC LIMIT 1"
}

// part returns at most limit bytes of a body, starting at offset. A limit of 0 means no limit. If isText is set, part
// doesn't split a character at the end; if limit is smaller than the first character, it returns that character.
func (tx *ReadTx) part(ctx context.Context, table pieceTable, owner string, offset, limit int64, isText bool) ([]byte, error) {
	offset = max(offset, 0)
	if most := math.MaxInt64 - offset - utf8.UTFMax; limit <= 0 || limit > most {
		limit = most
	}
	// A few extra bytes show where the last character ends.
	end := offset + limit + utf8.UTFMax
	var pieces []piece
	err := tx.query(ctx, &pieces, `
SELECT offset, body FROM `+table.name+` WHERE `+table.owner+` = ?1 AND offset < ?3
    AND offset >= (SELECT coalesce(max(offset), 0) FROM `+table.name+` WHERE `+table.owner+` = ?1 AND offset <= ?2)
ORDER BY offset`, owner, offset, end)
	if err != nil {
		return nil, err
	}
	var body []byte
	for _, p := range pieces {
		from := min(max(offset-p.Offset, 0), int64(len(p.Body)))
		to := min(end-p.Offset, int64(len(p.Body)))
		body = append(body, p.Body[from:to]...)
	}
	switch {
	case int64(len(body)) <= limit:
		return body, nil
	case isText:
		return body[:terms.Cut(body, int(limit))], nil
	}
	return body[:limit], nil
}
