package store

import (
	"context"
	"math"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// Text is at most limit bytes of an item's text from offset on, and the size of
// the whole. It ends between characters, and is more than limit where not even
// one fits. A limit of 0 means all the rest.
func (v *View) Text(ctx context.Context, itemID string, offset, limit int64) (text []byte, total int64, err error) {
	var found []string
	if err := v.query(ctx, &found, "SELECT id FROM items WHERE id = ?", itemID); err != nil {
		return nil, 0, err
	}
	if len(found) == 0 {
		return nil, 0, notFound("message")
	}
	if total, err = v.size(ctx, textPieces, itemID); err != nil {
		return nil, 0, err
	}
	text, err = v.part(ctx, textPieces, itemID, offset, limit, true)
	return text, total, err
}

// Content is at most limit bytes of a body from offset on, and the facts about
// it. Text ends between characters, as that of View.Text does. A limit of 0
// means all the rest.
func (v *View) Content(ctx context.Context, id string, offset, limit int64) (body []byte, content backend.Content, err error) {
	var rows []contentRow
	if err := v.query(ctx, &rows, "SELECT * FROM contents WHERE id = ?", id); err != nil {
		return nil, content, err
	}
	if len(rows) == 0 {
		return nil, content, notFound("content")
	}
	content = backend.Content(rows[0])
	body, err = v.part(ctx, bodyPieces, id, offset, limit, content.Type != backend.ContentImage)
	return body, content, err
}

// Text is View.Text, now.
func (s *Store) Text(ctx context.Context, itemID string, offset, limit int64) (text []byte, total int64, err error) {
	err = s.View(ctx, func(v *View) error {
		text, total, err = v.Text(ctx, itemID, offset, limit)
		return err
	})
	return text, total, err
}

// Content is View.Content, now.
func (s *Store) Content(ctx context.Context, id string, offset, limit int64) (body []byte, content backend.Content, err error) {
	err = s.View(ctx, func(v *View) error {
		body, content, err = v.Content(ctx, id, offset, limit)
		return err
	})
	return body, content, err
}

// size is the size of a whole body.
func (v *View) size(ctx context.Context, table pieceTable, owner string) (size int64, err error) {
	err = v.query(ctx, &size,
		"SELECT offset + length(body) FROM "+table.name+" WHERE "+table.owner+" = ? ORDER BY offset DESC LIMIT 1", owner)
	return size, err
}

// part is a part of a body.
func (v *View) part(ctx context.Context, table pieceTable, owner string, offset, limit int64, isText bool) ([]byte, error) {
	offset = max(offset, 0)
	if limit <= 0 || limit > math.MaxInt64-offset-utf8.UTFMax {
		limit = math.MaxInt64 - offset - utf8.UTFMax
	}
	end := offset + limit
	if isText {
		end += utf8.UTFMax // to see where the last character ends
	}
	var pieces []piece
	err := v.query(ctx, &pieces, `
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
	if int64(len(body)) <= limit {
		return body, nil
	}
	if isText {
		return body[:cutRunes(body, int(limit))], nil
	}
	return body[:limit], nil
}

// cutRunes is where to cut text that is longer than limit: at most there, or
// after its first character, and between characters wherever it is UTF-8.
func cutRunes(text []byte, limit int) int {
	for cut := limit; cut > 0 && cut > limit-utf8.UTFMax; cut-- {
		if utf8.RuneStart(text[cut]) {
			return cut
		}
	}
	if limit < utf8.UTFMax {
		_, first := utf8.DecodeRune(text)
		return first
	}
	return limit
}
