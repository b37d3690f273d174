package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// read is the items in these rows, as hits.
func (s *searching) read(found []int64) (map[int64]backend.Hit, error) {
	list, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	rows, err := s.view.rows(s.ctx)("SELECT "+documentColumns+`, items.session, items.pos, items.created_at, chats.title, chats.folder
FROM json_each(?) CROSS JOIN items ON items.rowid = value JOIN chats ON chats.id = items.chat_id`, string(list))
	if err != nil {
		return nil, s.view.failed(err)
	}
	defer func() { _ = rows.Close() }()
	var documents []document
	var hits []backend.Hit
	for rows.Next() {
		var d document
		var h backend.Hit
		if err := d.scan(rows, &h.Session, &h.Pos, &h.At, &h.Title, &h.Folder); err != nil {
			return nil, s.view.failed(err)
		}
		if d.parent == "" && d.kind != backend.ItemBlock {
			h.Session = ""
		}
		h.ChatID, h.ItemID, h.ParentID, h.Kind, h.Tool = d.chatID, d.id, d.parent, backend.HitKind(d.kind), d.tool
		documents, hits = append(documents, d), append(hits, h)
	}
	if err := rowsDone(rows); err != nil {
		return nil, s.view.failed(err)
	}
	byRow := make(map[int64]backend.Hit, len(hits))
	for i, d := range documents {
		if err := s.excerpt(&hits[i], &d); err != nil {
			return nil, err
		}
		byRow[d.row] = hits[i]
	}
	return byRow, nil
}

// excerpt reads what the hit is in.
func (s *searching) excerpt(h *backend.Hit, d *document) error {
	first := ""
	err := d.read(s.view.rows(s.ctx), func(text string) bool {
		if first == "" {
			first = text
		}
		h.Snippet = terms.Excerpt(text, s.phrases)
		return h.Snippet == nil
	})
	if err != nil {
		return s.view.failed(err)
	}
	if h.Snippet == nil { // what was found goes from one part of it to the next
		_, to := terms.Around(first, 0)
		h.Snippet = []backend.Excerpt{{Text: terms.OneLine(first[:to])}}
	}
	return nil
}

// disorder is how much older, or newer, an item may be than those whose rows were
// made before, or after, its own: rows are made in the order of events.
const disorder = 60 * 60 * 1000

// bounds finds the rows between which the items of the time in question are, so that
// no others are looked at. Rows are made as time goes by.
func (s *searching) bounds() (err error) {
	var last int64
	if err := s.view.query(s.ctx, &last, "SELECT coalesce(max(rowid), 0) FROM items"); err != nil {
		return err
	}
	s.low, s.high = 1, min(last+1, s.begun.top)
	if s.query.From > disorder {
		if s.low, err = s.firstSince(s.query.From-disorder, last); err != nil {
			return err
		}
	}
	if s.query.To < noEnd-disorder {
		high, err := s.firstSince(s.query.To+disorder, last)
		s.high = min(s.high, high)
		return err
	}
	return nil
}

// firstSince is the first row that was made since a time.
func (s *searching) firstSince(at backend.Millis, last int64) (row int64, err error) {
	low, high := int64(1), last+1
	for low < high {
		middle := low + (high-low)/2
		var next struct {
			Row       int64
			CreatedAt backend.Millis
		}
		err := s.view.query(s.ctx, &next, "SELECT rowid AS row, created_at FROM items WHERE rowid >= ? ORDER BY rowid LIMIT 1", middle)
		switch {
		case err != nil:
			return 0, err
		case next.CreatedAt >= at:
			high = middle
		default:
			low = next.Row + 1
		}
	}
	return low, nil
}

// rows is the view as a source.
func (v *View) rows(ctx context.Context) source {
	return func(query string, args ...any) (*sql.Rows, error) {
		return v.tx.WithContext(ctx).Raw(query, args...).Rows()
	}
}
