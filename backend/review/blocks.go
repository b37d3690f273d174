package review

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// Blocks converts blocks of a file's changes from q.Version, the version that was shown, to the current version of the
// file. It also returns the path from which the file was moved, or "". It returns errStale if a line of the blocks has
// changed since, if the source no longer contains the file or, without blocks, if the file has changed.
func (m *Manager) Blocks(ctx context.Context, q Request, blocks [][4]int) (now [][4]int, from string, err error) {
	v, err := m.current(ctx, Request{ChatID: q.ChatID, Source: q.Source, Path: q.Path})
	if backend.CodeOf(err) == backend.CodeNotFound {
		err = errStale
	}
	if err != nil || v.file.Version == q.Version {
		return blocks, v.file.From, err
	}
	shown, ok := m.remembered(q)
	if !ok || len(blocks) == 0 {
		return nil, "", errStale
	}
	before, err := m.textOf(ctx, shown)
	if err != nil {
		return nil, "", err
	}
	after, err := m.textOf(ctx, v)
	if err != nil {
		return nil, "", err
	}
	if now, ok = follow(before, after, blocks); !ok {
		return nil, "", errStale
	}
	return now, v.file.From, nil
}

// follow converts blocks of a text's changes from one version of the text to a later one. It returns false if a line of
// the blocks has changed or, for a position without lines, if a line next to it has changed.
func follow(before, after *text, blocks [][4]int) (now [][4]int, ok bool) {
	olds, news := diff.MatchLines(after.old, before.old), diff.MatchLines(after.new, before.new)
	for _, b := range blocks {
		old, ok := followRange(olds, len(after.old), b[0], b[1])
		if !ok {
			return nil, false
		}
		new, ok := followRange(news, len(after.new), b[2], b[3])
		if !ok {
			return nil, false
		}
		now = append(now, [4]int{old, b[1], new, b[3]})
	}
	return now, true
}

// followRange follows n lines of an earlier text, starting with the line first, and returns the index of the first of
// them in a later text. If n is 0, it follows the position before the line first. For each line of the earlier text, at
// contains the index of the same line in the later one, or -1. lines is the number of lines in the later text.
// followRange returns false if the lines, or the lines next to the position, aren't all found next to each other.
func followRange(at []int, lines, first, n int) (int, bool) {
	if first < 0 || n < 0 || first+n > len(at) {
		return 0, false
	}
	if n == 0 {
		from, to := 0, lines
		if first > 0 {
			from = at[first-1] + 1
		}
		if first < len(at) {
			to = at[first]
		}
		return from, from == to && (first == 0 || from > 0)
	}
	for i := range n {
		if at[first+i] < 0 || at[first+i] != at[first]+i {
			return 0, false
		}
	}
	return at[first], true
}
