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
func (tx *ReadTx) Find(ctx context.Context, chatID, text string) (backend.Matches, error) {
	f := &textSearch{text: lower([]byte(text)), matches: map[string]*backend.Match{}}
	found := backend.Matches{Matches: []backend.Match{}}
	if len(f.text) == 0 {
		return found, nil
	}
	if err := f.search(tx.rows(ctx), scope{"items.chat_id", "contents.chat_id", chatID}); err != nil {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return found, tx.failed(err)
		}
		found.Capped = true
	}
	for _, place := range f.matches {
		if place.Count > 0 {
			found.Total += place.Count
			found.Matches = append(found.Matches, *place)
		}
	}
	slices.SortFunc(found.Matches, func(a, b backend.Match) int { return cmp.Compare(a.Pos, b.Pos) })
	if len(found.Matches) > backend.MaxMatches {
		found.Matches, found.Capped = found.Matches[:backend.MaxMatches], true
	}
	return found, nil
}

// MatchLocation is where a text stands in an item for the nth time, counted from 0, in the
// order in which Find counts; nil where it does not stand there as often.
func (tx *ReadTx) MatchLocation(ctx context.Context, itemID, text string, nth int) (*backend.MatchLocation, error) {
	f := &textSearch{text: lower([]byte(text)), matches: map[string]*backend.Match{}, isWanted: true, left: max(nth, 0)}
	if len(f.text) == 0 {
		return nil, nil
	}
	if err := f.search(tx.rows(ctx), scope{"items.id", "contents.item_id", itemID}); err != nil {
		return nil, tx.failed(err)
	}
	return f.location, nil
}

// textSearch is a text that is looked for, and the items that it is looked for in.
type textSearch struct {
	text     []byte
	matches  map[string]*backend.Match
	isWanted bool // it is looked for until it was found once more than left
	left     int
	location *backend.MatchLocation
}

// A scope is the chat, or the item, that is looked through: the columns that say
// which items and contents are of it.
type scope struct{ items, contents, id string }

// search looks at all that there is to the items.
func (f *textSearch) search(from source, in scope) error {
	err := f.items(from, findItems+in.items+" = ?", in.id)
	if err == nil && f.location == nil {
		err = f.bodies(from, findTexts+in.items+" = ? ORDER BY items.pos, texts.offset", in.id)
	}
	if err == nil && f.location == nil {
		err = f.bodies(from, findBodies+in.contents+" = ? ORDER BY contents.rowid, content_bodies.offset", in.id)
	}
	return err
}

// Items, texts, and bodies of contents: what stands in the items themselves; and
// in pieces, whose item, whose body, how it is shown, and where the piece begins.
const (
	findItems = `
SELECT id, parent_id, pos, tool ->> '$.title', tool ->> '$.command', tool ->> '$.path', tool ->> '$.to', block ->> '$.prompt',
    (SELECT group_concat(value ->> '$.content', char(10)) FROM json_each(plan))
FROM items WHERE `
	findTexts = `
SELECT items.id, '', '', texts.offset, texts.body FROM items JOIN texts ON texts.item_id = items.id
WHERE `
	findBodies = `
SELECT contents.item_id, contents.id, contents.type, content_bodies.offset, content_bodies.body
FROM contents CROSS JOIN content_bodies ON content_bodies.content_id = contents.id
WHERE contents.type NOT IN ('image', 'names') AND `
)

// items looks at what stands in the items themselves.
func (f *textSearch) items(from source, query, id string) error {
	rows, err := from(query, id)
	if err != nil {
		return err
	}
	for rows.Next() {
		var place backend.Match
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
		f.matches[place.ItemID] = &place
		if f.isWanted && f.left < place.Count {
			f.location = &backend.MatchLocation{Nth: f.left}
			break
		}
		f.left -= place.Count
	}
	return rowsDone(rows)
}

// bodies looks at what stands in bodies, piece by piece.
func (f *textSearch) bodies(from source, query, of string) error {
	rows, err := from(query, of)
	if err != nil {
		return err
	}
	var last [2]string
	var rest []byte // the end of the piece before, where the text may begin
	inBody := 0
	var lines diffLines
	for rows.Next() && f.location == nil {
		var itemID, id string
		var of backend.ContentType
		var offset int64
		var body sql.RawBytes
		if err := rows.Scan(&itemID, &id, &of, &offset, &body); err != nil {
			return errors.Join(err, rowsDone(rows))
		}
		place := f.matches[itemID]
		if place == nil { // the preview of a request that is about nothing else
			continue
		}
		if here := [2]string{itemID, id}; here != last {
			last, rest, inBody, lines = here, nil, 0, diffLines{}
		}
		if of == backend.ContentDiff && offset == 0 { // the names of the file are not shown with its lines
			offset = int64(bytes.Index(body, []byte("\n@@ ")) + 1)
			body = body[offset:]
		}
		piece := slices.Concat(rest, body)
		var gaps [][]int // what is not compared
		switch of {
		case backend.ContentTerminal:
			gaps = escapes.FindAllIndex(piece, -1)
		case backend.ContentDiff:
			gaps = lines.hidden(body, len(rest))
		default:
		}
		whole := lower(withoutGaps(piece, gaps))
		end := 0
		for at := bytes.Index(whole, f.text); at >= 0; at = bytes.Index(whole[end:], f.text) {
			if f.isWanted && f.left == 0 {
				begins := originalOffset(piece, gaps, end+at)
				f.location = &backend.MatchLocation{ContentID: id, Offset: max(0, offset+int64(begins-len(rest))), Nth: inBody}
				break
			}
			place.Count++
			f.left--
			inBody++
			end += at + len(f.text)
		}
		// What was counted is not looked at again. A character that the pieces
		// cut in two is whole in the next.
		keep := max(end, len(whole)-len(f.text)+1-utf8.UTFMax)
		rest = slices.Clone(whole[min(keep, len(whole)):])
	}
	return rowsDone(rows)
}

// originalOffset is the byte of a piece that a byte of what is compared comes from.
func originalOffset(piece []byte, gaps [][]int, at int) int {
	for i := 0; i < len(piece); {
		if len(gaps) > 0 && i >= gaps[0][0] {
			i, gaps = gaps[0][1], gaps[1:]
			continue
		}
		_, size := utf8.DecodeRune(piece[i:])
		if at -= len(lower(piece[i : i+size])); at < 0 {
			return i
		}
		i += size
	}
	return len(piece)
}

// withoutGaps is a piece without its gaps.
func withoutGaps(piece []byte, gaps [][]int) []byte {
	if len(gaps) == 0 {
		return piece
	}
	out := make([]byte, 0, len(piece))
	from := 0
	for _, gap := range gaps {
		out = append(out, piece[from:gap[0]]...)
		from = gap[1]
	}
	return append(out, piece[from:]...)
}

// diffLines is how far a diff was read within a line.
type diffLines struct {
	in    lineOfDiff
	signs int // of a head, how many "@" were read
}

type lineOfDiff int

const (
	lineBegins lineOfDiff = iota
	lineText
	lineHead     // of a hunk, until its numbers end
	lineHeadEnds // and behind them
	lineNote     // about a last line without its newline
)

// hidden is what the lines of a diff are not shown with: the signs before them, the
// numbers of hunks, and notes. Each place is counted from before on.
func (d *diffLines) hidden(body []byte, before int) (gaps [][]int) {
	for i, c := range body {
		hides := false
		switch {
		case c == '\n':
			d.in = lineBegins
		case d.in == lineBegins:
			hides, d.in, d.signs = true, lineText, 1
			switch c {
			case '@':
				d.in = lineHead
			case '\\':
				d.in = lineNote
			}
		case d.in == lineHead:
			if hides = true; c == '@' {
				d.signs++
			}
			if d.signs == 4 {
				d.in = lineHeadEnds
			}
		case d.in == lineHeadEnds:
			hides, d.in = c == ' ', lineText
		case d.in == lineNote:
			hides = true
		}
		if !hides {
			continue
		}
		if at := before + i; len(gaps) > 0 && gaps[len(gaps)-1][1] == at {
			gaps[len(gaps)-1][1]++
		} else {
			gaps = append(gaps, []int{at, at + 1})
		}
	}
	return gaps
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
