package review

import (
	"slices"

	"github.com/voxpilot/voxpilot/backend/diff"
)

// maxWays is the maximum number of steps that indexParts spends on finding the parts of an index.
const maxWays = 2_000_000

// indexParts divides git's index into parts. For each block, it returns the corresponding part: the part's first line,
// and the line after its last one. Outside blocks, the index must contain the lines of the old side. indexParts prefers
// parts that are equal to one side of their block; other parts contain some lines of both. ok is false if there are no
// such parts, or if finding them takes too long.
func indexParts(old, now, index []string, blocks []diff.Block) (parts [][2]int, ok bool) {
	for _, split := range []bool{false, true} {
		w := ways{old: old, now: now, index: index, split: split}
		if parts, ok = w.find(blocks); ok {
			return parts, true
		}
	}
	return nil, false
}

// ways is the state of indexParts while it looks for the parts.
type ways struct {
	old, now, index []string
	split           bool // a part may contain some lines of both sides of its block
	steps           int
}

// way is one possible part for a block. Of the possible parts that end at the same line, only the best one is kept.
type way struct {
	from, end int // first line of the part, and the line after its last one
	splits    int // number of parts so far that aren't equal to a side of their block
	last      int // index of the way for the block before
}

func (w *ways) find(blocks []diff.Block) (parts [][2]int, ok bool) {
	all := make([][]way, 0, len(blocks)+1)
	now := []way{{}}
	at := 0 // line of the old side
	for _, b := range blocks {
		all = append(all, now)
		if now = w.next(now, w.old[at:b.Old], w.old[b.Old:b.Old+b.Olds], w.now[b.New:b.New+b.News]); len(now) == 0 || w.steps > maxWays {
			return nil, false
		}
		at = b.Old + b.Olds
	}
	rest := w.old[at:]
	last := slices.IndexFunc(now, func(o way) bool { return slices.Equal(w.index[o.end:], rest) })
	if last < 0 {
		return nil, false
	}
	parts = make([][2]int, len(blocks))
	for k := len(blocks) - 1; k >= 0; k-- {
		o := now[last]
		parts[k] = [2]int{o.from, o.end}
		now, last = all[k], o.last
	}
	return parts, true
}

// next returns the ways for a block. The parameters are the ways for the previous block, the lines between the two
// blocks, and the old and new lines of the block.
func (w *ways) next(before []way, same, olds, news []string) (list []way) {
	byEnd := map[int]int{}
	add := func(o way) {
		i, has := byEnd[o.end]
		switch {
		case !has:
			byEnd[o.end] = len(list)
			list = append(list, o)
		case o.splits < list[i].splits:
			list[i] = o
		}
	}
	for last, o := range before {
		w.steps += len(same) + 1
		if !w.has(o.end, same) {
			continue
		}
		from := o.end + len(same)
		for _, side := range [][]string{olds, news} {
			if w.steps += len(side); w.has(from, side) {
				add(way{from, from + len(side), o.splits, last})
			}
		}
		if !w.split {
			continue
		}
		row, rows := 0, slices.Concat(olds, news)
		w.steps += len(rows)
		for end := from; ; end++ {
			add(way{from, end, o.splits + 1, last})
			for end < len(w.index) && row < len(rows) && rows[row] != w.index[end] {
				row++
			}
			if end == len(w.index) || row == len(rows) {
				break
			}
			row++
		}
	}
	return list
}

// has reports whether git's index contains the given lines at the given position.
func (w *ways) has(at int, lines []string) bool {
	return at+len(lines) <= len(w.index) && slices.Equal(w.index[at:at+len(lines)], lines)
}
