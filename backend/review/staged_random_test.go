package review

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// stagedText returns the text of an index in which the given lines are staged.
func stagedText(old, now []string, blocks []diff.Block, staged backend.ReviewStagedLines) (index []string) {
	has := func(ranges [][2]int, line int) bool {
		return slices.ContainsFunc(ranges, func(r [2]int) bool { return r[0] <= line && line < r[0]+r[1] })
	}
	at := 0
	for _, b := range blocks {
		index = append(index, old[at:b.Old]...)
		for i := b.Old; i < b.Old+b.Olds; i++ {
			if !has(staged.Old, i) {
				index = append(index, old[i])
			}
		}
		for j := b.New; j < b.New+b.News; j++ {
			if has(staged.New, j) {
				index = append(index, now[j])
			}
		}
		at = b.Old + b.Olds
	}
	return append(index, old[at:]...)
}

// TestStagedLines_MakeUpTheIndex stages random blocks or lines of random diffs. It checks that staging the result of
// stagedLines leads to the same index. If only blocks were staged, the result must consist of whole blocks.
func TestStagedLines_MakeUpTheIndex(t *testing.T) {
	same := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test
		line := func() string {
			if r.IntN(4) == 0 {
				return []string{"}\n", "\n", "\treturn nil\n"}[r.IntN(3)]
			}
			return fmt.Sprintf("line %d\n", r.IntN(1000))
		}
		var old, now []string
		for range 60 {
			old = append(old, line())
		}
		for _, l := range old {
			switch r.IntN(10) {
			case 0:
			case 1:
				now = append(now, line())
			case 2:
				now = append(now, line(), l)
			default:
				now = append(now, l)
			}
		}
		blocks := diff.Blocks(old, now, nil)
		byLine := seed%2 == 1
		var want backend.ReviewStagedLines
		for _, b := range blocks {
			isStaged := r.IntN(2) == 0
			for i := range b.Olds {
				if isStaged || byLine && r.IntN(2) == 0 {
					want.Old = addRange(want.Old, b.Old+i, 1)
				}
			}
			for j := range b.News {
				if isStaged || byLine && r.IntN(2) == 0 {
					want.New = addRange(want.New, b.New+j, 1)
				}
			}
		}
		index := stagedText(old, now, blocks, want)
		got := stagedLines(old, now, index, blocks)
		if text := stagedText(old, now, blocks, got); !slices.Equal(text, index) {
			t.Fatalf("seed %d: %v makes up\n%q\nwant\n%q", seed, got, text, index)
		}
		if fmt.Sprint(got) == fmt.Sprint(want) {
			same++
		} else if !byLine {
			for _, b := range blocks {
				if n := count(got.Old, b.Old, b.Olds) + count(got.New, b.New, b.News); n != 0 && n != b.Olds+b.News {
					t.Fatalf("seed %d: %d lines of the block %v are staged", seed, n, b)
				}
			}
		}
	}
	if same < 1900 {
		t.Errorf("in only %d of 2,000 indexes, the lines are those that were staged", same)
	}
}

// count returns how many lines of ranges are also in another range, which is given by its first line and its length.
func count(ranges [][2]int, from, n int) (lines int) {
	for _, r := range ranges {
		lines += max(0, min(r[0]+r[1], from+n)-max(r[0], from))
	}
	return lines
}

func TestStagedLines_LinesOfTheIndexOnly(t *testing.T) {
	old, now := diff.Lines("1\n2\n3\n4\n5\n"), diff.Lines("1\ntwo\n3\n4\nfive\n")
	blocks := diff.Blocks(old, now, nil)
	got := stagedLines(old, now, diff.Lines("1\ntwo\n3\nother\n4\n5\n"), blocks)
	if want := (backend.ReviewStagedLines{Old: [][2]int{{1, 1}}, New: [][2]int{{1, 1}}}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
