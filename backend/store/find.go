package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// Find finds the items of a chat that hold a text, whatever its case, in all that
// the transcript shows of them: what was said and thought, titles, commands and
// paths of tools, plans, and bodies of any length. Where ctx ends before all was
// read, what was found until then is the answer, and it says so.
func (v *View) Find(ctx context.Context, chatID, text string) (backend.Places, error) {
	f := &finding{text: lower([]byte(text)), places: map[string]*backend.Place{}}
	found := backend.Places{Places: []backend.Place{}}
	if len(f.text) == 0 {
		return found, nil
	}
	err := f.items(v.rows(ctx), chatID)
	for _, query := range []string{findTexts, findBodies} {
		if err == nil {
			err = f.bodies(v.rows(ctx), query, chatID)
		}
	}
	if err != nil {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return found, v.failed(err)
		}
		found.Capped = true
	}
	for _, place := range f.places {
		if place.Count > 0 {
			found.Total += place.Count
			found.Places = append(found.Places, *place)
		}
	}
	slices.SortFunc(found.Places, func(a, b backend.Place) int { return cmp.Compare(a.Pos, b.Pos) })
	if len(found.Places) > backend.MaxPlaces {
		found.Places, found.Capped = found.Places[:backend.MaxPlaces], true
	}
	return found, nil
}

// finding is a text that is looked for, and the items of the chat.
type finding struct {
	text   []byte
	places map[string]*backend.Place
}

// items looks at what stands in the items themselves.
func (f *finding) items(from source, chatID string) error {
	rows, err := from(`
SELECT id, parent_id, pos, tool ->> '$.title', tool ->> '$.command', tool ->> '$.path', tool ->> '$.to', block ->> '$.prompt',
    (SELECT group_concat(value ->> '$.content', char(10)) FROM json_each(plan))
FROM items WHERE chat_id = ?`, chatID)
	if err != nil {
		return err
	}
	for rows.Next() {
		var place backend.Place
		var facts [6]sql.NullString
		into := []any{&place.ItemID, &place.ParentID, &place.Pos}
		for i := range facts {
			into = append(into, &facts[i])
		}
		if err := rows.Scan(into...); err != nil {
			return errors.Join(err, rowsDone(rows))
		}
		for _, fact := range facts {
			place.Count += bytes.Count(lower([]byte(fact.String)), f.text)
		}
		f.places[place.ItemID] = &place
	}
	return rowsDone(rows)
}

// Texts, and bodies of contents, in pieces: whose item, whose body, how it is
// shown, and the piece.
const (
	findTexts = `
SELECT items.id, items.id, '', texts.body FROM items JOIN texts ON texts.item_id = items.id
WHERE items.chat_id = ? ORDER BY items.pos, texts.offset`
	findBodies = `
SELECT contents.item_id, contents.id, contents.type, content_bodies.body
FROM contents CROSS JOIN content_bodies ON content_bodies.content_id = contents.id
WHERE contents.chat_id = ? AND contents.type <> 'image' ORDER BY contents.rowid, content_bodies.offset`
)

// bodies looks at what stands in bodies, piece by piece.
func (f *finding) bodies(from source, query, chatID string) error {
	rows, err := from(query, chatID)
	if err != nil {
		return err
	}
	var last string
	var rest []byte // the end of the piece before, where the text may begin
	for rows.Next() {
		var itemID, id string
		var of backend.ContentType
		var body sql.RawBytes
		if err := rows.Scan(&itemID, &id, &of, &body); err != nil {
			return errors.Join(err, rowsDone(rows))
		}
		place := f.places[itemID]
		if place == nil { // the preview of a request that is about nothing else
			continue
		}
		if id != last {
			last, rest = id, nil
		}
		piece := slices.Concat(rest, body)
		if of == backend.ContentTerminal {
			piece = []byte(plain(string(piece)))
		}
		whole := lower(piece)
		n, end := 0, 0
		for at := bytes.Index(whole, f.text); at >= 0; at = bytes.Index(whole[end:], f.text) {
			n++
			end += at + len(f.text)
		}
		place.Count += n
		// What was counted is not looked at again. A character that the pieces
		// cut in two is whole in the next.
		keep := max(end, len(whole)-len(f.text)+1-utf8.UTFMax)
		rest = slices.Clone(whole[min(keep, len(whole)):])
	}
	return rowsDone(rows)
}

// lower is text as it is compared. What is no text, as at the end of a piece that
// was cut within a character, stays as it is.
func lower(text []byte) []byte {
	to := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			to, text = append(to, c), text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			to = append(to, text[0])
		} else {
			to = utf8.AppendRune(to, unicode.ToLower(r))
		}
		text = text[size:]
	}
	return to
}
