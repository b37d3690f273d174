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
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// Find finds the shown items of a chat that contain the given text, ignoring case. It searches texts such as messages
// and thoughts; plans; delegated tasks; titles, commands and paths of tool calls; and content bodies of any length,
// except images, lists of names, requests and questions. Matches.Capped is set if the result is incomplete because ctx's deadline
// passed or more than backend.MaxMatches items match.
func (tx *ReadTx) Find(ctx context.Context, chatID, text string) (backend.Matches, error) {
	f := &textSearch{text: lower([]byte(text)), matches: map[string]*backend.Match{}}
	found := backend.Matches{Matches: []backend.Match{}}
	if len(f.text) == 0 {
		return found, nil
	}
	if err := f.search(tx.rows(ctx), scope{"items.aside = '' AND items.chat_id", "contents.chat_id", chatID}); err != nil {
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

// MatchLocation returns the location of the nth match in an item, counted from 0, or nil if the item has no such
// match. The matches in the item itself, such as in the title of a tool call, come first, then the matches in its
// text, and then the matches in its contents.
func (tx *ReadTx) MatchLocation(ctx context.Context, itemID, text string, nth int) (*backend.MatchLocation, error) {
	f := &textSearch{text: lower([]byte(text)), matches: map[string]*backend.Match{}, isWanted: true, remaining: max(nth, 0)}
	if len(f.text) == 0 {
		return nil, nil
	}
	if err := f.search(tx.rows(ctx), scope{"items.id", "contents.item_id", itemID}); err != nil {
		return nil, tx.failed(err)
	}
	return f.location, nil
}

// textSearch searches items for a text and collects the matches.
type textSearch struct {
	text      []byte                    // in lower case
	matches   map[string]*backend.Match // by item ID
	isWanted  bool                      // only one match is wanted: the search stops there and sets location
	remaining int                       // number of matches before the wanted one
	location  *backend.MatchLocation
}

// A scope limits a search to the chat or item with the ID id. The field items is the condition for queries on items
// and texts, and contents is the condition for queries on content bodies. Both end with the column to compare with id;
// search adds the comparison.
type scope struct{ items, contents, id string }

// search searches all text in the items within the scope.
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

// The first query reads the columns in which items are searched. The others read the pieces of texts and bodies, each
// with the IDs of its item and content, its content type and its offset. The queries end with an unfinished WHERE
// clause, to which the caller adds a condition.
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
WHERE contents.type NOT IN ('image', 'names', 'request', 'question') AND `
)

// items searches the columns of the items.
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
		if f.isWanted && f.remaining < place.Count {
			f.location = &backend.MatchLocation{Nth: f.remaining}
			break
		}
		f.remaining -= place.Count
	}
	return rowsDone(rows)
}

// bodies searches texts and bodies piece by piece.
func (f *textSearch) bodies(from source, query, of string) error {
	rows, err := from(query, of)
	if err != nil {
		return err
	}
	var last [2]string
	var rest []byte // end of the previous piece, in which a match may start
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
		if place == nil { // the preview of a request without an item, or a content of an item that is set aside
			continue
		}
		if here := [2]string{itemID, id}; here != last {
			last, rest, inBody, lines = here, nil, 0, diffLines{}
		}
		if of == backend.ContentDiff && offset == 0 { // the file names of a diff aren't shown with its lines
			offset = int64(bytes.Index(body, []byte("\n@@ ")) + 1)
			body = body[offset:]
		}
		piece := slices.Concat(rest, body)
		var gaps [][]int // ranges of piece that aren't displayed
		switch of {
		case backend.ContentTerminal:
			gaps = terms.Escapes.FindAllIndex(piece, -1)
		case backend.ContentDiff:
			gaps = lines.hidden(body, len(rest))
		default:
		}
		whole := lower(withoutGaps(piece, gaps))
		end := 0
		for at := bytes.Index(whole, f.text); at >= 0; at = bytes.Index(whole[end:], f.text) {
			if f.isWanted && f.remaining == 0 {
				begins := originalOffset(piece, gaps, end+at)
				f.location = &backend.MatchLocation{ContentID: id, Offset: max(0, offset+int64(begins-len(rest))), Nth: inBody}
				break
			}
			place.Count++
			f.remaining--
			inBody++
			end += at + len(f.text)
		}
		// Text that is part of a match isn't searched again. A character that is split between two pieces is complete
		// in the next one.
		keep := max(end, len(whole)-len(f.text)+1-utf8.UTFMax)
		rest = slices.Clone(whole[min(keep, len(whole)):])
	}
	return rowsDone(rows)
}

// originalOffset converts an offset in the lower-case text without gaps into the corresponding offset in piece. The
// parameter gaps holds the ranges of piece that aren't displayed.
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

// withoutGaps returns piece without the ranges in gaps.
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

// diffLines parses a diff piece by piece. It holds the state of the parser within the current line.
type diffLines struct {
	in    lineOfDiff
	signs int // number of "@" read in a hunk header
}

type lineOfDiff int

const (
	lineBegins lineOfDiff = iota
	lineText
	lineHead     // hunk header up to the second "@@"
	lineHeadEnds // after the second "@@"
	lineNote     // "\ No newline at end of file"
)

// hidden returns the parts of a diff that aren't displayed: line markers, the line numbers of hunks, and notes. It
// returns their ranges in body, the next piece of the diff. The parameter before is added to all offsets in the result.
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

// lower returns text in lower case for comparison. Invalid UTF-8, such as a character split at the end of a piece, is
// left unchanged.
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
