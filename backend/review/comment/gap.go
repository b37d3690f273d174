package comment

import "math"

// gap holds the places of the lines between two anchors.
type gap struct {
	from   int   // the first line
	places []int // by line: its place on the other side, missing or unsure; nil if the gap is too large
}

const (
	missing = -1
	unsure  = -2
)

// maxCells is the maximum number of pairs of lines that are compared in a gap.
const maxCells = 1 << 16

func (g *gap) placeOf(i int) int {
	if g.places == nil {
		return unsure
	}
	return g.places[i-g.from]
}

// gapAt returns the gap of s that contains line i, which is no anchor. On the other side, its lines can be after the
// anchor before them or before the anchor after them. If the lines between these two anchors moved apart, these are
// two ranges.
func (s *side) gapAt(other *side, i int) *gap {
	before, after := int(s.prev[i]), int(s.next[i])
	if g := s.gaps[before+1]; g != nil {
		return g
	}
	g := &gap{from: before + 1}
	s.gaps[g.from] = g
	from, to := s.opposite(before, other)+1, s.opposite(after, other)
	var firstTo, secondFrom int
	if from < len(other.lines) {
		firstTo = int(other.next[from])
	} else {
		firstTo = from
	}
	if to > 0 {
		secondFrom = int(other.prev[to-1]) + 1
	} else {
		secondFrom = to
	}
	was, now := s.lines[g.from:after], other.lines[from:firstTo:firstTo]
	isOne := firstTo == to && secondFrom == from
	if !isOne {
		now = append(append(now, separator), other.lines[secondFrom:to]...)
	}
	if len(was)*(len(now)+1) > maxCells {
		return g
	}
	g.places = align(was, now, before < 0, after == len(s.lines))
	for k, j := range g.places {
		switch {
		case j < 0:
		case isOne || j < firstTo-from:
			g.places[k] = j + from
		default:
			g.places[k] = j - (firstTo - from) - 1 + secondFrom
		}
	}
	return g
}

// separator is the number of a line between two ranges of lines that aren't next to each other.
const separator = -1

// Steps of an alignment.
const (
	match = iota
	del
	ins
	apart // over the separator
	steps
)

const never = math.MaxInt32 / 4

// enter returns the number of regions that a step after another one starts. Equal steps in a row are one region.
func enter(last, next int) int {
	switch {
	case last == next || next == apart:
		return 0
	case last == ins && next == del: // the same as the other way round
		return never
	}
	return 1
}

// align returns the place of each line of was in now, which lie between the same two anchors: its index, missing or
// unsure. A place is sure if each of the cheapest alignments has it, whether they are the ones with the fewest changed
// lines or those with the fewest regions.
func align(was, now []int32, atStart, atEnd bool) []int {
	places := alignBy(was, now, atStart, atEnd, 1<<12, 1)
	other := alignBy(was, now, atStart, atEnd, 1, 1<<12)
	for i := range places {
		if places[i] != other[i] {
			places[i] = unsure
		}
	}
	return places
}

func alignBy(was, now []int32, atStart, atEnd bool, perLine, perRegion int) []int {
	n, m := len(was), len(now)
	wide := (m + 1) * steps
	head, tail := make([]int, (n+1)*wide), make([]int, (n+1)*wide) // cost up to, and from, a step
	for i := range head {
		head[i], tail[i] = never, never
	}
	start := match
	if atStart {
		start = apart
	}
	head[start] = 0
	price := func(last, next int) int {
		if p := enter(last, next); p < never {
			return p * perRegion
		}
		return never
	}
	// step returns the distance of a step in both texts, and its cost, from the lines before it.
	step := func(next, i, j int) (di, dj, cost int, ok bool) {
		switch {
		case next == del:
			return 1, 0, perLine, i < n
		case j >= m:
			return 0, 0, 0, false
		case next == apart:
			return 0, 1, 0, now[j] == separator
		case next == ins:
			return 0, 1, perLine, now[j] != separator
		}
		return 1, 1, 0, i < n && was[i] == now[j]
	}
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			at := i*wide + j*steps
			for next := range steps {
				di, dj, cost, ok := step(next, i, j)
				if !ok {
					continue
				}
				to := (i+di)*wide + (j+dj)*steps + next
				for last := range steps {
					head[to] = min(head[to], head[at+last]+price(last, next)+cost)
				}
			}
		}
	}
	for last := range steps {
		tail[n*wide+m*steps+last] = 0
		if !atEnd {
			tail[n*wide+m*steps+last] = price(last, match)
		}
	}
	for i := n; i >= 0; i-- {
		for j := m; j >= 0; j-- {
			at := i*wide + j*steps
			for next := range steps {
				di, dj, cost, ok := step(next, i, j)
				if !ok {
					continue
				}
				to := (i+di)*wide + (j+dj)*steps + next
				for last := range steps {
					tail[at+last] = min(tail[at+last], price(last, next)+cost+tail[to])
				}
			}
		}
	}
	best := tail[start]
	places := make([]int, n)
	for i := range places {
		places[i] = unsure
		found := 0
		for j := 0; j <= m; j++ {
			at := (i+1)*wide + j*steps
			if j > 0 && was[i] == now[j-1] && head[at+match]+tail[at+match] == best {
				places[i] = j - 1
				found++
			}
		}
		isGone := false
		for j := 0; j <= m; j++ {
			at := (i+1)*wide + j*steps
			isGone = isGone || head[at+del]+tail[at+del] == best
		}
		switch {
		case isGone && found == 0:
			places[i] = missing
		case isGone || found > 1:
			places[i] = unsure
		}
	}
	return places
}
