package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// A Query is a search in all chats.
type Query struct {
	Text   string              // words, "phrases", paths; the last word may be a beginning
	Folder string              // of the chats; "" is all
	ChatID string              // "" is all; of one, a page has hits as they follow one another
	Author backend.HitAuthor   // "" is anyone
	Of     backend.HitCategory // "" is everything
	From   backend.Millis      // not older
	To     backend.Millis      // not newer; 0 is no limit
	Limit  int                 // of hits
	Before string              // Hits.More of the page before, or HitGroup.More with its chat
	Count  bool                // only how many there are, in how many chats
}

// Search finds titles of chats and items that hold all words and phrases of a
// query. Whatever was typed is a query; one without words finds nothing. Chats
// that were deleted are not searched, those that were archived are.
func (tx *ReadTx) Search(ctx context.Context, q Query) (backend.Hits, error) {
	s := &searchRun{
		ctx: ctx, tx: tx, query: q, phrases: terms.Phrases(q.Text),
		hits: backend.Hits{Hits: []backend.Hit{}, Groups: []backend.HitGroup{}},
	}
	if s.query.To <= 0 {
		s.query.To = noEnd
	}
	var unread int
	if err := tx.query(ctx, &unread, "SELECT titles OR items > 0 FROM search_state"); err != nil {
		return s.hits, err
	}
	s.hits.Reading = unread != 0
	if err := s.start.parse(q.Before); err != nil || len(s.phrases) == 0 {
		return s.hits, err
	}
	if some, err := s.setMatch(); err != nil || !some {
		return s.hits, err
	}
	err := s.bounds()
	if err == nil {
		err = s.findTitles()
	}
	s.maxCount = backend.FewHits
	if q.Count || s.isWide { // where more cost little more
		s.maxCount = backend.MaxHits
	}
	switch {
	case err != nil:
	case q.Count:
		err = s.count()
	case q.ChatID != "":
		err = s.inChat()
	default:
		err = s.byChat()
	}
	if err != nil {
		return s.hits, err
	}
	if s.start.total > 0 { // as the first page counted
		s.hits.Total, s.hits.Chats = s.start.total, s.start.chats
	}
	if s.hits.Total > s.maxCount {
		s.hits.Total, s.hits.Capped = s.maxCount, true
	}
	return s.hits, nil
}

// noEnd is above all rows and times.
const noEnd = 1 << 62

// searchRun is a search under way.
type searchRun struct {
	ctx        context.Context // of the one search
	tx         *ReadTx
	query      Query
	phrases    []terms.Phrase
	text       string // in the language of FTS5
	match      string // the same in the chats that are searched
	isWide     bool   // it is for the beginning of very many words, so that each look at the index takes long
	start      page
	maxCount   int       // how far hits are counted
	low, high  int64     // between which rows it looks
	titleChats []chatRow // chats whose titles were found, the newest first
	hits       backend.Hits
}

// A page begins behind so many titles, and below a row. Rows that are newer than
// the first page are no part of those that follow. From the second on, it knows
// how many hits there are, and in how many chats.
type page struct {
	titles int
	below  int64
	top    int64
	total  int
	chats  int
}

func (p page) String() string {
	return fmt.Sprintf("%d,%d,%d,%d,%d", p.titles, p.below, p.top, p.total, p.chats)
}

// parse is for what String made, or "".
func (p *page) parse(before string) error {
	*p = page{below: noEnd, top: noEnd}
	if before == "" {
		return nil
	}
	if _, err := fmt.Sscanf(before, "%d,%d,%d,%d,%d", &p.titles, &p.below, &p.top, &p.total, &p.chats); err != nil || p.titles < 0 {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("This search page isn't valid. Search again."), Detail: before}
	}
	return nil
}

// next is the page that begins behind so many titles and below a row.
func (s *searchRun) next(titles int, below int64) string {
	return page{titles, below, s.high, s.hits.Total, s.hits.Chats}.String()
}

// setMatch makes the expression for the index. It is false where no chat is left
// to be searched.
func (s *searchRun) setMatch() (some bool, err error) {
	endings, err := s.endings()
	if err != nil {
		return false, err
	}
	s.text = terms.Match(s.phrases, endings)
	s.isWide = endings == nil && terms.BeginningOf(s.phrases) != ""
	for _, mark := range []string{string(s.query.Author), string(s.query.Of)} {
		if mark != "" {
			s.text += " AND " + terms.ChatColumn([]string{markSign + mark})
		}
	}
	s.match = s.text
	var chats []struct {
		ID   string
		Gone bool
	}
	err = s.tx.query(s.ctx, &chats, `
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
		s.match += " AND " + terms.ChatColumn(in)
	case len(out) > 0:
		s.match = "(" + s.match + ") NOT " + terms.ChatColumn(out)
	}
	return true, nil
}

// maxEndings is how many words the beginning of one may stand for, until the index
// puts them together itself. That reads all that it has of them, however few are
// wanted.
const maxEndings = 64

// endings are the words that begin as the search ends, but for that beginning
// itself; nil where the search ends otherwise, or they are too many.
func (s *searchRun) endings() ([]string, error) {
	beginning := terms.BeginningOf(s.phrases)
	if beginning == "" {
		return nil, nil
	}
	words := []string{}
	// The least character that a word can have is greater than this one: it leads
	// past all places of a word to the next one.
	const past = "\x01"
	for word := beginning; ; {
		var next []struct{ Term, Col string }
		err := s.tx.query(s.ctx, &next, "SELECT term, col FROM search_words WHERE term >= ? AND term < ? LIMIT 1", word+past, beginning+"\U0010ffff")
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

// read is the items in these rows, as hits.
func (s *searchRun) read(found []int64) (map[int64]backend.Hit, error) {
	list, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	rows, err := s.tx.rows(s.ctx)("SELECT "+documentColumns+`, items.session, items.pos, items.created_at, chats.title, chats.folder
FROM json_each(?) CROSS JOIN items ON items.rowid = value JOIN chats ON chats.id = items.chat_id`, string(list))
	if err != nil {
		return nil, s.tx.failed(err)
	}
	defer func() { _ = rows.Close() }()
	var documents []document
	var hits []backend.Hit
	for rows.Next() {
		var d document
		var h backend.Hit
		if err := d.scan(rows, &h.Session, &h.Pos, &h.At, &h.Title, &h.Folder); err != nil {
			return nil, s.tx.failed(err)
		}
		if d.parent == "" && d.kind != backend.ItemBlock {
			h.Session = ""
		}
		h.ChatID, h.ItemID, h.ParentID, h.Kind, h.Tool = d.chatID, d.id, d.parent, backend.HitKind(d.kind), d.tool
		documents, hits = append(documents, d), append(hits, h)
	}
	if err := rowsDone(rows); err != nil {
		return nil, s.tx.failed(err)
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
func (s *searchRun) excerpt(h *backend.Hit, d *document) error {
	first := ""
	err := d.read(s.tx.rows(s.ctx), func(text string) bool {
		if first == "" {
			first = text
		}
		h.Snippet = terms.Excerpt(text, s.phrases)
		return h.Snippet == nil
	})
	if err != nil {
		return s.tx.failed(err)
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
func (s *searchRun) bounds() (err error) {
	var last int64
	if err := s.tx.query(s.ctx, &last, "SELECT coalesce(max(rowid), 0) FROM items"); err != nil {
		return err
	}
	s.low, s.high = 1, min(last+1, s.start.top)
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
func (s *searchRun) firstSince(at backend.Millis, last int64) (row int64, err error) {
	low, high := int64(1), last+1
	for low < high {
		middle := low + (high-low)/2
		var next struct {
			Row       int64
			CreatedAt backend.Millis
		}
		err := s.tx.query(s.ctx, &next, "SELECT rowid AS row, created_at FROM items WHERE rowid >= ? ORDER BY rowid LIMIT 1", middle)
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
func (tx *ReadTx) rows(ctx context.Context) source {
	return func(query string, args ...any) (*sql.Rows, error) {
		return tx.tx.WithContext(ctx).Raw(query, args...).Rows()
	}
}
