package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// A Query is a search across all chats.
type Query struct {
	Text   string              // words, "phrases", paths; the last word may be a prefix
	Folder string              // of the chats; "" means all
	ChatID string              // "" means all; within one chat, hits are in transcript order, newest first
	Author backend.HitAuthor   // "" means any author
	Of     backend.HitCategory // "" means everything
	From   backend.Millis      // only hits at or after this time
	To     backend.Millis      // only hits at or before this time; 0 means no limit
	Limit  int                 // maximum number of hits on the page
	Before string              // "" for the first page; otherwise Hits.More of the previous page, or HitGroup.More with ChatID set
	Count  bool                // only count hits and chats, without returning hits
}

// Search finds chat titles and items that contain all words and phrases of a query. Any text is a valid
// query; one without words finds nothing. Deleted chats are excluded, and archived ones are included.
func (tx *ReadTx) Search(ctx context.Context, q Query) (backend.Hits, error) {
	s := &searchRun{
		ctx: ctx, tx: tx, query: q, phrases: terms.Phrases(q.Text),
		hits: backend.Hits{Hits: []backend.Hit{}, Groups: []backend.HitGroup{}},
	}
	if s.query.To <= 0 {
		s.query.To = noEnd
	}
	var unread int
	if err := tx.query(ctx, &unread, "SELECT titles OR items > 0 OR EXISTS (SELECT 1 FROM search_ranges) FROM search_state"); err != nil {
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
	if q.Count || s.isWide { // the time depends little on the limit
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
	if s.start.total > 0 { // the number that was counted for the first page
		s.hits.Total, s.hits.Chats = s.start.total, s.start.chats
	}
	if s.hits.Total > s.maxCount {
		s.hits.Total, s.hits.Capped = s.maxCount, true
	}
	return s.hits, nil
}

// noEnd is greater than all row IDs and times.
const noEnd = 1 << 62

// searchRun is a search in progress.
type searchRun struct {
	ctx        context.Context // context of the search
	tx         *ReadTx
	query      Query
	phrases    []terms.Phrase
	text       string // FTS5 query
	match      string // text, restricted to the searched chats
	isWide     bool   // the last word is a prefix with more than maxEndings completions, so that each index query is slow
	start      page
	maxCount   int       // maximum number of hits to count
	spans      []span    // ranges of row IDs to search, in ascending order
	low, high  int64     // the range from the first to the last of them; high is excluded
	hasGaps    bool      // spans contain rows that can't match the query's time span
	titleChats []chatRow // chats with matching titles, newest first
	hits       backend.Hits
}

// A page is a cursor: the position at which a page of results starts.
type page struct {
	titles int   // number of matching titles on earlier pages
	below  int64 // rows on the page have smaller IDs
	top    int64 // rows with this ID or a larger one were added after the first page was read; they are left out
	total  int   // number of hits as counted for the first page; 0 on the first page
	chats  int   // number of chats with hits as counted for the first page
}

func (p page) String() string {
	return fmt.Sprintf("%d,%d,%d,%d,%d", p.titles, p.below, p.top, p.total, p.chats)
}

// parse sets p to the page that a string describes: a result of String, or "" for the first page.
func (p *page) parse(before string) error {
	*p = page{below: noEnd, top: noEnd}
	if before == "" {
		return nil
	}
	if _, err := fmt.Sscanf(before, "%d,%d,%d,%d,%d", &p.titles, &p.below, &p.top, &p.total, &p.chats); err != nil || p.titles < 0 {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Couldn't load this page of search results. Search again."), Detail: before}
	}
	return nil
}

// next returns the cursor of the page that starts after the given number of titles and below the given row ID.
func (s *searchRun) next(titles int, below int64) string {
	return page{titles, below, s.high, s.hits.Total, s.hits.Chats}.String()
}

// setMatch builds the FTS5 query. It returns false if there is no chat to search.
func (s *searchRun) setMatch() (some bool, err error) {
	endings, err := s.endings()
	if err != nil {
		return false, err
	}
	s.setText(endings)
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

// setText builds the part of the FTS5 query for the words, the author and the kind. endings is the result of the method
// of that name.
func (s *searchRun) setText(endings []string) {
	s.text = terms.Match(s.phrases, endings)
	s.isWide = endings == nil && terms.BeginningOf(s.phrases) != ""
	for _, mark := range []string{string(s.query.Author), string(s.query.Of)} {
		if mark != "" {
			s.text += " AND " + terms.ChatColumn([]string{markSign + mark})
		}
	}
}

// maxEndings is the maximum number of completions of a prefix that are queried as separate words. If there are more,
// FTS5 merges their entries itself. It then reads all entries, even if few are needed.
const maxEndings = 64

// endings returns the indexed words that start with the prefix at the end of the query, except the prefix itself. It
// returns nil if the query doesn't end with a prefix or if there are too many such words.
func (s *searchRun) endings() ([]string, error) {
	beginning := terms.BeginningOf(s.phrases)
	if beginning == "" {
		return nil, nil
	}
	words := []string{}
	// No character of a word is less than or equal to past. Therefore, the first term that isn't less than word+past
	// belongs to the next word.
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

// read returns the items in the given rows as hits, by row ID.
func (s *searchRun) read(found []int64) (map[int64]backend.Hit, error) {
	list, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	rows, err := s.tx.rows(s.ctx)("SELECT "+documentColumns+`, items.session, items.pos, items.created_at, items.aside, chats.title, chats.folder
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
		if err := d.scan(rows, &h.Session, &h.Pos, &h.At, &h.Aside, &h.Title, &h.Folder); err != nil {
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

// excerpt sets the hit's snippet to an excerpt of the first text of the document that contains a match.
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
	if h.Snippet == nil { // the match continues from one text to the next
		_, to := terms.Around(first, 0)
		h.Snippet = []backend.Excerpt{{Text: terms.OneLine(first[:to])}}
	}
	return nil
}

// rows returns a source that runs queries in tx.
func (tx *ReadTx) rows(ctx context.Context) source {
	return func(query string, args ...any) (*sql.Rows, error) {
		return tx.tx.WithContext(ctx).Raw(query, args...).Rows()
	}
}
