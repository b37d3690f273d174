package store

import (
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// How much one page looks at, so that it takes about as long in a million entries
// as in a thousand.
const (
	// lookedRoom is how many chats a page has that may have to be looked into.
	lookedRoom = 6
	// lookedChats is how many chats are looked into one by one.
	lookedChats = 200
	// walkedRows is how many rows are gone through where chats that are known are
	// passed over, in steps of so many.
	walkedRows = 1 << 20
	walkedStep = 1 << 17
	// wideLooks is how often a page looks at the index where each look takes long.
	wideLooks = 3
)

// passed is the page where each look at the index takes long: what it counts of a
// chat is what it comes by. A chat that an earlier page had may come again.
func (s *searching) passed(from scan, room int) ([]group, error) {
	groups, _ := s.titles(room)
	at := map[string]int{} // in groups
	for i := range groups {
		at[groups[i].chatID] = i
	}
	seen := s.titledIDs()
	var err error
	if s.begun.below < s.high {
		from, err = s.past(seen, s.begun.below, s.most+1)
	}
	for looks := 1; err == nil; looks++ {
		var ids []string
		if ids, err = s.chatsOf(from.rows); err != nil {
			break
		}
		for i, id := range ids {
			n, isThere := at[id]
			switch row := from.rows[i]; {
			case isThere:
				groups[n].rows = append(groups[n].rows, row)
			case s.isTitled(id): // it is on another page
			case len(groups) < room && s.hits.More == "":
				at[id] = len(groups)
				seen = append(seen, id)
				groups = append(groups, group{chatID: id, rows: []int64{row}})
			case s.hits.More == "":
				s.hits.More = s.next(len(s.titled), row+1)
			}
		}
		if from.all || s.hits.More != "" {
			break
		}
		if looks == wideLooks || len(ids) == 0 {
			s.hits.More = s.next(len(s.titled), from.down)
			break
		}
		from, err = s.past(seen, from.down, s.most+1)
	}
	for i := range groups {
		groups[i].isOpen = true
	}
	return groups, err
}

// looked is the page where more was found than is counted: its chats are in the order
// of their newest hits, and one with very many of them hides no other. A chat of which
// not all rows were come by is looked into; where its title was found, as far as the
// page shows it.
func (s *searching) looked(from scan, room int) ([]group, error) {
	groups, isFull := s.titles(room)
	for i := range groups {
		in, err := s.scanChat(groups[i].chatID, backend.HitsPerChat)
		if err != nil {
			return nil, err
		}
		groups[i].rows, groups[i].isOpen = in.rows, !in.all
		if !in.all { // the last one only says that there are more than are shown with the title
			groups[i].rows = in.rows[:len(in.rows)-1]
		}
	}
	if isFull {
		return groups, nil
	}
	seen := s.titledIDs()
	top := min(s.high, s.begun.below) // a chat that has hits from here on is on an earlier page
	var err error
	if len(seen) > 0 || top < s.high {
		from, err = s.past(seen, top, s.most+1)
	}
	for looks := 0; err == nil; from, err = s.past(seen, from.down, s.most+1) {
		ids, err := s.chatsOf(from.rows)
		if err != nil {
			return nil, err
		}
		in := map[string][]int64{}
		for i, id := range ids {
			in[id] = append(in[id], from.rows[i])
		}
		for i, id := range ids {
			if slices.Contains(seen, id) {
				continue
			}
			if len(groups) == room || looks == lookedChats {
				s.hits.More = s.next(len(s.titled), from.rows[i]+1)
				return groups, nil
			}
			seen = append(seen, id)
			oldest, newest, err := s.extent(id)
			if err != nil {
				return nil, err
			}
			found := in[id]
			if newest >= top || oldest < from.down && !from.all {
				looks++
				all, err := s.scanChat(id, s.most+1)
				if err != nil {
					return nil, err
				}
				found = all.rows
			}
			if len(found) > 0 && found[0] < top {
				groups = append(groups, group{chatID: id, rows: found})
			}
		}
		if from.all {
			return groups, nil
		}
		if len(from.rows) == 0 {
			s.hits.More = s.next(len(s.titled), from.down)
			return groups, nil
		}
	}
	return groups, err
}

// extent is the oldest row of a chat, and the newest.
func (s *searching) extent(chatID string) (oldest, newest int64, err error) {
	var rows []int64
	err = s.view.query(s.ctx, &rows, `
SELECT * FROM (SELECT rowid FROM items WHERE chat_id = ?1 ORDER BY pos LIMIT 1)
UNION ALL SELECT * FROM (SELECT rowid FROM items WHERE chat_id = ?1 ORDER BY pos DESC LIMIT 1)`, chatID)
	if err != nil || len(rows) < 2 {
		return 0, noEnd, err
	}
	return rows[0], rows[1], nil
}

// scanChat finds the newest rows of one chat.
func (s *searching) scanChat(id string, limit int) (scan, error) {
	return s.scan(s.asked+" AND "+terms.ChatColumn([]string{id}), s.low, s.high, limit)
}

// past finds the next rows below one that are of none of these chats. Where that
// takes a page too far, there are none, and where it stopped is said.
func (s *searching) past(chats []string, below int64, limit int) (scan, error) {
	match := s.match
	if len(chats) > 0 {
		match = "(" + s.match + ") NOT " + terms.ChatColumn(chats)
	}
	last := max(s.low, min(s.high, s.begun.below)-walkedRows)
	for {
		low := max(s.low, below-walkedStep)
		found, err := s.scan(match, low, below, limit)
		if err != nil || len(found.rows) > 0 || found.all || low <= last {
			return found, err
		}
		below = low
	}
}
