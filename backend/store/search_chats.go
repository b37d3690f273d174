package store

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// A group holds the hits in one chat.
type group struct {
	chatID string
	title  *chatRow // the chat, if its title matches; otherwise nil
	rows   []int64  // row IDs of matching items, up to the counting limit plus one
	listed []int64  // the rows shown on the page
	isOpen bool     // the chat may have more hits than rows
	known  int      // number of hits that was counted for a previous page; 0 if they weren't counted
}

// total returns the number of known hits in the chat. A matching title counts as a hit.
func (g *group) total() int {
	switch {
	case g.known > 0:
		return g.known
	case g.title != nil:
		return len(g.rows) + 1
	}
	return len(g.rows)
}

// findTitles finds matching titles, newest chats first.
func (s *searchRun) findTitles() error {
	err := s.tx.query(s.ctx, &s.titleChats, `
SELECT chats.* FROM search CROSS JOIN chats ON chats.rowid = -search.rowid
WHERE search MATCH ? AND search.rowid < 0 AND updated_at BETWEEN ? AND ? LIMIT ?`,
		s.match, s.query.From, s.query.To, backend.MaxHits+1)
	slices.SortFunc(s.titleChats, func(a, b chatRow) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), strings.Compare(a.ID, b.ID))
	})
	return err
}

// count counts the hits and, if there are at most maxCount, their chats.
func (s *searchRun) count() error {
	found, err := s.scan(s.match, s.low, s.high, s.maxCount+1)
	if err != nil {
		return err
	}
	s.hits.Total = len(s.titleChats) + len(found.rows)
	if s.hits.Total > s.maxCount {
		return nil
	}
	_, _, err = s.grouped(found.rows)
	return err
}

// inChat finds a page of hits in one chat.
func (s *searchRun) inChat() error {
	limit := max(s.query.Limit, s.maxCount)
	if s.start.total > 0 {
		limit = s.query.Limit
	}
	found, err := s.scan(s.match, s.low, s.start.below, limit+1)
	if err != nil || len(found.rows)+len(s.titleChats) == 0 {
		return err
	}
	g := group{chatID: s.query.ChatID, rows: found.rows, known: s.start.total}
	if len(s.titleChats) > 0 && s.start.titles == 0 {
		g.title = &s.titleChats[0]
	}
	s.hits.Total, s.hits.Chats = g.total(), 1
	if err := s.show([]group{g}, s.query.Limit); err != nil {
		return err
	}
	s.hits.More = s.hits.Groups[0].More
	return nil
}

// byChat finds a page of chats with their hits.
func (s *searchRun) byChat() error {
	found, err := s.scan(s.match, s.low, s.high, s.maxCount+1)
	if err != nil {
		return err
	}
	s.hits.Total = len(s.titleChats) + len(found.rows)
	room := max(1, s.query.Limit/backend.HitsPerChat)
	var groups []group
	switch {
	case found.all:
		groups, err = s.knownPage(found.rows, room)
	case s.isWide:
		groups, err = s.passedPage(found, room)
	default:
		groups, err = s.countedPage(found, min(room, countedChats))
	}
	if err != nil || len(groups) == 0 {
		return err
	}
	share := backend.HitsPerChat
	if found.all { // there are few chats, so more hits of each are shown
		share = max(share, s.query.Limit/len(groups))
	}
	return s.show(groups, share)
}

// titles returns the groups of the chats with matching titles on a page. The parameter room is the maximum number of
// groups. The result isFull is true if more such chats follow.
func (s *searchRun) titles(room int) (groups []group, isFull bool) {
	from := min(s.start.titles, len(s.titleChats))
	for i := range s.titleChats[from:] {
		if i == room {
			s.hits.More = s.next(from+i, noEnd)
			return groups, true
		}
		groups = append(groups, group{chatID: s.titleChats[from+i].ID, title: &s.titleChats[from+i]})
	}
	return groups, false
}

// grouped returns the found rows by chat, and the chats in the order of their newest hits. It also sets
// the number of chats in the results, including those whose titles match.
func (s *searchRun) grouped(found []int64) (rows map[string][]int64, order []string, err error) {
	chats, err := s.chatsOf(found)
	if err != nil {
		return nil, nil, err
	}
	rows = map[string][]int64{}
	s.hits.Chats = len(s.titleChats)
	for i, id := range chats {
		if rows[id] == nil {
			order = append(order, id)
			if !s.isTitled(id) {
				s.hits.Chats++
			}
		}
		rows[id] = append(rows[id], found[i])
	}
	return rows, order, nil
}

// knownPage returns the groups of a page, for a search whose hits are all known. The parameter found holds the rows of
// all hits, and room is the maximum number of groups.
func (s *searchRun) knownPage(found []int64, room int) ([]group, error) {
	rows, order, err := s.grouped(found)
	if err != nil {
		return nil, err
	}
	groups, isFull := s.titles(room)
	for i := range groups {
		groups[i].rows = rows[groups[i].chatID]
	}
	for _, id := range order {
		newest := rows[id][0]
		if isFull || s.isTitled(id) || newest >= s.start.below {
			continue
		}
		if len(groups) == room {
			s.hits.More = s.next(len(s.titleChats), newest+1)
			break
		}
		groups = append(groups, group{chatID: id, rows: rows[id]})
	}
	return groups, nil
}

// titledIDs returns the IDs of the chats whose titles match.
func (s *searchRun) titledIDs() []string {
	ids := make([]string, len(s.titleChats))
	for i, chat := range s.titleChats {
		ids[i] = chat.ID
	}
	return ids
}

// isTitled reports whether the title of a chat matches the query.
func (s *searchRun) isTitled(id string) bool {
	return slices.ContainsFunc(s.titleChats, func(c chatRow) bool { return c.ID == id })
}

// chatsOf returns the ID of each row's chat.
func (s *searchRun) chatsOf(found []int64) (ids []string, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	err = s.tx.query(s.ctx, &ids, "SELECT coalesce(chat_id, '') FROM json_each(?) LEFT JOIN items ON items.rowid = value ORDER BY key", string(list))
	return ids, err
}

// show adds the groups to the page, each with up to limit hits.
func (s *searchRun) show(groups []group, limit int) error {
	var found []int64
	for i := range groups {
		g := &groups[i]
		room := limit
		if g.title != nil {
			room--
		}
		g.listed = g.rows[:min(room, len(g.rows))]
		found = append(found, g.listed...)
	}
	hits, err := s.read(found)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if g.title != nil {
			s.hits.Hits = append(s.hits.Hits, backend.Hit{
				ChatID: g.chatID, Title: g.title.Title, Folder: g.title.Folder, Kind: backend.HitTitle, At: g.title.UpdatedAt,
				Snippet: terms.Excerpt(g.title.Title, s.phrases),
			})
		}
		below := s.high
		for _, row := range g.listed {
			s.hits.Hits, below = append(s.hits.Hits, hits[row]), row
		}
		total := g.total()
		told := backend.HitGroup{ChatID: g.chatID, Total: min(total, s.maxCount), Capped: g.isOpen || total > s.maxCount}
		if g.isOpen || len(g.listed) < len(g.rows) {
			told.More = page{1, below, s.high, total, 1}.String()
		}
		s.hits.Groups = append(s.hits.Groups, told)
	}
	return nil
}
