package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// A Query is a search in all chats.
type Query struct {
	Text   string         // words, "phrases", paths; the last word may be a beginning
	Folder string         // of the chats; "" is all
	ChatID string         // "" is all
	From   backend.Millis // not older
	To     backend.Millis // not newer; 0 is no limit
	Limit  int            // of hits
	Before string         // Hits.More of the page before
}

// Search finds titles of chats and items that hold all words and phrases of a
// query. Whatever was typed is a query; one without words finds nothing. Chats
// that were deleted are not searched, those that were archived are.
func (v *View) Search(ctx context.Context, q Query) (backend.Hits, error) {
	s := &searching{ctx: ctx, view: v, query: q, phrases: phrases(q.Text), hits: backend.Hits{Hits: []backend.Hit{}}}
	if s.query.To <= 0 {
		s.query.To = 1 << 62
	}
	var unread int
	if err := v.query(ctx, &unread, "SELECT titles OR items > 0 FROM search_state"); err != nil {
		return s.hits, err
	}
	s.hits.Reading = unread != 0
	if err := s.begun.parse(q.Before); err != nil || len(s.phrases) == 0 {
		return s.hits, err
	}
	if some, err := s.within(); err != nil || !some {
		return s.hits, err
	}
	if err := s.titles(); err != nil {
		return s.hits, err
	}
	if err := s.items(s.begun.below); err != nil {
		return s.hits, err
	}
	if s.hits.Total > backend.MaxHits {
		s.hits.Total, s.hits.Capped = backend.MaxHits, true
	}
	return s.hits, nil
}

// searching is a search under way.
type searching struct {
	ctx     context.Context // of the one search
	view    *View
	query   Query
	phrases []phrase
	match   string // in the language of FTS5, with the chats
	begun   page
	titled  []string // chats whose titles were found
	hits    backend.Hits
}

// A page begins behind so many titles, and below a row. From the second on, it
// knows how many hits there are, and in how many chats.
type page struct {
	titles int
	below  int64
	total  int
	chats  int
}

func (p page) String() string {
	return fmt.Sprintf("%d,%d,%d,%d", p.titles, p.below, p.total, p.chats)
}

// parse is for what String made, or "".
func (p *page) parse(before string) error {
	*p = page{below: 1 << 62}
	if before == "" {
		return nil
	}
	if _, err := fmt.Sscanf(before, "%d,%d,%d,%d", &p.titles, &p.below, &p.total, &p.chats); err != nil || p.titles < 0 {
		return &backend.Error{Code: backend.CodeInvalid, Message: "This is no page of a search. Begin it again.", Detail: before}
	}
	return nil
}

// within makes the expression for the index. It is false where no chat is left
// to be searched.
func (s *searching) within() (some bool, err error) {
	endings, err := s.endings()
	if err != nil {
		return false, err
	}
	s.match = match(s.phrases, endings)
	var chats []struct {
		ID   string
		Gone bool
	}
	err = s.view.query(s.ctx, &chats, `
SELECT id, deleted_at > 0 AS gone FROM chats
WHERE (?1 <> '' OR ?2 <> '' OR deleted_at > 0) AND (?1 = '' OR folder = ?1) AND (?2 = '' OR id = ?2)`, s.query.Folder, s.query.ChatID)
	if err != nil {
		return false, err
	}
	var in, out []string
	for _, c := range chats {
		if c.Gone {
			out = append(out, c.ID)
		} else {
			in = append(in, c.ID)
		}
	}
	switch narrow := s.query.Folder != "" || s.query.ChatID != ""; {
	case narrow && len(in) == 0:
		return false, nil
	case narrow:
		s.match += " AND " + chatColumn(in)
	case len(out) > 0:
		s.match = "(" + s.match + ") NOT " + chatColumn(out)
	}
	return true, nil
}

// maxEndings is how many words the beginning of one may stand for, until the index
// puts them together itself. That reads all that it has of them, however few are
// wanted.
const maxEndings = 64

// endings are the words that begin as the search ends, but for that beginning
// itself; nil where the search ends otherwise, or they are too many.
func (s *searching) endings() ([]string, error) {
	beginning := beginningOf(s.phrases)
	if beginning == "" {
		return nil, nil
	}
	words := []string{}
	// The least character that a word can have is greater than this one: it leads
	// past all places of a word to the next one.
	const past = "\x01"
	for word := beginning; ; {
		var next []struct{ Term, Col string }
		err := s.view.query(s.ctx, &next, "SELECT term, col FROM search_words WHERE term >= ? AND term < ? LIMIT 1", word+past, beginning+"\U0010ffff")
		switch {
		case err != nil || len(next) == 0:
			return words, err
		case len(words) == maxEndings:
			return nil, nil
		}
		if word = next[0].Term; next[0].Col == "words" {
			words = append(words, word)
		}
	}
}

// titles finds titles, those of the newest chats first.
func (s *searching) titles() error {
	skip := s.begun.titles
	if skip > backend.MaxHits {
		return nil // all were told
	}
	var chats []chatRow
	err := s.view.query(s.ctx, &chats, `
SELECT chats.* FROM search CROSS JOIN chats ON chats.rowid = -search.rowid
WHERE search MATCH ? AND search.rowid < 0 AND updated_at BETWEEN ? AND ? LIMIT ?`,
		s.match, s.query.From, s.query.To, backend.MaxHits+1)
	if err != nil {
		return err
	}
	s.hits.Total = len(chats)
	for _, chat := range chats {
		s.titled = append(s.titled, chat.ID)
	}
	slices.SortFunc(chats, func(a, b chatRow) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), strings.Compare(a.ID, b.ID))
	})
	for i, chat := range chats[min(skip, len(chats)):] {
		if i == s.query.Limit {
			s.hits.More = page{titles: skip + i, below: 1 << 62}.String()
			break
		}
		s.hits.Hits = append(s.hits.Hits, backend.Hit{
			ChatID: chat.ID, Title: chat.Title, Folder: chat.Folder, Kind: backend.HitTitle, At: chat.UpdatedAt,
			Snippet: excerpt(chat.Title, s.phrases),
		})
	}
	return nil
}

// items finds items, the newest first, that are below a row.
func (s *searching) items(below int64) error {
	found, err := s.rows(below)
	if err != nil || s.hits.More != "" {
		return err
	}
	left := s.query.Limit - len(s.hits.Hits)
	if len(found) > left {
		found = found[:left]
		last := below
		if left > 0 {
			last = found[left-1]
		}
		s.hits.More = page{backend.MaxHits + 1, last, s.hits.Total, s.hits.Chats}.String()
	}
	return s.read(found)
}

// rows are the rows of the items below one, the newest first: as many as are
// counted, and at least one more than the page has room for.
func (s *searching) rows(below int64) (found []int64, err error) {
	low, high, err := s.bounds()
	if err != nil {
		return nil, err
	}
	// Without a time the index knows them alone.
	query, args := "FROM search WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ?", []any{s.match, low, min(high, below)}
	if s.query.From > 0 || s.query.To < 1<<62 {
		query = `FROM search CROSS JOIN items ON items.rowid = search.rowid
WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ? AND items.created_at BETWEEN ? AND ?`
		args = append(args, s.query.From, s.query.To)
	}
	limit := s.query.Limit + 1
	if s.begun.total == 0 {
		limit = max(limit, backend.MaxHits+1)
	}
	err = s.view.query(s.ctx, &found, "SELECT search.rowid "+query+" ORDER BY search.rowid DESC LIMIT ?", append(args, limit)...)
	if s.begun.total > 0 {
		s.hits.Total, s.hits.Chats = s.begun.total, s.begun.chats
		return found, err
	}
	s.hits.Total += len(found)
	if err == nil && s.hits.Total <= backend.MaxHits {
		s.hits.Chats, err = s.chats(found)
	}
	return found, err
}

// chats is how many chats the titles that were found, and the items in these rows,
// are of.
func (s *searching) chats(found []int64) (n int, err error) {
	rows, err := json.Marshal(found)
	if err != nil {
		return 0, err
	}
	err = s.view.query(s.ctx, &n, `
SELECT count(*) FROM (SELECT chat_id FROM items WHERE rowid IN (SELECT value FROM json_each(?)) UNION SELECT value FROM json_each(?))`,
		string(rows), idList(s.titled))
	return n, err
}

// read adds the items in these rows to the hits.
func (s *searching) read(found []int64) error {
	list, err := json.Marshal(found)
	if err != nil {
		return err
	}
	rows, err := s.view.rows(s.ctx)("SELECT "+documentColumns+`, items.parent_id, items.session, items.pos, items.created_at, chats.title, chats.folder
FROM json_each(?) CROSS JOIN items ON items.rowid = value JOIN chats ON chats.id = items.chat_id ORDER BY items.rowid DESC`, string(list))
	if err != nil {
		return s.view.failed(err)
	}
	defer func() { _ = rows.Close() }()
	var documents []document
	var hits []backend.Hit
	for rows.Next() {
		var d document
		var h backend.Hit
		if err := d.scan(rows, &h.ParentID, &h.Session, &h.Pos, &h.At, &h.Title, &h.Folder); err != nil {
			return s.view.failed(err)
		}
		if h.ParentID == "" && d.kind != backend.ItemBlock {
			h.Session = ""
		}
		h.ChatID, h.ItemID, h.Kind = d.chatID, d.id, backend.HitKind(d.kind)
		documents, hits = append(documents, d), append(hits, h)
	}
	if err := rowsDone(rows); err != nil {
		return s.view.failed(err)
	}
	for i, d := range documents {
		if err := s.excerpt(&hits[i], &d); err != nil {
			return err
		}
	}
	s.hits.Hits = append(s.hits.Hits, hits...)
	return nil
}

// excerpt reads what the hit is in.
func (s *searching) excerpt(h *backend.Hit, d *document) error {
	first := ""
	err := d.read(s.view.rows(s.ctx), func(text string) bool {
		if first == "" {
			first = text
		}
		h.Snippet = excerpt(text, s.phrases)
		return h.Snippet == nil
	})
	if err != nil {
		return s.view.failed(err)
	}
	if h.Snippet == nil { // what was found goes from one part of it to the next
		_, to := around(first, 0)
		h.Snippet = []backend.Excerpt{{Text: oneLine(first[:to])}}
	}
	return nil
}

// disorder is how much older, or newer, an item may be than those whose rows were
// made before, or after, its own: rows are made in the order of events.
const disorder = 60 * 60 * 1000

// bounds are the rows between which the items of the time in question are, so that
// no others are looked at. Rows are made as time goes by.
func (s *searching) bounds() (low, high int64, err error) {
	low, high = 1, 1<<62
	if s.query.From > disorder {
		if low, err = s.firstSince(s.query.From - disorder); err != nil {
			return 0, 0, err
		}
	}
	if s.query.To < 1<<62-disorder {
		high, err = s.firstSince(s.query.To + disorder)
	}
	return low, high, err
}

// firstSince is the first row that was made since a time.
func (s *searching) firstSince(at backend.Millis) (row int64, err error) {
	var last int64
	if err := s.view.query(s.ctx, &last, "SELECT coalesce(max(rowid), 0) FROM items"); err != nil {
		return 0, err
	}
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
