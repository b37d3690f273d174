package comment

import (
	"strings"
	"unicode"
)

// Range is a range of lines, from 0. End is the last line.
type Range struct{ Start, End int }

// Outcome is the result of following a comment from one version of a file to another.
type Outcome int

// Outcomes.
const (
	Followed Outcome = iota // the lines are at Place.Range
	Changed                 // the lines no longer exist
	Unsure                  // equal lines exist, but they may be others
)

// Place is the place of the lines of a comment in another version of a file.
type Place struct {
	Outcome Outcome
	Range
}

// Follow returns the place of each range of lines of the text before in the text after. See the package comment for
// what it promises.
func Follow(before, after []string, ranges []Range) []Place {
	f := newFollower(before, after)
	places := make([]Place, len(ranges))
	for i, r := range ranges {
		places[i] = f.placeOf(r)
	}
	return places
}

// Limits of a follower.
const (
	// minTelling is the minimum number of letters and digits in a line that isn't written twice by chance.
	minTelling = 12
	// maxRun is the maximum number of lines before and after a comment that are compared to find its run.
	maxRun = 400
	// maxCopies is the maximum number of equal lines with which a line is compared.
	maxCopies = 32
)

// follower compares two versions of a file. Lines are numbers: equal lines have equal numbers.
type follower struct {
	was, now side
	telling  []bool  // by line number
	bare     []int32 // by line number: the number of the line without white space
	inChain  []bool  // by index in the old version: the anchor is part of the chain
}

// side is one version of a file.
type side struct {
	lines []int32
	at    [][]int32    // by number of a line without white space: the indexes of such lines
	other []int32      // by index: the index of the same anchor on the other side, or -1
	prev  []int32      // by index: the closest anchor at or before it, or -1
	next  []int32      // by index: the closest anchor at or after it, or the number of lines
	gaps  map[int]*gap // by index of the first line
}

func newFollower(before, after []string) *follower {
	f := &follower{was: side{gaps: map[int]*gap{}}, now: side{gaps: map[int]*gap{}}}
	numbers, bares := map[string]int32{}, map[string]int32{}
	for i, texts := range [][]string{before, after} {
		s := []*side{&f.was, &f.now}[i]
		s.lines = make([]int32, len(texts))
		for j, text := range texts {
			n, ok := numbers[text]
			if !ok {
				n = int32(len(f.telling)) //nolint:gosec // a file has at most maxLines lines
				numbers[text] = n
				f.telling = append(f.telling, isTelling(text))
				bare := withoutSpace(text)
				if _, ok := bares[bare]; !ok {
					bares[bare] = int32(len(bares))
				}
				f.bare = append(f.bare, bares[bare])
			}
			s.lines[j] = n
		}
	}
	f.was.index(f.bare, len(bares))
	f.now.index(f.bare, len(bares))
	for i, n := range f.was.lines {
		if was, now := f.was.at[f.bare[n]], f.now.at[f.bare[n]]; f.telling[n] && len(was) == 1 && len(now) == 1 && f.now.lines[now[0]] == n {
			j := now[0]
			f.was.other[i], f.now.other[j] = j, int32(i) //nolint:gosec // as above
		}
	}
	f.was.findAnchors()
	f.now.findAnchors()
	f.findChain()
	return f
}

func isTelling(text string) bool {
	n := 0
	for _, c := range text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			if n++; n == minTelling {
				return true
			}
		}
	}
	return false
}

func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

func (s *side) index(bare []int32, bares int) {
	s.at = make([][]int32, bares)
	s.other = make([]int32, len(s.lines))
	for i, n := range s.lines {
		s.at[bare[n]] = append(s.at[bare[n]], int32(i)) //nolint:gosec // a file has at most maxLines lines
		s.other[i] = -1
	}
}

func (s *side) findAnchors() {
	s.prev, s.next = make([]int32, len(s.lines)), make([]int32, len(s.lines))
	last := int32(-1)
	for i := range s.lines {
		if s.other[i] >= 0 {
			last = int32(i) //nolint:gosec // as above
		}
		s.prev[i] = last
	}
	last = int32(len(s.lines)) //nolint:gosec // as above
	for i := len(s.lines) - 1; i >= 0; i-- {
		if s.other[i] >= 0 {
			last = int32(i) //nolint:gosec // as above
		}
		s.next[i] = last
	}
}

// opposite returns the place on the other side of an anchor, or of the start (-1) or end of the text.
func (s *side) opposite(anchor int, other *side) int {
	switch {
	case anchor < 0:
		return -1
	case anchor == len(s.lines):
		return len(other.lines)
	}
	return int(s.other[anchor])
}

// placeOf returns the place of a range.
func (f *follower) placeOf(r Range) Place {
	if r.Start < 0 || r.End < r.Start || r.End >= len(f.was.lines) {
		return Place{Outcome: Changed}
	}
	from, ok := f.line(r.Start)
	for i := r.Start + 1; ok && i <= r.End; i++ {
		var at int
		at, ok = f.line(i)
		ok = ok && at == from+i-r.Start
	}
	if ok && f.isOriginal(r, from-r.Start) {
		return Place{Followed, Range{from, from + r.End - r.Start}}
	}
	if f.occurs(r) {
		return Place{Outcome: Unsure}
	}
	return Place{Outcome: Changed}
}

// occurs reports whether equal lines exist anywhere in the new version.
func (f *follower) occurs(r Range) bool {
	for _, at := range f.now.at[f.bare[f.was.lines[r.Start]]] {
		n := 0
		for n <= r.End-r.Start && f.equal(r.Start+n, int(at)+n) {
			n++
		}
		if n > r.End-r.Start {
			return true
		}
	}
	return false
}

func (f *follower) equal(i, j int) bool {
	return i >= 0 && j >= 0 && i < len(f.was.lines) && j < len(f.now.lines) && f.was.lines[i] == f.now.lines[j]
}

// line returns the place of a line, and whether it is certain: it must follow in both directions.
func (f *follower) line(i int) (at int, ok bool) {
	at, ok = f.direct(&f.was, &f.now, i)
	if !ok {
		return 0, false
	}
	back, ok := f.direct(&f.now, &f.was, at)
	return at, ok && back == i
}

// direct returns the place of line i of s on the other side. The place of a line that isn't an anchor follows from the
// gap between the anchors before and after it.
func (f *follower) direct(s, other *side, i int) (at int, ok bool) {
	if j := s.other[i]; j >= 0 {
		return int(j), true
	}
	at = s.gapAt(other, i).placeOf(i)
	return at, at >= 0
}
