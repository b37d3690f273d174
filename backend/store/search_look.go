package store

import "slices"

// How much one page looks at, so that it takes about as long in a million entries
// as in a thousand.
const (
	// lookedChats is how many chats are looked into one by one.
	lookedChats = 200
	// walkedRows is how many rows are gone through where chats that are known are
	// passed over, in steps of so many.
	walkedRows = 1 << 20
	walkedStep = 1 << 17
	// pastRows is how many rows are taken where a chat that is not known is looked
	// for.
	pastRows = 20
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

// looked is the page where more was found than is counted: it looks into the chats
// one by one, in the order of their newest hits, so that one with very many of them
// hides no other.
func (s *searching) looked(newest scan, room int) ([]group, error) {
	groups, isFull := s.titles(room)
	for i := range groups {
		in, err := s.scanChat(groups[i].chatID)
		if err != nil {
			return nil, err
		}
		groups[i].rows = in.rows
	}
	if isFull {
		return groups, nil
	}
	seen := s.titledIDs()
	from, err := newest, error(nil)
	if len(seen) > 0 || s.begun.below < s.high {
		from, err = s.past(seen, min(s.high, s.begun.below), pastRows)
	}
	for looks := 0; err == nil; from, err = s.past(seen, from.down, pastRows) {
		passed := map[int64]bool{}
		for _, row := range from.rows {
			if passed[row] {
				continue
			}
			id, err := s.chatOf(row)
			if err != nil {
				return nil, err
			}
			if slices.Contains(seen, id) { // it has more than are counted
				continue
			}
			if len(groups) == room || looks == lookedChats {
				s.hits.More = s.next(len(s.titled), row+1)
				return groups, nil
			}
			looks++
			seen = append(seen, id)
			in, err := s.scanChat(id)
			if err != nil {
				return nil, err
			}
			for _, row := range in.rows {
				passed[row] = true
			}
			if len(in.rows) > 0 && in.rows[0] < s.begun.below { // else an earlier page has it
				groups = append(groups, group{chatID: id, rows: in.rows})
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

// scanChat finds the rows of one chat, as far as they are counted.
func (s *searching) scanChat(id string) (scan, error) {
	return s.scan(s.match+" AND "+chatColumn([]string{id}), s.low, s.high, s.most+1)
}

// past finds the next rows below one that are of none of these chats. Where that
// takes a page too far, there are none, and where it stopped is said.
func (s *searching) past(chats []string, below int64, limit int) (scan, error) {
	match := s.match
	if len(chats) > 0 {
		match = "(" + s.match + ") NOT " + chatColumn(chats)
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
