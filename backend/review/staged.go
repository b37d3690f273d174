package review

import (
	"bytes"
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// stagedOf returns the changed lines of a file that are staged. It needs all changed blocks of the file's diff, and
// those that the page shows. The result is nil if no lines are staged, if the file was moved and only a part is staged,
// or if the file's content in the index is too large to compare.
func (l *list) stagedOf(ctx context.Context, f file, t *text, blocks, shown []diff.Block) (*backend.ReviewStagedLines, error) {
	switch {
	case f.Staged == "" || f.Staged == backend.StagedPart && f.From != "":
		return nil, nil
	case f.Staged == backend.StagedAll:
		var lines backend.ReviewStagedLines
		for _, b := range shown {
			lines.Old, lines.New = addRange(lines.Old, b.Old, b.Olds), addRange(lines.New, b.New, b.News)
		}
		return &lines, nil
	}
	index := []byte{}
	if f.index != "" {
		var failure error
		err := l.repo.blobs(ctx, []string{f.index}, maxDiffed, func(_ int, content []byte, _ int64, err error) { index, failure = content, err })
		if err == nil {
			err = failure
		}
		if err != nil || index == nil {
			return nil, err
		}
	}
	if mostlyCRLF(t.sides.new) && !bytes.Contains(index, []byte("\r\n")) && l.repo.converts(ctx, l.attributes[f.Path]) {
		index = bytes.ReplaceAll(index, []byte("\n"), []byte("\r\n"))
	}
	lines := stagedLines(t.old, t.new, diff.Lines(string(index)), blocks)
	return &lines, nil
}

// stagedLines returns the lines of changed blocks that are staged: the removed lines that the index doesn't contain,
// and the added lines that it contains.
func stagedLines(old, now, index []string, blocks []diff.Block) (lines backend.ReviewStagedLines) {
	parts, ok := indexParts(old, now, index, blocks)
	if !ok {
		return comparedLines(old, now, index, blocks) // some of the index's lines are on neither side
	}
	for k, b := range blocks {
		olds, news, part := old[b.Old:b.Old+b.Olds], now[b.New:b.New+b.News], index[parts[k][0]:parts[k][1]]
		switch {
		case slices.Equal(part, olds):
			continue
		case slices.Equal(part, news):
			lines.Old, lines.New = addRange(lines.Old, b.Old, b.Olds), addRange(lines.New, b.New, b.News)
			continue
		}
		// First come lines of the old side, then lines of the new one.
		for i, line := range olds {
			if len(part) > 0 && part[0] == line {
				part = part[1:]
			} else {
				lines.Old = addRange(lines.Old, b.Old+i, 1)
			}
		}
		for j, line := range news {
			if len(part) > 0 && part[0] == line {
				part = part[1:]
				lines.New = addRange(lines.New, b.New+j, 1)
			}
		}
	}
	return lines
}

// comparedLines returns the same as stagedLines, but determines the lines by comparing the index with each side. If a
// side has equal lines close to each other, the result may contain the wrong one of them.
func comparedLines(old, now, index []string, blocks []diff.Block) (lines backend.ReviewStagedLines) {
	isGone, isAdded := make([]bool, len(old)), make([]bool, len(index))
	for _, b := range diff.Blocks(old, index, nil) {
		for i := range b.Olds {
			isGone[b.Old+i] = true
		}
		for i := range b.News {
			isAdded[b.New+i] = true
		}
	}
	from := make([]int, len(now)) // for each line, its index in the git index, or -1
	at, next := 0, 0
	for _, b := range append(diff.Blocks(index, now, nil), diff.Block{Old: len(index), New: len(now)}) {
		for ; next < b.New; at, next = at+1, next+1 {
			from[next] = at
		}
		for ; next < b.New+b.News; next++ {
			from[next] = -1
		}
		at = b.Old + b.Olds
	}
	for _, b := range blocks {
		for i := b.Old; i < b.Old+b.Olds; i++ {
			if isGone[i] {
				lines.Old = addRange(lines.Old, i, 1)
			}
		}
		for j := b.New; j < b.New+b.News; j++ {
			if from[j] >= 0 && isAdded[from[j]] {
				lines.New = addRange(lines.New, j, 1)
			}
		}
	}
	return lines
}

// addRange adds a range to ranges and returns the result. The new range is given by its first line and its length, and
// must come after the others.
func addRange(ranges [][2]int, at, n int) [][2]int {
	if n == 0 {
		return ranges
	}
	if last := len(ranges) - 1; last >= 0 && ranges[last][0]+ranges[last][1] == at {
		ranges[last][1] += n
		return ranges
	}
	return append(ranges, [2]int{at, n})
}
