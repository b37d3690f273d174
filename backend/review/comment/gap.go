package comment

import "math"

// gap holds the alignments of the lines between two anchors.
type gap struct {
	a, b pair // the anchors
	// tables holds two tables: one for the alignments with the fewest changed lines, and one for those with the fewest
	// changed regions. It is nil until gapOf has computed it, and stays nil if the gap is too large.
	tables  []table
	isKnown bool
	was     []fate // by line of the old version, from the first one after the anchor
	now     []fate // by line of the new version
	places  []int  // by line of the old version: its index among the lines after the anchor in one alignment, or -1
}

// fate is a set of flags for a line. A flag is set if it applies to the line in at least one of the best alignments.
type fate uint8

const (
	canKeep  fate = 1 << iota // in some alignment, both versions contain the line
	canShift                  // the line's place differs between alignments
	canBreak                  // in some alignment, only one version contains the line
)

// Limits for the comparison of gaps. A gap's size is the number of pairs of an old and a new line.
const (
	maxJoined = 1 << 12 // for a gap that contains lines that could be anchors
	maxCells  = 1 << 17 // for any gap
	maxTotal  = 1 << 19 // for all gaps together
)

// gapOf returns the gap with the index k. On the first call for a gap, it computes the gap's alignments. A gap that is
// too large has no tables, and all flags are set for each of its lines.
func (f *follower) gapOf(k int) *gap {
	g := f.gaps[k]
	if g.isKnown {
		return g
	}
	g.isKnown = true
	was, now := f.was.lines[g.a.was+1:g.b.was], f.now.lines[g.a.now+1:g.b.now]
	g.was, g.now, g.places = make([]fate, len(was)), make([]fate, len(now)), make([]int, len(was))
	for i := range g.places {
		g.places[i] = -1
	}
	cells := (len(was) + 1) * (len(now) + 1)
	if cells > maxCells || f.cells+cells > maxTotal {
		for i := range g.was {
			g.was[i] = canKeep | canShift | canBreak
		}
		for j := range g.now {
			g.now[j] = canKeep | canShift | canBreak
		}
		return g
	}
	f.cells += cells
	byLine := func(int) int32 { return 1 << 12 }
	g.tables = []table{f.tableOf(g, byLine, 1), f.tableOf(g, f.weight, 1<<12)}
	for _, t := range g.tables {
		t.setFlags(g)
	}
	return g
}

// weight returns the cost of changing a line, on a scale on which a changed region costs 1<<12. Lines that are unlikely
// to be removed and written again cost more.
func (f *follower) weight(n int) int32 {
	switch {
	case f.letters[n] < minWord:
		return 1
	case f.letters[n] == minDistinctive && f.isUnique(n):
		return 1 << 13
	case f.letters[n] == minDistinctive || f.isUnique(n):
		return 1 << 11
	}
	return 400
}

func (f *follower) tableOf(g *gap, weight func(n int) int32, perRegion int32) table {
	t := table{
		was: f.was.lines[g.a.was+1 : g.b.was], now: f.now.lines[g.a.now+1 : g.b.now],
		atStart: g.a.was < 0, atEnd: g.b.was == len(f.was.lines),
	}
	for _, n := range t.was {
		t.del = append(t.del, weight(n))
	}
	for _, n := range t.now {
		t.ins = append(t.ins, weight(n))
	}
	t.fill(perRegion)
	return t
}

// canMatch reports whether the lines of a range in the gap can match those that are shift lines further down in the new
// version. They must match in one of the alignments with the fewest changed lines and in one of those with the fewest
// changed regions.
func (g *gap) canMatch(r Range, shift int) bool {
	from, n := r.Start-g.a.was-1, r.End-r.Start+1
	at := r.Start + shift - g.a.now - 1
	if g.tables == nil || at < 0 || at+n > len(g.now) {
		return false
	}
	for _, t := range g.tables {
		if !t.canMatch(from, at, n) {
			return false
		}
	}
	return true
}

// The steps of an alignment.
const (
	match = iota
	del
	ins
	steps
)

const never = math.MaxInt32 / 4

// table holds the costs of all alignments of two texts.
type table struct {
	was, now       []int
	del, ins       []int32 // for each line, the cost of removing or adding it
	atStart, atEnd bool    // the gap is at the start or the end of the file
	head, tail     []int32 // for each pair of lines and each last step, the lowest cost up to the pair and after it
	best           int32
}

func (t *table) at(i, j, step int) int { return (i*(len(t.now)+1)+j)*steps + step }

// prices returns the additional cost of each step, depending on the step before it: p[last][next]. Equal steps in a row
// form one region.
func prices(perRegion int32) (p [steps][steps]int32) {
	for last := range steps {
		for next := range steps {
			if last != next {
				p[last][next] = perRegion
			}
		}
	}
	p[ins][del] = never // the order doesn't matter, so only removing before adding is allowed
	return p
}

// fill computes the costs. An anchor at the start or at the end of the gap counts as a match.
func (t *table) fill(perRegion int32) {
	n, m := len(t.was), len(t.now)
	price := prices(perRegion)
	t.head, t.tail = make([]int32, (n+1)*(m+1)*steps), make([]int32, (n+1)*(m+1)*steps)
	for i := range t.head {
		t.head[i], t.tail[i] = never, never
	}
	t.head[match] = 0
	first := price[match]
	if t.atStart {
		first = [steps]int32{perRegion, perRegion, perRegion}
	}
	enter := func(i, j, step int) int32 {
		if i == 0 && j == 0 {
			return first[step]
		}
		at, cost := t.at(i, j, 0), int32(never)
		for last := range steps {
			cost = min(cost, t.head[at+last]+price[last][step])
		}
		return cost
	}
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			at := t.at(i, j, 0)
			if i > 0 && j > 0 && t.was[i-1] == t.now[j-1] {
				t.head[at+match] = enter(i-1, j-1, match)
			}
			if i > 0 {
				t.head[at+del] = enter(i-1, j, del) + t.del[i-1]
			}
			if j > 0 {
				t.head[at+ins] = enter(i, j-1, ins) + t.ins[j-1]
			}
		}
	}
	t.best = never
	for last := range steps {
		at := t.at(n, m, last)
		t.tail[at] = price[last][match]
		if t.atEnd {
			t.tail[at] = 0
		}
		t.best = min(t.best, t.head[at]+t.tail[at])
	}
	for i := n; i >= 0; i-- {
		for j := m; j >= 0; j-- {
			at := t.at(i, j, 0)
			leave := func(next, to int, cost int32) {
				for last := range steps {
					t.tail[at+last] = min(t.tail[at+last], price[last][next]+cost+t.tail[to])
				}
			}
			if i < n && j < m && t.was[i] == t.now[j] {
				leave(match, t.at(i+1, j+1, match), 0)
			}
			if i < n {
				leave(del, t.at(i+1, j, del), t.del[i])
			}
			if j < m {
				leave(ins, t.at(i, j+1, ins), t.ins[j])
			}
		}
	}
}

// canMatch reports whether, in one of the best alignments, n old lines starting at index i match the new lines starting
// at index j.
func (t *table) canMatch(i, j, n int) bool {
	for k := range n {
		if t.was[i+k] != t.now[j+k] {
			return false
		}
	}
	return t.head[t.at(i+1, j+1, match)]+t.tail[t.at(i+n, j+n, match)] == t.best
}

// setFlags sets the flags in g that apply to the lines in the best alignments.
func (t *table) setFlags(g *gap) {
	for i := 0; i <= len(t.was); i++ {
		for j := 0; j <= len(t.now); j++ {
			at := t.at(i, j, 0)
			if i > 0 && j > 0 && t.head[at+match]+t.tail[at+match] == t.best {
				g.was[i-1] |= canKeep
				g.now[j-1] |= canKeep
				if g.places[i-1] >= 0 && g.places[i-1] != j-1 {
					g.was[i-1] |= canShift
				}
				g.places[i-1] = j - 1
			}
			if i > 0 && t.head[at+del]+t.tail[at+del] == t.best {
				g.was[i-1] |= canBreak
			}
			if j > 0 && t.head[at+ins]+t.tail[at+ins] == t.best {
				g.now[j-1] |= canBreak
			}
		}
	}
}
