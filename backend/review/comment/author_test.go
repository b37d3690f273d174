package comment

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// line is a line of a file in the model. The model knows each line's identity: a line stays the same when it is moved,
// indented or changed, and a copy of it is a different line.
type line struct {
	id   int
	text string
	from int // the line of which this one is a copy, or 0
	copy int // the edit that made the copy
}

// author makes random edits to a file of source text.
type author struct {
	*rand.Rand
	next    int
	lines   []line
	from    int         // index of the next unused line of the corpus
	sources map[int]int // for each copied line, the line of which it is a copy
}

// corpus returns the lines of VoxPilot's own source, file after file.
var corpus = sync.OnceValue(func() (lines []string) {
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		lines = append(lines, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")...)
		return err
	})
	if err != nil {
		panic(err)
	}
	return lines
})

func newAuthor(r *rand.Rand) *author {
	a := &author{Rand: r, sources: map[int]int{}, from: r.IntN(len(corpus()))}
	a.lines = a.write(300)
	return a
}

// write returns n new lines of source text. As in any source code, many of the lines occur several times.
func (a *author) write(n int) (lines []line) {
	for range n {
		a.next++
		lines = append(lines, line{id: a.next, text: corpus()[a.from%len(corpus())]})
		a.from++
	}
	a.from += a.IntN(40)
	return lines
}

// span returns a random range of up to n lines.
func (a *author) span(n int) (from, to int) {
	n = min(1+a.IntN(n), len(a.lines))
	from = a.IntN(len(a.lines) - n + 1)
	return from, from + n
}

// edit makes one edit: it inserts, deletes, changes, moves, indents or copies lines.
func (a *author) edit() {
	kind := a.IntN(7)
	if len(a.lines) > 400 {
		kind = 1
	}
	a.lines = slices.Clone(a.lines)
	switch from, to := a.span(6); {
	case kind == 0 || len(a.lines) < 150:
		a.lines = slices.Insert(a.lines, a.IntN(len(a.lines)+1), a.write(1+a.IntN(8))...)
	case kind == 1:
		a.lines = slices.Delete(a.lines, from, to)
	case kind == 2: // change each line
		for i, l := range a.write(to - from) {
			a.lines[from+i].text = l.text
		}
	case kind == 3: // replace lines with others
		a.replace(from, to, a.write(1+a.IntN(6)))
	case kind == 4:
		from, to = a.span(15)
		block := slices.Clone(a.lines[from:to])
		a.lines = slices.Delete(a.lines, from, to)
		a.lines = slices.Insert(a.lines, a.IntN(len(a.lines)+1), block...)
	case kind == 5:
		from, to = a.span(10)
		for i := from; i < to; i++ {
			if text := a.lines[i].text; text != "" && a.IntN(2) == 0 || !strings.HasPrefix(text, "\t") {
				a.lines[i].text = "\t" + text
			} else {
				a.lines[i].text = strings.TrimPrefix(text, "\t")
			}
		}
	case kind == 6:
		from, to = a.span(15)
		block := slices.Clone(a.lines[from:to])
		a.next++
		first := a.next
		for i := range block {
			a.next++
			block[i] = line{id: a.next, text: block[i].text, from: block[i].id, copy: first}
			a.sources[a.next] = block[i].from
		}
		at := a.IntN(len(a.lines) + 1)
		if a.IntN(4) == 0 {
			at = to
		}
		a.lines = slices.Insert(a.lines, at, block...)
	}
}

// replace replaces lines with a block. Lines at the start or the end stay if they are the same in the block.
func (a *author) replace(from, to int, block []line) {
	for from < to && len(block) > 0 && block[0].text == a.lines[from].text {
		from, block = from+1, block[1:]
	}
	for from < to && len(block) > 0 && block[len(block)-1].text == a.lines[to-1].text {
		to, block = to-1, block[:len(block)-1]
	}
	a.lines = slices.Replace(a.lines, from, to, block...)
}

func texts(lines []line) []string {
	list := make([]string, len(lines))
	for i, l := range lines {
		list[i] = l.text
	}
	return list
}

// history describes how a text became another one: for each new line, it holds the line's index in the old text, or -1.
type history []int

// historyOf returns the true history according to the identities of the lines.
func historyOf(was, now []line) history {
	at := map[line]int{}
	for i, l := range was {
		at[l] = i
	}
	h := make(history, len(now))
	for j, l := range now {
		h[j] = -1
		if i, ok := at[l]; ok {
			h[j] = i
		}
	}
	return h
}

// cost returns the number of regions in which the two texts of a history differ, and the number of lines that were
// removed, added or moved. As in a diff, a moved line counts twice.
func (h history) cost(old int) (regions, changed int) {
	type segment struct{ from, n int }
	var kept []segment
	alive := make([]bool, old)
	for j := 0; j < len(h); {
		n := 1
		for j+n < len(h) && (h[j] < 0 && h[j+n] < 0 || h[j] >= 0 && h[j+n] == h[j]+n) {
			n++
		}
		if h[j] >= 0 {
			kept = append(kept, segment{h[j], n})
			for k := range n {
				alive[h[j]+k] = true
			}
		}
		regions++
		j += n
	}
	for i := range alive {
		if !alive[i] && (i == 0 || alive[i-1]) {
			regions++
		}
	}
	most, best := make([]int, len(kept)), 0
	for i, s := range kept {
		for k := range i {
			if kept[k].from < s.from {
				most[i] = max(most[i], most[k])
			}
		}
		most[i] += s.n
		best = max(best, most[i])
	}
	return regions, old + len(h) - 2*best
}

// with returns a copy of h in which n new lines, starting at line j, come from n old lines, starting at line i. If
// other new lines came from these old lines, they become added lines. If swap is true, they instead come from the old
// lines from which the n new lines used to come.
func (h history) with(i, j, n int, swap bool) history {
	h = slices.Clone(h)
	for k := range n {
		other := slices.Index(h, i+k)
		if other >= 0 && other != j+k {
			h[other] = -1
			if swap {
				h[other] = h[j+k]
			}
		}
		h[j+k] = i + k
	}
	return h
}

// explains reports whether n lines of the new text, starting at now[j], could also come from n lines of the old text,
// starting at was[i]. That is the case if the new text would have the same bytes, and if no more regions and lines
// would have changed than in the true history. The text then doesn't show which history is true, for example whether a
// copy was inserted before or after the original.
func explains(was, now []line, i, j, n int) bool {
	h := historyOf(was, now)
	regions, changed := h.cost(len(was))
	alive := map[int]bool{}
	for _, k := range h {
		alive[k] = true
	}
	for wide := range 3 {
		from, to := 0, n
		may := func(k int) bool {
			if wide == 0 || i+k < 0 || j+k < 0 || i+k >= len(was) || j+k >= len(now) || was[i+k].text != now[j+k].text {
				return false
			}
			return wide == 2 || h[j+k] < 0 && !alive[i+k]
		}
		for may(from - 1) {
			from--
		}
		for may(to) {
			to++
		}
		for _, swap := range []bool{false, true} {
			r, c := h.with(i+from, j+from, to-from, swap).cost(len(was))
			if r <= regions && c <= changed {
				return true
			}
		}
	}
	return false
}

// replaces reports whether the lines starting at now[j] are copies of lines that no longer exist, not even in a changed
// form. The parameter ids holds the IDs of the original lines. The text then has the same bytes as if the original
// lines had been moved.
func (a *author) replaces(ids []int, now []line, j int) bool {
	for k, id := range ids {
		at := now[j+k].id
		for at != id && at != 0 {
			at = a.sources[at]
		}
		if at != id || at != now[j+k].id && slices.ContainsFunc(now, func(l line) bool { return l.id == id }) {
			return false
		}
	}
	return true
}
