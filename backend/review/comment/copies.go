package comment

import (
	"sort"
)

// findChain finds the longest sequence of anchors that are in the same order in both versions. Other anchors
// were moved.
func (f *follower) findChain() {
	f.inChain = make([]bool, len(f.was.lines))
	prev := make([]int32, len(f.was.lines)) // by anchor: the anchor before it in its sequence, or -1
	var last []int32                        // by length: the last anchor of a sequence, the one that is earliest in the new version
	for i, j := range f.was.other {
		if j < 0 {
			continue
		}
		n := sort.Search(len(last), func(k int) bool { return f.was.other[last[k]] >= j })
		prev[i] = -1
		if n > 0 {
			prev[i] = last[n-1]
		}
		if n == len(last) {
			last = append(last, 0)
		}
		last[n] = int32(i) //nolint:gosec // a file has at most maxLines lines
	}
	if len(last) == 0 {
		return
	}
	for i := last[len(last)-1]; i >= 0; i = prev[i] {
		f.inChain[i] = true
	}
}

// run is a range of equal lines of both versions.
type run struct {
	Range     // in the old version
	shift int // what is added to a line of the old version to get that of the new one
}

// runAt returns the lines around line i of the old version, at most maxRun in each direction, that are equal to those
// around line i+shift of the new one.
func (f *follower) runAt(i, shift int) run {
	r := run{Range{i, i}, shift}
	for r.Start > i-maxRun && f.equal(r.Start-1, r.Start-1+shift) {
		r.Start--
	}
	for r.End < i+maxRun && f.equal(r.End+1, r.End+1+shift) {
		r.End++
	}
	return r
}

// alike returns the lines around line i of the old version, at most maxRun in each direction, that are equal to those
// around line i+shift of the new one apart from their white space.
func (f *follower) alike(i, shift int) run {
	r := run{Range{i, i}, shift}
	for r.Start > i-maxRun && f.similar(r.Start-1, r.Start-1+shift) {
		r.Start--
	}
	for r.End < i+maxRun && f.similar(r.End+1, r.End+1+shift) {
		r.End++
	}
	return r
}

func (f *follower) similar(i, j int) bool {
	return i >= 0 && j >= 0 && i < len(f.was.lines) && j < len(f.now.lines) && f.bare[f.was.lines[i]] == f.bare[f.now.lines[j]]
}

// anchors returns the number of anchors in a run.
func (f *follower) anchors(r run) (n int) {
	for i := r.Start; i <= r.End; i++ {
		if int(f.was.other[i]) == i+r.shift {
			n++
		}
	}
	return n
}

// isMoved reports whether less than two of the anchors in a run are in the chain.
func (f *follower) isMoved(r run) bool {
	n := 0
	for i := r.Start; i <= r.End; i++ {
		if f.inChain[i] && int(f.was.other[i]) == i+r.shift {
			n++
		}
	}
	return n < 2
}

// isOriginal reports whether the lines of a comment are those that it was made on rather than a copy of them.
//
// A telling line whose number of occurrences has changed is the trace of a copy. Next to a trace, the run of the
// comment must hold more of the context than the run of the other copy.
func (f *follower) isOriginal(comment Range, shift int) bool {
	own := f.runAt(comment.Start, shift)
	isMoved := f.isMoved(own)
	if isMoved && (f.anchors(own) < 2 || f.hasStayed(own) || !f.isInner(own, comment)) {
		return false
	}
	for i := own.Start; i <= own.End; i++ {
		n := f.was.lines[i]
		was, now := f.was.at[f.bare[n]], f.now.at[f.bare[n]]
		if !f.telling[n] || len(was) == len(now) || len(was) > maxCopies || len(now) > maxCopies {
			continue
		}
		if isMoved && min(len(was), len(now)) == 1 {
			return false
		}
		for _, j := range now {
			isExact := f.now.lines[j] == n
			if int(j) != i+shift && !f.isStronger(own, comment, f.alike(i, int(j)-i), 0, isExact) {
				return false
			}
		}
		for _, k := range was {
			if int(k) != i && !f.isStronger(own, comment, f.alike(int(k), i+shift-int(k)), i-int(k), f.was.lines[k] == n) {
				return false
			}
		}
	}
	return true
}

// isInner reports whether a comment is between two anchors of its run, which may be its own lines.
func (f *follower) isInner(own run, comment Range) bool {
	isAnchor := func(i int) bool { return int(f.was.other[i]) == i+own.shift }
	before, after := false, false
	for i := own.Start; i <= comment.Start && !before; i++ {
		before = isAnchor(i)
	}
	for i := own.End; i >= comment.End && !after; i-- {
		after = isAnchor(i)
	}
	return before && after
}

// hasStayed reports whether a line of a moved run may still be where the run was.
func (f *follower) hasStayed(r run) bool {
	before, after := r.Start-1, r.End+1
	for before >= 0 && f.was.other[before] < 0 {
		before--
	}
	for after < len(f.was.lines) && f.was.other[after] < 0 {
		after++
	}
	from, to := f.was.opposite(before, &f.now), f.was.opposite(after, &f.now)
	n := 1
	for before+n < r.Start && f.similar(before+n, from+n) {
		n++
	}
	m := 1
	for after-m > r.End && f.similar(after-m, to-m) {
		m++
	}
	return before+n == r.Start && f.similar(before+n, from+n) || after-m == r.End && f.similar(after-m, to-m)
}

// isFar reports whether there is an anchor between two runs in the new version.
func (f *follower) isFar(own, other run, offset int) bool {
	first, second, anchors := Range{own.Start + own.shift, own.End + own.shift}, Range{other.Start + other.shift, other.End + other.shift}, f.now.other
	if offset != 0 { // two runs of the old version
		first, second, anchors = own.Range, other.Range, f.was.other
	}
	if second.Start < first.Start {
		first, second = second, first
	}
	for j := first.End + 1; j < second.Start; j++ {
		if anchors[j] >= 0 {
			return true
		}
	}
	return false
}

// isStronger reports whether the run of a comment is the original, given the run of another copy of some of its
// lines. offset is what is added to a line of the other run to get the line of the own run that is equal to it.
func (f *follower) isStronger(own run, comment Range, other run, offset int, isExact bool) bool {
	if isExact && f.anchors(other) == 0 && f.isFar(own, other, offset) {
		return true // nothing that it holds is missing in its place
	}
	covered := Range{other.Start + offset, other.End + offset}
	if covered.End < comment.Start || covered.Start > comment.End {
		return f.anchors(own) >= min(2*f.anchors(other), 4)
	}
	isAnchor := func(i int) bool { return int(f.was.other[i]) == i+own.shift }
	before := own.Start == 0 && own.shift == 0
	for i := own.Start; i < covered.Start && !before; i++ {
		before = isAnchor(i)
	}
	after := own.End == len(f.was.lines)-1 && own.End+own.shift == len(f.now.lines)-1
	for i := own.End; i > covered.End && !after; i-- {
		after = isAnchor(i)
	}
	return before && after
}
