package store

import (
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// Limits on the work for one page, so that finding a page takes about as long with a million entries as with a
// thousand.
const (
	// countedChats is the maximum number of chats on a page if each of them may need a separate query.
	countedChats = 6
	// maxCountedChats is the maximum number of chats that are queried separately, including those that turn out to be
	// on an earlier page.
	maxCountedChats = 200
	// maxWalkedRows is the maximum number of rows, counted from the start of a page, that are scanned for hits in chats
	// that aren't listed yet. The rows are scanned in steps of walkStep rows.
	maxWalkedRows = 1 << 20
	walkStep      = 1 << 17
	// maxWideScans is the maximum number of index queries for a page if each of them is slow.
	maxWideScans = 3
)

// passedPage returns the groups of a page for a search in which each index query is slow. For each chat, it counts only
// the hits that it finds in the rows that it reads anyway. A chat from an earlier page may occur again.
func (s *searchRun) passedPage(from scan, room int) ([]group, error) {
	groups, _ := s.titles(room)
	at := map[string]int{} // index in groups
	for i := range groups {
		at[groups[i].chatID] = i
	}
	seen := s.titledIDs()
	var err error
	if s.start.below < s.high {
		from, err = s.scanExcept(seen, s.start.below, s.maxCount+1)
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
			case s.isTitled(id): // the chat is on another page
			case len(groups) < room && s.hits.More == "":
				at[id] = len(groups)
				seen = append(seen, id)
				groups = append(groups, group{chatID: id, rows: []int64{row}})
			case s.hits.More == "":
				s.hits.More = s.next(len(s.titleChats), row+1)
			}
		}
		if from.all || s.hits.More != "" {
			break
		}
		if looks == maxWideScans || len(ids) == 0 {
			s.hits.More = s.next(len(s.titleChats), from.down)
			break
		}
		from, err = s.scanExcept(seen, from.down, s.maxCount+1)
	}
	for i := range groups {
		groups[i].isOpen = true
	}
	return groups, err
}

// countedPage returns the groups of a page for a search with more hits than the counting limit. Chats
// are in the order of their newest hits, and a chat with a huge number of hits doesn't hide the others.
// A chat whose rows aren't all known is queried separately. If its title matches, that query finds only
// as many hits as the page shows.
func (s *searchRun) countedPage(from scan, room int) ([]group, error) {
	groups, isFull := s.titles(room)
	for i := range groups {
		in, err := s.scanChat(groups[i].chatID, backend.HitsPerChat)
		if err != nil {
			return nil, err
		}
		groups[i].rows, groups[i].isOpen = in.rows, !in.all
		if !in.all { // the last row only shows that there are more
			groups[i].rows = in.rows[:len(in.rows)-1]
		}
	}
	if isFull {
		return groups, nil
	}
	seen := s.titledIDs()
	top := min(s.high, s.start.below) // a chat with hits in these rows is on an earlier page
	var err error
	if len(seen) > 0 || top < s.high {
		from, err = s.scanExcept(seen, top, s.maxCount+1)
	}
	for looks := 0; err == nil; from, err = s.scanExcept(seen, from.down, s.maxCount+1) {
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
			if len(groups) == room || looks == maxCountedChats {
				s.hits.More = s.next(len(s.titleChats), from.rows[i]+1)
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
				all, err := s.scanChat(id, s.maxCount+1)
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
			s.hits.More = s.next(len(s.titleChats), from.down)
			return groups, nil
		}
	}
	return groups, err
}

// extent returns the IDs of the oldest and the newest row of a chat, or 0 and noEnd if it has none.
func (s *searchRun) extent(chatID string) (oldest, newest int64, err error) {
	var rows []int64
	err = s.tx.query(s.ctx, &rows, `
SELECT * FROM (SELECT rowid FROM items WHERE chat_id = ?1 ORDER BY pos LIMIT 1)
UNION ALL SELECT * FROM (SELECT rowid FROM items WHERE chat_id = ?1 ORDER BY pos DESC LIMIT 1)`, chatID)
	if err != nil || len(rows) < 2 {
		return 0, noEnd, err
	}
	return rows[0], rows[1], nil
}

// scanChat finds the newest matching rows of one chat.
func (s *searchRun) scanChat(id string, limit int) (scan, error) {
	return s.scan(s.text+" AND "+terms.ChatColumn([]string{id}), s.low, s.high, limit)
}

// scanExcept finds the newest matching rows with IDs below the given one that belong to none of the given chats. If it
// has scanned maxWalkedRows without a match, the returned scan has no rows, and its field down is the ID of the row
// where scanning stopped.
func (s *searchRun) scanExcept(chats []string, below int64, limit int) (scan, error) {
	match := s.match
	if len(chats) > 0 {
		match = "(" + s.match + ") NOT " + terms.ChatColumn(chats)
	}
	last := max(s.low, min(s.high, s.start.below)-maxWalkedRows)
	for {
		low := max(s.low, below-walkStep)
		found, err := s.scan(match, low, below, limit)
		if err != nil || len(found.rows) > 0 || found.all || low <= last {
			return found, err
		}
		below = low
	}
}
