package blame

import (
	"slices"
	"sort"
	"unicode"

	"github.com/voxpilot/voxpilot/backend/diff"
)

// maxCells is the maximum number of line pairs that are compared to find all alignments of part of a file.
const maxCells = 1 << 20

// aligner determines the writers of the lines of a new version of a file from those of the previous version. It
// represents each line by a number; equal lines have equal numbers.
type aligner struct {
	sets   *sets
	text   func(line int32) string
	before []int32 // temporary: number of occurrences in the old version, by line
	after  []int32 // temporary: number of occurrences in the new version, by line
	at     []int32 // temporary: index in the old version, by line
	most   []int32 // the largest number of occurrences in any version so far, by line
}

// carry returns the writers of each line of a file's new version (now). Its other arguments are the lines of the
// previous version (was), the writers of each of these lines (writers), and the set of writers of the changes between
// the two versions (changed).
//
// A line has several writers if several alignments of the two versions are equally good, or if the line may have been
// written again with the same text. Alignments that keep one line fewer than the best ones also count, but only for the
// lines that they keep. If a line has a single writer, that writer is therefore certain. All alignments match the lines
// in fixedPoints.
func (a *aligner) carry(was []int32, writers []set, now []int32, changed set) []set {
	res := make([]set, len(now))
	start := 0
	for start < min(len(was), len(now)) && was[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(was), len(now))-start && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	copy(res[:start], writers)
	copy(res[len(now)-end:], writers[len(was)-end:])
	if start+end == len(was) && len(was) == len(now) {
		return res
	}
	a.count(was, now)
	defer a.clear(was, now)
	// Equal lines next to the change, up to the nearest fixed lines, may be part of it.
	for start > 0 && !a.isFixed(was[start-1]) {
		start--
	}
	for end > 0 && !a.isFixed(was[len(was)-end]) {
		end--
	}
	i, j := start, start
	for _, p := range a.fixedPoints(now[start : len(now)-end]) {
		p.now += start
		a.part(was[i:p.was], writers[i:p.was], now[j:p.now], res[j:p.now], changed)
		res[p.now] = writers[p.was]
		if a.isDoubtful(was, now, p) {
			res[p.now] = a.sets.add(res[p.now], changed)
		}
		i, j = p.was+1, p.now+1
	}
	a.part(was[i:len(was)-end], writers[i:len(was)-end], now[j:len(now)-end], res[j:len(now)-end], changed)
	for j := start; j < len(now)-end; j++ {
		if line := now[j]; res[j] == changed && a.isFixed(line) { // the line was moved, possibly by writing it again
			res[j] = a.sets.add(changed, writers[a.at[line]])
		}
	}
	return res
}

// replace returns the writers of each line of an edit's new text (now). Its other arguments are the lines of the old
// text (was), the writers of each of these lines (writers), and the set of writers of the edit (changed). Equal lines
// at the start and at the end keep their writers, and so do the lines in fixedPoints and equal lines next to them. If a
// line in fixedPoints is doubtful (isDoubtful), the edit may have written it, too.
func (a *aligner) replace(was []int32, writers []set, now []int32, changed set) []set {
	a.count(was, now)
	defer a.clear(was, now)
	res := slices.Repeat([]set{changed}, len(now))
	start := 0
	for start < min(len(was), len(now)) && was[start] == now[start] {
		res[start] = writers[start]
		start++
	}
	n, m := len(was), len(now)
	for n > start && m > start && was[n-1] == now[m-1] {
		n, m = n-1, m-1
		res[m] = writers[n]
	}
	i, j := start, start // the writers of the lines before these are known
	for _, p := range a.fixedPoints(now[start:m]) {
		p.now += start
		if p.was < i || p.was >= n || p.now < j {
			continue
		}
		for k := 1; p.was-k >= i && p.now-k >= j && was[p.was-k] == now[p.now-k]; k++ {
			res[p.now-k] = writers[p.was-k]
		}
		for i, j = p.was, p.now; i < n && j < m && was[i] == now[j]; i, j = i+1, j+1 {
			res[j] = writers[i]
		}
		if a.isDoubtful(was, now, p) {
			res[p.now] = a.sets.add(res[p.now], changed)
		}
	}
	return res
}

func (a *aligner) count(was, now []int32) {
	size := len(a.before)
	for _, lines := range [][]int32{was, now} {
		for _, line := range lines {
			size = max(size, int(line)+1)
		}
	}
	for _, counts := range []*[]int32{&a.before, &a.after, &a.at, &a.most} {
		*counts = append(*counts, make([]int32, size-len(*counts))...)
	}
	for i, line := range was {
		a.before[line]++
		a.at[line] = int32(i) //nolint:gosec // a file has at most maxFile lines
		a.most[line] = max(a.most[line], a.before[line])
	}
	for _, line := range now {
		a.after[line]++
		a.most[line] = max(a.most[line], a.after[line])
	}
}

func (a *aligner) clear(was, now []int32) {
	for _, line := range was {
		a.before[line] = 0
	}
	for _, line := range now {
		a.after[line] = 0
	}
}

// isFixed reports whether a line occurs exactly once in each of the two versions and never occurred more often in an
// earlier one. A line that once occurred more often, such as a closing brace, may be a new line with the same text.
func (a *aligner) isFixed(line int32) bool {
	return a.before[line] == 1 && a.after[line] == 1 && a.most[line] == 1
}

// minDistinctive is the minimum number of letters and digits in a line that is unlikely to be written twice by chance.
// Lines such as "end" and "return nil" have fewer. git blame -M applies a similar limit, 20, to moved lines.
const minDistinctive = 12

// isDoubtful reports whether the line at p, which occurs once in each version, may be a new line with the same text as
// the old one: the line has little text, and the lines before and after it have both changed.
func (a *aligner) isDoubtful(was, now []int32, p point) bool {
	differs := func(i, j int) bool {
		hasOld, hasNew := i >= 0 && i < len(was), j >= 0 && j < len(now)
		return hasOld != hasNew || hasOld && was[i] != now[j]
	}
	if !differs(p.was-1, p.now-1) || !differs(p.was+1, p.now+1) {
		return false
	}
	n := 0
	for _, c := range a.text(now[p.now]) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			n++
		}
	}
	return n < minDistinctive
}

// point is a pair of equal lines, by their indexes in the old and the new version.
type point struct{ was, now int }

// fixedPoints returns the fixed lines (isFixed) among the given lines of the new version. If their order differs
// between the versions, it returns the longest sequence of fixed lines whose order is the same in both.
func (a *aligner) fixedPoints(now []int32) []point {
	var all []point
	var last []int // by length: the index in all of the last point of a sequence, the one with the smallest was
	var prev []int // by point: the index in all of the point before it in its sequence, or -1
	for j, line := range now {
		if !a.isFixed(line) {
			continue
		}
		i := int(a.at[line])
		n := sort.Search(len(last), func(k int) bool { return all[last[k]].was >= i })
		before := -1
		if n > 0 {
			before = last[n-1]
		}
		all, prev = append(all, point{i, j}), append(prev, before)
		if n == len(last) {
			last = append(last, 0)
		}
		last[n] = len(all) - 1
	}
	if len(last) == 0 {
		return nil
	}
	var points []point
	for k := last[len(last)-1]; k >= 0; k = prev[k] {
		points = append(points, all[k])
	}
	slices.Reverse(points)
	return points
}

// part determines the writers of the new lines between two fixed points and stores them in res. Its arguments are the
// old lines between these points (was), the writers of each of them (writers), the new lines (now), and the set of
// writers of the changes (changed).
func (a *aligner) part(was []int32, writers []set, now []int32, res []set, changed set) {
	n, m := len(was), len(now)
	switch {
	case m == 0:
		return
	case slices.Equal(was, now):
		copy(res, writers)
		return
	case n == 0:
		for j := range res {
			res[j] = changed
		}
		return
	case n > maxCells/m:
		a.largePart(was, writers, now, res, changed)
		return
	}
	// head[i][j] is the length of the longest common sequence of was[:i] and now[:j]; tail[i][j] is the
	// length for was[i:] and now[j:].
	wide := m + 1
	head, tail := make([]int32, (n+1)*wide), make([]int32, (n+1)*wide)
	for i := 1; i <= n; i++ {
		for j := 1; j <= m; j++ {
			if was[i-1] == now[j-1] {
				head[i*wide+j] = head[(i-1)*wide+j-1] + 1
			} else {
				head[i*wide+j] = max(head[(i-1)*wide+j], head[i*wide+j-1])
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if was[i] == now[j] {
				tail[i*wide+j] = tail[(i+1)*wide+j+1] + 1
			} else {
				tail[i*wide+j] = max(tail[(i+1)*wide+j], tail[i*wide+j+1])
			}
		}
	}
	best := onePath(was, now, tail)
	most := tail[0]
	first, last := edges(best, n)
	for j, i := range best {
		if i >= 0 {
			res[j] = writers[i]
		} else {
			res[j] = changed
		}
		isNew := i >= 0 && first <= j && j < last
		for i := 0; i <= n; i++ {
			isNew = isNew || head[i*wide+j]+tail[i*wide+j+1] == most // an alignment in which the line is new
			if i < n && was[i] == now[j] && head[i*wide+j]+1+tail[(i+1)*wide+j+1] >= most-1 {
				res[j] = a.sets.add(res[j], writers[i])
			}
		}
		if isNew {
			res[j] = a.sets.add(res[j], changed)
		}
	}
}

// onePath returns one of the longest alignments: for each new line, the index of the old one, or -1. tail is the table
// of lengths computed by the method part.
func onePath(was, now, tail []int32) []int {
	wide := len(now) + 1
	path := make([]int, len(now))
	i, j := 0, 0
	for j < len(now) {
		switch {
		case i < len(was) && was[i] == now[j]:
			path[j] = i
			i, j = i+1, j+1
		case i < len(was) && tail[(i+1)*wide+j] == tail[i*wide+j]:
			i++
		default:
			path[j] = -1
			j++
		}
	}
	return path
}

// edges returns the range of a part's new lines without the unchanged lines at its start and end. The result last is
// the index after the range. Unchanged lines within the range may have been written again. path is the result of
// onePath, and n is the number of old lines.
func edges(path []int, n int) (first, last int) {
	for first < len(path) && path[first] == first {
		first++
	}
	last = len(path)
	for last > first && path[last-1] >= 0 && n-path[last-1] == len(path)-last+1 {
		last--
	}
	return first, last
}

// largePart does the same as the method part, but for parts that are too large to find all alignments. The writers of a
// line that occurs in both versions are the writers of its old occurrences and those of the changes.
func (a *aligner) largePart(was []int32, writers []set, now []int32, res []set, changed set) {
	texts := make([][]string, 2)
	for k, lines := range [][]int32{was, now} {
		for _, line := range lines {
			texts[k] = append(texts[k], a.text(line))
		}
	}
	inWas := map[int32]set{}
	for i, line := range was {
		inWas[line] = a.sets.add(inWas[line], writers[i])
	}
	for j, i := range diff.MatchLines(texts[0], texts[1]) {
		res[j] = changed
		if i >= 0 {
			res[j] = a.sets.add(writers[i], changed)
		}
		res[j] = a.sets.add(res[j], inWas[now[j]])
	}
}
