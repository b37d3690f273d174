package comment

// wasFate returns the flags of a line of the old version.
func (f *follower) wasFate(i int) fate {
	if f.was.gap[i] < 0 {
		return canKeep
	}
	g := f.gapOf(f.was.gap[i])
	return g.was[i-g.a.was-1]
}

// nowFate returns the flags of a line of the new version.
func (f *follower) nowFate(j int) fate {
	if f.now.gap[j] < 0 {
		return canKeep
	}
	g := f.gapOf(f.now.gap[j])
	return g.now[j-g.a.now-1]
}

func (f *follower) isWord(i int) bool { return f.letters[f.was.lines[i]] >= minWord }

// stayed returns the new place of a range whose lines are still in order with the lines around them. In all of the best
// alignments, the range's lines with text must exist and stay together. If the range as a whole can be in several
// places, for example because a copy of it was inserted before or after it, stayed returns the first one.
func (f *follower) stayed(r Range) (at int, ok bool) {
	isSure, isWhole, isFixed, isMobile := false, true, false, false // isFixed and isMobile are about lines with text
	for i := r.Start; i <= r.End; i++ {
		state := f.wasFate(i)
		if state&canBreak == 0 {
			isSure = true
		} else {
			isWhole = false
		}
		if !f.isWord(i) {
			continue
		}
		isFixed, isMobile = isFixed || state&canShift == 0, isMobile || state&canShift != 0
		if state&canBreak != 0 || isFixed && isMobile {
			return 0, false
		}
	}
	if !isSure {
		return 0, false
	}
	at, n := f.inOrder(r)
	if n == 0 || n > 1 && (!isWhole || f.isOld) {
		return 0, false
	}
	for i := r.Start; i <= r.End; i++ {
		isLoose := f.wasFate(i) != canKeep
		if isLoose && f.isOld || (isLoose || f.isOld && !f.isWord(i)) && f.isCarried(i, at+i-r.Start) {
			return 0, false
		}
	}
	return at, true
}

// inOrder returns the first place of a range in the best alignments, and the number of possible places. If there are
// more than two places, the number is 2.
func (f *follower) inOrder(r Range) (at, places int) {
	for i := r.Start; i <= r.End; i++ {
		if f.was.gap[i] < 0 {
			if shift := f.was.other[i] - i; f.canStay(r, shift) {
				return r.Start + shift, 1
			}
			return 0, 0
		}
	}
	g := f.gapOf(f.was.gap[r.Start])
	for j := g.a.now + 1; j+r.End-r.Start < g.b.now && places < 2; j++ {
		if g.canMatch(r, j-r.Start) {
			if places++; places == 1 {
				at = j
			}
		}
	}
	return at, places
}

// canStay reports whether the lines of a range that contains anchors can match those that are shift lines further down
// in the new version.
func (f *follower) canStay(r Range, shift int) bool {
	if !f.isEqual(r, shift) {
		return false
	}
	for i := r.Start; i <= r.End; i++ {
		if f.was.gap[i] < 0 {
			if f.was.other[i] != i+shift {
				return false
			}
			continue
		}
		g := f.gapOf(f.was.gap[i])
		part := Range{i, min(r.End, g.b.was-1)}
		if !g.canMatch(part, shift) {
			return false
		}
		i = part.End
	}
	return true
}

// isCarried reports whether line i of the old version and line j of the new one may be different lines. They may be if
// one of them seems to have been moved together with a line close to it: j to its place, or i away from its place.
func (f *follower) isCarried(i, j int) bool {
	for _, step := range []int{-1, 1} {
		for k := j; k >= 0 && k < len(f.now.lines) && max(k-j, j-k) <= maxEdge; k += step {
			b := f.bare[f.now.lines[k]]
			if f.letters[f.now.lines[k]] < minDistinctive || f.was.count[b] > maxCopies {
				continue
			}
			for w := f.was.first[b]; w >= 0; w = f.was.next[w] {
				if to, ok := f.partner(w); ok && to == k && w+j-k != i && f.isJoined(w, w+j-k, k-w) {
					return true
				}
			}
			break
		}
		for k := i; k >= 0 && k < len(f.was.lines) && max(k-i, i-k) <= maxEdge; k += step {
			if to, ok := f.partner(k); ok && to+i-k != j && f.isJoined(k, i, to-k) {
				return true
			}
		}
	}
	return false
}

// isJoined reports whether a line of the old version may have been moved by shift lines together with line i. All lines
// from one to the other must be equal in both places.
func (f *follower) isJoined(moved, i, shift int) bool {
	return f.wasFate(moved)&canBreak != 0 && f.isEqual(Range{min(i, moved), max(i, moved)}, shift)
}

// partner returns the index in the new version to which line i of the old version may have been moved. The line must
// have enough text. Unless that text is unique in both versions, no other old line with the same text may have been
// moved or removed, and no second new line with it may have been added. White space is ignored.
func (f *follower) partner(i int) (at int, ok bool) {
	n := f.was.lines[i]
	b := f.bare[n]
	if f.letters[n] < minDistinctive || f.was.count[b] > maxCopies || f.now.count[b] > maxCopies {
		return 0, false
	}
	if f.isUnique(n) {
		at = f.now.first[b]
		return at, f.now.lines[at] == n
	}
	if f.wasFate(i) != canBreak {
		return 0, false
	}
	for k := f.was.first[b]; k >= 0; k = f.was.next[k] {
		if k != i && f.wasFate(k)&canBreak != 0 {
			return 0, false
		}
	}
	at = -1
	for j := f.now.first[b]; j >= 0; j = f.now.next[j] {
		switch state := f.nowFate(j); {
		case state&canBreak == 0:
		case state != canBreak || at >= 0 || f.now.lines[j] != n:
			return 0, false
		default:
			at = j
		}
	}
	return at, at >= 0
}

// moved returns the new place of a range whose lines were moved. There must be only one place to which a block of lines
// around the range was moved.
func (f *follower) moved(r Range) (at int, ok bool) {
	around := r
	for i := r.Start; i <= r.End; i++ {
		if f.wasFate(i)&canBreak == 0 {
			return 0, false
		}
	}
	for around.Start > max(r.Start-maxAround, 0) && f.wasFate(around.Start-1)&canBreak != 0 {
		around.Start--
	}
	for around.End < min(r.End+maxAround, len(f.was.lines)-1) && f.wasFate(around.End+1)&canBreak != 0 {
		around.End++
	}
	for i := around.Start; i <= around.End; i++ {
		j, isPartner := f.partner(i)
		if !isPartner || ok && r.Start+j-i == at || f.staysAway(r, j-i) {
			continue
		}
		block, isBlock := f.block(r, j-i)
		if !isBlock || i < block.Start || i > block.End {
			continue
		}
		if ok {
			return 0, false
		}
		if f.isMove(block, j-i) {
			at, ok = r.Start+j-i, true
		}
	}
	return at, ok
}

// staysAway reports whether some alignment keeps a line of the range at an index other than its old index plus shift.
// It ignores lines without text, unless the range contains only such lines.
func (f *follower) staysAway(r Range, shift int) bool {
	hasText := f.hasText(r)
	for i := r.Start; i <= r.End; i++ {
		state := f.wasFate(i)
		if state&canKeep == 0 || hasText && !f.isWord(i) {
			continue
		}
		g := f.gapOf(f.was.gap[i])
		if state&canShift != 0 || g.places[i-g.a.was-1]+g.a.now+1 != i+shift {
			return true
		}
	}
	return false
}

// block returns the range together with the lines before and after it that may have been moved by shift lines together
// with it. ok is false if a line of the range itself can't have been moved.
func (f *follower) block(r Range, shift int) (block Range, ok bool) {
	isMoved := func(i int) bool {
		return f.isEqual(Range{i, i}, shift) && f.wasFate(i)&canBreak != 0 && f.nowFate(i+shift)&canBreak != 0
	}
	for i := r.Start; i <= r.End; i++ {
		if !isMoved(i) {
			return r, false
		}
	}
	for isMoved(r.Start - 1) {
		r.Start--
	}
	for isMoved(r.End + 1) {
		r.End++
	}
	return r, true
}

// isMove reports whether a block of lines was moved rather than copied. If several lines next to the block's old and
// new places have also changed, or if much of the file has changed, the block must contain enough unique lines.
func (f *follower) isMove(block Range, shift int) bool {
	if f.isCopied(block.Start, shift, -1) || f.isCopied(block.End, shift, 1) {
		return false
	}
	unique, edges := 0, 0
	for i := block.Start; i <= block.End; i++ {
		if n := f.was.lines[i]; f.letters[n] == minDistinctive && f.isUnique(n) {
			unique++
		}
	}
	for _, i := range []int{block.Start - 1, block.End + 1} {
		if i >= 0 && i < len(f.was.lines) && f.wasFate(i)&canBreak != 0 {
			edges++
		}
		if j := i + shift; j >= 0 && j < len(f.now.lines) && f.nowFate(j)&canBreak != 0 {
			edges++
		}
	}
	if f.isOld {
		return unique > edges
	}
	return edges < 2 || unique >= edges
}

// isCopied reports whether a line close to line i, which is at the edge of a block, shows that the block is part of a
// copy: the line is still in its old place, and an equal line was added shift lines away. step is -1 to check the lines
// before i, and 1 to check those after it.
func (f *follower) isCopied(i, shift, step int) bool {
	for range maxEdge {
		i += step
		if f.isEqual(Range{i, i}, shift) && f.letters[f.was.lines[i]] == minDistinctive &&
			f.nowFate(i+shift)&canBreak != 0 && f.wasFate(i)&canBreak == 0 {
			return true
		}
	}
	return false
}
