package undo

import (
	"bytes"
	"hash/maphash"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Limits for finding files that were renamed and edited in the same turn.
const (
	maxShareFile = 4 << 20  // bytes of a file
	maxShareWork = 64 << 20 // total bytes that are read, plus lineWork for each line, and 1 for each comparison of lines
	lineWork     = 16
)

// shares measures how much of a file's content another file contains. It stops when its budget is used up.
type shares struct {
	st     *snapshot.Store
	seed   maphash.Seed
	budget int64
	files  map[snapshot.Hash]map[uint64]int64 // by content: total bytes of equal lines, by the lines' hash
}

func newShares(st *snapshot.Store) *shares {
	return &shares{st: st, seed: maphash.MakeSeed(), budget: maxShareWork, files: map[snapshot.Hash]map[uint64]int64{}}
}

// lines returns the lines of a file (see shares.files), or nil if it is empty, too large or can't be read, or the
// budget is used up. Line endings don't count.
func (s *shares) lines(e snapshot.Entry) map[uint64]int64 {
	lines, has := s.files[e.Hash]
	if has || e.Kind != snapshot.File || e.Size > maxShareFile || e.Size > s.budget {
		return lines
	}
	content, _ := s.st.Content(e.Hash) // nil if it can't be read
	for line := range bytes.Lines(content) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			if lines == nil {
				lines = map[uint64]int64{}
			}
			lines[maphash.Bytes(s.seed, line)] += int64(len(line))
		}
	}
	s.budget -= e.Size + lineWork*int64(len(lines))
	s.files[e.Hash] = lines
	return lines
}

// of returns the share of the bytes of old that are in lines of current, from 0 to 1. It returns 0 if the share can't
// be measured.
func (s *shares) of(old, current snapshot.Entry) float64 {
	if old.Kind == snapshot.File && old.Hash == current.Hash {
		return 1
	}
	a, b := s.lines(old), s.lines(current)
	if s.budget -= int64(len(a)); len(a) == 0 || len(b) == 0 || s.budget < 0 {
		return 0
	}
	var common, total int64
	for line, n := range a {
		common, total = common+min(n, b[line]), total+n
	}
	return float64(common) / float64(total)
}

// took reports whether a file got at least half of the given content when it changed.
func (s *shares) took(content, before, after snapshot.Entry) bool {
	if content.Kind != snapshot.File || content.Size == 0 || after.Kind != snapshot.File {
		return false
	}
	part := s.of(content, after)
	return part >= 0.5 && part > s.of(content, before)
}

// minPart is the minimum share of a file's bytes that another file must have taken over to count as a part of it.
const minPart = 0.1

// split returns the indexes of the steps in others in which files got lines that the step old removed from its file. In
// each of these steps, the lines contain at least minPart of the file's bytes. It returns none if all these lines
// together contain less than half of the removed bytes.
func (s *shares) split(old step, others []step) (parts []int) {
	before, after := s.lines(old.from), s.lines(old.to)
	lost := map[uint64]int64{}
	var total, left int64
	for line, n := range before {
		total += n
		if more := n - after[line]; more > 0 {
			lost[line] = more
			left += more
		}
	}
	if s.budget -= int64(len(before)); left == 0 || float64(left) < minPart*float64(total) {
		return nil
	}
	found := map[uint64]int64{}
	for i, o := range others {
		had, got := s.lines(o.from), s.lines(o.to)
		if s.budget -= int64(len(lost)); s.budget < 0 {
			return nil
		}
		taken := map[uint64]int64{}
		var size int64
		for line, n := range lost {
			if more := min(n, got[line]-had[line]); more > 0 {
				taken[line] = more
				size += more
			}
		}
		if float64(size) < minPart*float64(total) {
			continue
		}
		parts = append(parts, i)
		for line, n := range taken {
			found[line] = min(lost[line], found[line]+n)
		}
	}
	var all int64
	for _, n := range found {
		all += n
	}
	if 2*all < left {
		return nil
	}
	return parts
}
