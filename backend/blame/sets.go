package blame

import "slices"

// writer is the writer of a line: one of the constants below, or firstTurn plus the index of a turn.
type writer int32

const (
	earlier  writer = iota // the line is older than the first recorded version
	outside                // the user or another program
	restored               // an undo or redo; used only by putBack and bringBack
	another                // an unknown task that was running at the same time as another one
	returned               // the user restored the line from an unknown version
	firstTurn
)

// set is the index of a set of writers in sets.list. Set 0 is the empty set.
type set int32

// sets stores sets of possible writers. Each set is stored once. The first writer of a set is the most likely one.
type sets struct {
	list [][]writer
	at   map[string]set
	sums map[[2]set]set
}

func newSets() *sets {
	return &sets{list: [][]writer{nil}, at: map[string]set{"": 0}, sums: map[[2]set]set{}}
}

// maxWriters is the maximum number of writers in a set. Further writers are left out.
const maxWriters = 4

// of returns the set of the given writers, the first of which is the most likely one.
func (s *sets) of(writers ...writer) set {
	var own []writer
	for _, w := range writers {
		if len(own) < maxWriters && !slices.Contains(own, w) {
			own = append(own, w)
		}
	}
	if len(own) > 1 {
		slices.Sort(own[1:])
	}
	key := make([]byte, 0, 4*len(own))
	for _, w := range own {
		key = append(key, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	at, ok := s.at[string(key)]
	if !ok {
		at = set(len(s.list)) //nolint:gosec // far fewer
		s.list = append(s.list, own)
		s.at[string(key)] = at
	}
	return at
}

// add returns the union of two sets. The most likely writer of the union is that of x, unless x is empty.
func (s *sets) add(x, y set) set {
	if x == y || y == 0 {
		return x
	}
	sum, ok := s.sums[[2]set{x, y}]
	if !ok {
		sum = s.of(slices.Concat(s.list[x], s.list[y])...)
		s.sums[[2]set{x, y}] = sum
	}
	return sum
}

// with returns a copy of the set x in which one writer (old) is replaced with another one (by).
func (s *sets) with(x set, old, by writer) set {
	list := slices.Clone(s.list[x])
	for i := range list {
		if list[i] == old {
			list[i] = by
		}
	}
	return s.of(list...)
}
