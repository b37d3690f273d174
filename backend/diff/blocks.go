package diff

import (
	"strings"
	"unicode"
)

// Block is a changed range of lines: the Olds lines that start at line Old are replaced with the News lines that start
// at line New. Lines are counted from 0.
type Block struct{ Old, Olds, New, News int }

// Lines splits text into lines, each with its newline. The last line may have none.
func Lines(text string) []string {
	if text == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// WithoutSpace returns a line without white space. Lines that differ only in white space have the same result.
func WithoutSpace(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, line)
}

// Blocks returns the changed blocks between two texts in order, with at least one unchanged line between two blocks.
// key, if not nil, returns the text by which a line is compared. For very different texts, the blocks may be larger
// than necessary, so that the time stays roughly proportional to the number of lines. The memory is always proportional
// to that number.
func Blocks(before, after []string, key func(string) string) []Block {
	a, b, ids := number(before, after, key)
	d := compareLines(a, b, ids)
	slide(a, d.removed, d.added, before)
	slide(b, d.added, d.removed, after)
	return blocksOf(d.removed, d.added)
}

// Count returns the numbers of lines that a diff from before to after adds and removes.
func Count(before, after string) (added, removed int) {
	old, now := Lines(before), Lines(after)
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	d := compareLines(number(old, now, nil))
	return sum(blocksOf(d.removed, d.added))
}

// number returns the lines of two texts as numbers less than count. Equal lines have equal numbers.
func number(before, after []string, key func(string) string) (a, b []int, count int) {
	ids := make(map[string]int, len(before))
	numbers := func(lines []string) []int {
		list := make([]int, len(lines))
		for i, line := range lines {
			if key != nil {
				line = key(line)
			}
			id, ok := ids[line]
			if !ok {
				id = len(ids)
				ids[line] = id
			}
			list[i] = id
		}
		return list
	}
	a, b = numbers(before), numbers(after)
	return a, b, len(ids)
}

// compareLines finds the lines of a and b that are changed: in the result, removed has a value for each line of a, and
// added for each line of b. Each line is represented by a number less than ids; equal lines have equal numbers.
func compareLines(a, b []int, ids int) *divider {
	d := &divider{removed: make([]bool, len(a)), added: make([]bool, len(b))}
	start, endA, endB := 0, len(a), len(b)
	for start < min(endA, endB) && a[start] == b[start] {
		start++
	}
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	inA, inB := make([]bool, ids), make([]bool, ids)
	for _, id := range a[start:endA] {
		inA[id] = true
	}
	for _, id := range b[start:endB] {
		inB[id] = true
	}
	d.a, d.atA = common(a, start, endA, inB, d.removed) // lines that occur in only one text are always changed
	d.b, d.atB = common(b, start, endB, inA, d.added)
	n := len(d.a) + len(d.b) + 3
	d.forward, d.backward = make([]int, n), make([]int, n)
	d.zero = len(d.b) + 1
	d.budget, d.limit = exactWork, 256
	for d.limit*d.limit < n {
		d.limit *= 2
	}
	d.compare(0, len(d.a), 0, len(d.b))
	return d
}

// common returns the lines in the range from start to end that also occur in the other text, and their
// positions. It marks all other lines in that range as changed.
func common(lines []int, start, end int, other, changed []bool) (kept, at []int) {
	for i := start; i < end; i++ {
		if other[lines[i]] {
			kept, at = append(kept, lines[i]), append(at, i)
		} else {
			changed[i] = true
		}
	}
	return kept, at
}

// divider compares two texts with the variant of Myers' algorithm that needs only linear space. It searches
// from both ends at once for a point on a short path from the start to the end of both texts. It then splits
// both texts at that point and compares the halves.
type divider struct {
	a, b           []int
	atA, atB       []int  // positions of the lines of a and b in removed and added
	removed, added []bool // changed lines

	// forward and backward hold the furthest position in a that was reached on each diagonal. The index of a
	// diagonal is the position in a minus the position in b, plus the value of the field zero.
	forward, backward []int
	zero              int
	limit             int // maximum number of steps before a split at the furthest point
	budget            int // number of comparisons that may still be made before the limit becomes roughLimit
}

// Limits for the time of a comparison.
const (
	exactWork  = 1 << 26
	roughLimit = 16
)

func (d *divider) compare(a0, a1, b0, b1 int) {
	for {
		for a0 < a1 && b0 < b1 && d.a[a0] == d.b[b0] {
			a0, b0 = a0+1, b0+1
		}
		for a0 < a1 && b0 < b1 && d.a[a1-1] == d.b[b1-1] {
			a1, b1 = a1-1, b1-1
		}
		if a0 == a1 || b0 == b1 {
			for ; a0 < a1; a0++ {
				d.removed[d.atA[a0]] = true
			}
			for ; b0 < b1; b0++ {
				d.added[d.atB[b0]] = true
			}
			return
		}
		a, b := d.split(a0, a1, b0, b1)
		if a-a0+b-b0 < a1-a+b1-b { // the depth of the recursion stays logarithmic
			d.compare(a0, a, b0, b)
			a0, b0 = a, b
		} else {
			d.compare(a, a1, b, b1)
			a1, b1 = a, b
		}
	}
}

// split returns a point on a short path from the start to the end of both ranges: lines a0 to a1 of a, and b0
// to b1 of b. Neither range is empty. Their first lines differ, and so do their last lines.
func (d *divider) split(a0, a1, b0, b1 int) (a, b int) {
	lowest, highest := a0-b1, a1-b0
	start, end := a0-b0, a1-b1
	odd := (start-end)&1 != 0
	fLow, fHigh, bLow, bHigh := start, start, end, end
	f, r, z := d.forward, d.backward, d.zero
	f[start+z], r[end+z] = a0, a1
	for steps := 1; ; steps++ {
		// Extend the range of diagonals, or leave out those beyond the edges.
		if fLow > lowest {
			fLow--
			f[fLow-1+z] = -1
		} else {
			fLow++
		}
		if fHigh < highest {
			fHigh++
			f[fHigh+1+z] = -1
		} else {
			fHigh--
		}
		for k := fHigh; k >= fLow; k -= 2 {
			i := max(f[k-1+z]+1, f[k+1+z])
			d.budget += i - 1
			for i < a1 && i-k < b1 && d.a[i] == d.b[i-k] {
				i++
			}
			f[k+z] = i
			d.budget -= i
			if odd && bLow <= k && k <= bHigh && r[k+z] <= i {
				return i, i - k
			}
		}
		const far = int(^uint(0) >> 1)
		if bLow > lowest {
			bLow--
			r[bLow-1+z] = far
		} else {
			bLow++
		}
		if bHigh < highest {
			bHigh++
			r[bHigh+1+z] = far
		} else {
			bHigh--
		}
		for k := bHigh; k >= bLow; k -= 2 {
			i := min(r[k-1+z], r[k+1+z]-1)
			d.budget -= i + 1
			for i > a0 && i-k > b0 && d.a[i-1] == d.b[i-k-1] {
				i--
			}
			r[k+z] = i
			d.budget += i
			if !odd && fLow <= k && k <= fHigh && i <= f[k+z] {
				return i, i - k
			}
		}
		if d.budget < 0 {
			d.limit = roughLimit
		}
		if steps >= d.limit {
			return d.furthest(a0, a1, b0, b1, fLow, fHigh, bLow, bHigh)
		}
	}
}

// furthest returns the point at which split has made the most progress on the given diagonals, from either
// end.
func (d *divider) furthest(a0, a1, b0, b1, fLow, fHigh, bLow, bHigh int) (a, b int) {
	best := -1
	for k := fHigh; k >= fLow; k -= 2 {
		i := min(d.forward[k+d.zero], a1)
		if i-k > b1 {
			i = b1 + k
		}
		if done := i - a0 + i - k - b0; i >= a0 && i-k >= b0 && done > best {
			best, a, b = done, i, i-k
		}
	}
	for k := bHigh; k >= bLow; k -= 2 {
		i := max(d.backward[k+d.zero], a0)
		if i-k < b0 {
			i = b0 + k
		}
		if done := a1 - i + b1 - (i - k); i <= a1 && i-k <= b1 && done > best {
			best, a, b = done, i, i-k
		}
	}
	return a, b
}

// slide moves runs of changed lines. If the lines around a run repeat, the run could also start at another
// line without changing the meaning of the diff. slide chooses the start with the best score or, if several
// have it, the last of them. A run next to changed lines of the other text isn't moved.
func slide(lines []int, changed, other []bool, texts []string) {
	j := 0 // line of the other text that corresponds to line i
	for i := 0; i < len(lines); {
		if !changed[i] {
			for j < len(other) && other[j] {
				j++
			}
			i, j = i+1, j+1
			continue
		}
		end := i
		for end < len(lines) && changed[end] {
			end++
		}
		if j < len(other) && other[j] || j > 0 && other[j-1] {
			i = end
			continue
		}
		best, bestScore := 0, score(texts[i])
		for up := 1; i-up >= 0 && !changed[i-up] && lines[i-up] == lines[end-up] && j-up >= 0 && (j-up == 0 || !other[j-up-1]); up++ {
			if s := score(texts[i-up]); s < bestScore {
				best, bestScore = -up, s
			}
		}
		down := 0
		for end+down < len(lines) && !changed[end+down] && lines[i+down] == lines[end+down] && j+down < len(other) && (j+down+1 >= len(other) || !other[j+down+1]) {
			down++
			if i+down < len(texts) {
				if s := score(texts[i+down]); s <= bestScore {
					best, bestScore = down, s
				}
			}
		}
		for k := i; k < end; k++ {
			changed[k] = false
		}
		for k := i + best; k < end+best; k++ {
			changed[k] = true
		}
		if best > 0 {
			j += best
		}
		i = max(end, end+best)
	}
}

// score rates a line as the first line of a changed run. Lower is better: little indentation is best, then
// an empty line, then the end of a block of code.
func score(line string) int {
	indent := 0
	for _, r := range line {
		switch r {
		case ' ':
			indent++
		case '\t':
			indent += 8
		case '\r', '\n':
			return blankScore
		case '}', ')', ']':
			return 2 * blankScore
		default:
			return indent
		}
	}
	return blankScore
}

// blankScore is the score of an empty line, which is higher than that of any indentation.
const blankScore = 1 << 20

func blocksOf(removed, added []bool) (blocks []Block) {
	for i, j := 0, 0; i < len(removed) || j < len(added); {
		b := Block{Old: i, New: j}
		for i < len(removed) && removed[i] {
			i++
		}
		for j < len(added) && added[j] {
			j++
		}
		if b.Olds, b.News = i-b.Old, j-b.New; b.Olds+b.News > 0 {
			blocks = append(blocks, b)
			continue
		}
		i, j = i+1, j+1
	}
	return blocks
}
