package comment

import (
	"sort"
	"unicode"
)

// Range is a range of lines, numbered from 0. It includes the line with the number End.
type Range struct{ Start, End int }

// Outcome is the result of following a comment from one version of a file to another.
type Outcome int

// Outcomes.
const (
	Followed Outcome = iota // the lines are at Place.Range
	Changed                 // the lines no longer exist
	Unsure                  // equal lines exist, but they may be other ones
)

// Place is the place of a comment's lines in another version of the file.
type Place struct {
	Outcome Outcome
	Range
}

// Follow finds ranges of lines in another version of a text and returns their places there. The first parameter holds
// the lines to which the ranges refer, and the second those of the other version. The package comment describes how
// Follow finds the places.
func Follow(before, after []string, ranges []Range) []Place {
	f := newFollower(before, after)
	places := make([]Place, len(ranges))
	for i, r := range ranges {
		places[i] = f.placeOf(r)
	}
	return places
}

// Limits for comparing two versions of a file.
const (
	// minWord is the minimum number of letters and digits in a line that counts as a line with text.
	minWord = 4
	// minDistinctive is the minimum number of letters and digits in a line that counts as having enough text: such a line
	// is unlikely to be written twice by chance.
	minDistinctive = 12
	// maxAround is the maximum number of lines before a comment, and of those after it, that are searched for lines that
	// were moved together with the comment.
	maxAround = 400
	// maxEdge is the maximum distance between two lines, in lines, at which one of them can show that the other was moved
	// or copied together with it.
	maxEdge = 8
	// maxCopies is the maximum number of equal lines with which a line is compared. Lines with more copies aren't
	// compared.
	maxCopies = 32
)

// follower compares two versions of a file. It represents each line by a number. Equal lines have the same number.
type follower struct {
	was, now side
	letters  []int  // by line number: the number of letters and digits, at most minDistinctive
	bare     []int  // by line number: the number of the line without white space
	gaps     []*gap // all gaps, in order
	cells    int    // total number of cells in the compared gaps
	isOld    bool   // more than a 16th of the old lines are missing, so fewer places are certain
}

// side is one version of a file.
type side struct {
	lines []int
	first []int // by number of a line without white space: the index of the first such line, or -1
	count []int // by number of a line without white space: the number of such lines
	next  []int // by index: the index of the next line that is equal without white space, or -1
	gap   []int // by index: the index of the line's gap, or -1 for an anchor
	other []int // by index of an anchor: its index on the other side
}

func newFollower(before, after []string) *follower {
	f := &follower{}
	numbers, bares := make(map[string]int, len(before)), make(map[uint64]int, len(before))
	number := func(texts []string) []int {
		lines := make([]int, len(texts))
		for i, text := range texts {
			n, ok := numbers[text]
			if !ok {
				n = len(numbers)
				numbers[text] = n
				f.letters = append(f.letters, lettersIn(text))
				bare := hashWithoutSpace(text)
				if _, ok := bares[bare]; !ok {
					bares[bare] = len(bares)
				}
				f.bare = append(f.bare, bares[bare])
			}
			lines[i] = n
		}
		return lines
	}
	f.was.lines, f.now.lines = number(before), number(after)
	f.was.index(f.bare, len(bares))
	f.now.index(f.bare, len(bares))
	gone := 0
	for _, n := range f.was.lines {
		if f.now.count[f.bare[n]] == 0 {
			gone++
		}
	}
	f.isOld = gone*16 > len(before)
	f.split(f.chain())
	return f
}

// lettersIn returns the number of letters and digits in a text. It stops counting at minDistinctive.
func lettersIn(text string) int {
	n := 0
	for _, c := range text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			if n++; n == minDistinctive {
				break
			}
		}
	}
	return n
}

// hashWithoutSpace returns the FNV hash of a text without its white space. If different texts have the same hash, their
// lines merely don't count as unique.
func hashWithoutSpace(text string) uint64 {
	hash := uint64(14695981039346656037)
	for i := range len(text) {
		if c := text[i]; c > ' ' {
			hash = (hash ^ uint64(c)) * 1099511628211
		}
	}
	return hash
}

func (s *side) index(bare []int, bares int) {
	s.first, s.count = make([]int, bares), make([]int, bares)
	s.next, s.gap, s.other = make([]int, len(s.lines)), make([]int, len(s.lines)), make([]int, len(s.lines))
	for n := range s.first {
		s.first[n] = -1
	}
	for i := len(s.lines) - 1; i >= 0; i-- {
		n := bare[s.lines[i]]
		s.next[i], s.first[n] = s.first[n], i
		s.count[n]++
	}
}

// isUnique reports whether the line with number n occurs exactly once in each version, apart from white space.
func (f *follower) isUnique(n int) bool {
	return f.was.count[f.bare[n]] == 1 && f.now.count[f.bare[n]] == 1
}

// pair is a line that both versions contain. It holds the line's index in each version.
type pair struct{ was, now int }

// chain returns the longest sequence of unique lines with enough text whose order is the same in both versions. Its
// first and last elements are imaginary: one before all lines, and one after them.
func (f *follower) chain() []pair {
	var unique []pair
	for i, n := range f.was.lines {
		if j := f.now.first[f.bare[n]]; f.letters[n] == minDistinctive && f.isUnique(n) && f.now.lines[j] == n {
			unique = append(unique, pair{i, j})
		}
	}
	prev := make([]int, len(unique)) // for each line, the line before it in its sequence, or -1
	var last []int                   // for each length, the earliest last line of a sequence in the new version
	for k, p := range unique {
		n := len(last)
		if n > 0 && unique[last[n-1]].now > p.now {
			n = sort.Search(n, func(n int) bool { return unique[last[n]].now >= p.now })
		}
		prev[k] = -1
		if n > 0 {
			prev[k] = last[n-1]
		}
		if n == len(last) {
			last = append(last, 0)
		}
		last[n] = k
	}
	list := make([]pair, len(last)+2)
	list[0], list[len(last)+1] = pair{-1, -1}, pair{len(f.was.lines), len(f.now.lines)}
	if len(last) > 0 {
		for k, n := last[len(last)-1], len(last); k >= 0; k, n = prev[k], n-1 {
			list[n] = unique[k]
		}
	}
	return list
}

// split divides both versions at anchors. These are lines of the chain that are connected to another line of the chain
// by equal lines. A line of the chain without such a connection may be a copy whose original was changed, so it becomes
// an anchor only if the gap would otherwise be too large.
func (f *follower) split(chain []pair) {
	isJoined := make([]bool, len(chain)) // for each line of the chain, whether equal lines connect it to the next one
	for k := range len(chain) - 1 {
		a, b := chain[k], chain[k+1]
		isJoined[k] = b.was-a.was == b.now-a.now && f.isEqual(Range{a.was + 1, b.was - 1}, a.now-a.was)
	}
	for from := 0; from < len(chain)-1; {
		to := from + 1
		for to < len(chain)-1 && !isJoined[to] && !isJoined[to-1] {
			to++
		}
		if a, b := chain[from], chain[to]; (b.was-a.was)*(b.now-a.now) <= maxJoined {
			f.addGap(a, b)
		} else {
			for k := from; k < to; k++ {
				f.addGap(chain[k], chain[k+1])
			}
		}
		from = to
	}
}

// addGap adds the gap between the anchors a and b, and records b as an anchor.
func (f *follower) addGap(a, b pair) {
	for i := a.was + 1; i < b.was; i++ {
		f.was.gap[i] = len(f.gaps)
	}
	for j := a.now + 1; j < b.now; j++ {
		f.now.gap[j] = len(f.gaps)
	}
	if b.was < len(f.was.lines) {
		f.was.gap[b.was], f.now.gap[b.now] = -1, -1
		f.was.other[b.was], f.now.other[b.now] = b.now, b.was
	}
	if b.was > a.was+1 || b.now > a.now+1 {
		f.gaps = append(f.gaps, &gap{a: a, b: b})
	}
}

// placeOf returns the place of a range of the old version in the new one. A range without text is followed together
// with the closest line with text before it or, if that fails, after it, because braces and empty lines occur in many
// places.
func (f *follower) placeOf(r Range) Place {
	if r.Start < 0 || r.End < r.Start || r.End >= len(f.was.lines) || !f.occurs(r) {
		return Place{Outcome: Changed}
	}
	at, ok := 0, false
	if f.hasText(r) {
		at, ok = f.follow(r)
	} else if from := f.textBefore(r.Start); from >= 0 {
		at, ok = f.follow(Range{from, r.End})
		at += r.Start - from
	}
	if !ok && !f.hasText(r) {
		if to := f.textAfter(r.End); to < len(f.was.lines) {
			at, ok = f.follow(Range{r.Start, to})
		}
	}
	if !ok {
		return Place{Outcome: Unsure}
	}
	return Place{Followed, Range{at, at + r.End - r.Start}}
}

// follow returns the index of the line in the new version at which a range of the old version now starts. ok is false
// if the place isn't certain.
func (f *follower) follow(r Range) (at int, ok bool) {
	if f.isOld && !f.isWhole(r) {
		return 0, false // copies may have changed places
	}
	if at, ok = f.stayed(r); ok {
		return at, true
	}
	return f.moved(r)
}

// isWhole reports whether a range has no copies: each of its lines with enough text is unique, or the range contains at
// least two such lines and occurs as a whole once in each version.
func (f *follower) isWhole(r Range) bool {
	for i := r.Start; i <= r.End; i++ {
		if n := f.was.lines[i]; f.letters[n] == minDistinctive && !f.isUnique(n) {
			return r.End > r.Start && f.hasDistinctive(r) && f.copies(&f.was, r) == 1 && f.copies(&f.now, r) == 1
		}
	}
	return true
}

// hasDistinctive reports whether a range contains at least two lines with enough text.
func (f *follower) hasDistinctive(r Range) bool {
	n := 0
	for i := r.Start; i <= r.End; i++ {
		if f.letters[f.was.lines[i]] == minDistinctive {
			n++
		}
	}
	return n > 1
}

// copies returns how often the lines of a range occur in one version of the file.
func (f *follower) copies(s *side, r Range) (n int) {
	for at := s.first[f.bare[f.was.lines[r.Start]]]; at >= 0; at = s.next[at] {
		same := at+r.End-r.Start < len(s.lines)
		for k := 0; same && k <= r.End-r.Start; k++ {
			same = s.lines[at+k] == f.was.lines[r.Start+k]
		}
		if same {
			n++
		}
	}
	return n
}

// hasText reports whether a range contains a line with text.
func (f *follower) hasText(r Range) bool {
	for i := r.Start; i <= r.End; i++ {
		if f.isWord(i) {
			return true
		}
	}
	return false
}

// textBefore returns the index of the closest line with text before line i, or -1 if there is none.
func (f *follower) textBefore(i int) int {
	for i--; i >= 0 && !f.isWord(i); i-- {
	}
	return i
}

// textAfter returns the index of the closest line with text after line i, or the number of lines if there is none.
func (f *follower) textAfter(i int) int {
	for i++; i < len(f.was.lines) && !f.isWord(i); i++ {
	}
	return i
}

// occurs reports whether the lines of a range occur anywhere in the new version.
func (f *follower) occurs(r Range) bool {
	rarest := r.Start
	for i := r.Start; i <= r.End; i++ {
		if f.now.count[f.bare[f.was.lines[i]]] < f.now.count[f.bare[f.was.lines[rarest]]] {
			rarest = i
		}
	}
	for at := f.now.first[f.bare[f.was.lines[rarest]]]; at >= 0; at = f.now.next[at] {
		if f.isEqual(r, at-rarest) {
			return true
		}
	}
	return false
}

// isEqual reports whether the lines of a range are equal to those that are shift lines further down in the new version.
func (f *follower) isEqual(r Range, shift int) bool {
	if r.Start < 0 || r.Start+shift < 0 || r.End >= len(f.was.lines) || r.End+shift >= len(f.now.lines) {
		return false
	}
	for i := r.Start; i <= r.End; i++ {
		if f.was.lines[i] != f.now.lines[i+shift] {
			return false
		}
	}
	return true
}
