package blame

import (
	"fmt"
	"slices"
	"testing"
)

// score counts the lines that turns wrote (lines) and how many of these are attributed to the right turn (right). It
// also counts all lines that are attributed to a wrong turn (wrong), including those that no turn wrote.
type score struct{ lines, right, wrong int }

func (s *score) add(truth writer, found []writer) {
	if truth >= firstTurn {
		s.lines++
	}
	switch {
	case len(found) != 1:
	case found[0] == truth && truth >= firstTurn:
		s.right++
	case found[0] != truth && found[0] >= firstTurn:
		s.wrong++
	}
}

func (s score) String() string {
	return fmt.Sprintf("of %d lines, %.2f %% lead to the right turn; %d to a wrong one", s.lines, 100*float64(s.right)/float64(s.lines), s.wrong)
}

func TestCarry_LinesLeadToRightTurn(t *testing.T) {
	for _, c := range []struct {
		tools  bool // the agent uses edit tools instead of commands
		share  int  // percentage of lines that are common ones
		enough int  // percentage of lines that must be attributed to the right turn
	}{{false, 0, 100}, {false, 10, 97}, {false, 15, 95}, {false, 30, 80}, {true, 0, 100}, {true, 10, 98}, {true, 15, 97}, {true, 30, 95}} {
		var all score
		for seed := range uint64(40) {
			a := NewAuthor(seed, c.share)
			sets := newSets()
			align := &aligner{sets: sets, text: func(line int32) string { return textOf([]written{{Text: line}}) }}
			lines := a.texts()
			writers := slices.Repeat([]set{sets.of(earlier)}, len(lines))
			step := func(by writer, edits int) {
				a.Made = nil
				for range edits {
					a.Edit(by)
				}
				if !c.tools || by == outside {
					now := a.texts()
					lines, writers = now, align.carry(lines, writers, now, sets.of(by))
					return
				}
				for _, m := range a.Made {
					end := m.at + m.removed
					own := align.replace(lines[m.at:end], writers[m.at:end], m.block, sets.of(by))
					lines = slices.Concat(lines[:m.at], m.block, lines[end:])
					writers = slices.Concat(writers[:m.at], own, writers[end:])
				}
			}
			for turn := range 200 {
				step(firstTurn+writer(turn), 1)
				step(outside, a.IntN(3))
			}
			var own score
			for i, l := range a.Lines {
				own.add(l.By, sets.list[writers[i]])
			}
			if own.wrong > 0 {
				t.Errorf("seed %d of %+v: %v", seed, c, own)
			}
			all = score{all.lines + own.lines, all.right + own.right, all.wrong + own.wrong}
		}
		t.Logf("%+v: %v", c, all)
		if all.right*100 < all.lines*c.enough {
			t.Errorf("%+v: %v", c, all)
		}
	}
}

// TestCarry_ShortLineBetweenChangesIsUncertain checks that a short line between changes counts as possibly rewritten. A
// line with more text, or next to an unchanged line, counts as unchanged.
func TestCarry_ShortLineBetweenChangesIsUncertain(t *testing.T) {
	long := "func (s *Server) close() {"
	for _, c := range []struct {
		name     string
		was, now []string
		line     string
		doubtful bool
	}{
		{"short, between changes", []string{"a", "old", "end", "older", "z"}, []string{"a", "new", "end", "newer", "z"}, "end", true},
		{"between removed lines", []string{"a", "old", "end", "older", "z"}, []string{"a", "end", "z"}, "end", true},
		{"beside a line that stays", []string{"a", "old", "end", "z"}, []string{"a", "new", "end", "z"}, "end", false},
		{"long, between changes", []string{"a", "old", long, "older", "z"}, []string{"a", "new", long, "newer", "z"}, long, false},
	} {
		var texts []string
		number := func(lines []string) (numbers []int32) {
			for _, line := range lines {
				if !slices.Contains(texts, line) {
					texts = append(texts, line)
				}
				numbers = append(numbers, int32(slices.Index(texts, line))) //nolint:gosec // a few lines
			}
			return numbers
		}
		was, now := number(c.was), number(c.now)
		for _, way := range []string{"carry", "replace"} {
			sets := newSets()
			align := &aligner{sets: sets, text: func(line int32) string { return texts[line] }}
			do := align.carry
			if way == "replace" {
				do = align.replace
			}
			got := do(was, slices.Repeat([]set{sets.of(earlier)}, len(was)), now, sets.of(firstTurn))
			want := []writer{earlier}
			if c.doubtful {
				want = append(want, firstTurn)
			}
			if by := sets.list[got[slices.Index(c.now, c.line)]]; !slices.Equal(by, want) {
				t.Errorf("%s, %s: by %v, want %v", c.name, way, by, want)
			}
		}
	}
}

func TestCarry_LargePartsAreUncertain(t *testing.T) {
	sets := newSets()
	align := &aligner{sets: sets, text: func(line int32) string { return fmt.Sprint(line) }}
	was, now := make([]int32, 1500), make([]int32, 1501) // lines 0 and 1 occur often
	for i := range was {
		was[i], now[i] = int32(i%2), int32(i%3%2)
	}
	now[1500] = 2
	writers := slices.Repeat([]set{sets.of(earlier)}, len(was))
	got := align.carry(was, writers, now, sets.of(firstTurn))
	for j, s := range got[:len(got)-1] {
		if len(sets.list[s]) != 2 {
			t.Fatalf("line %d is by %v", j, sets.list[s])
		}
	}
	if last := sets.list[got[len(got)-1]]; !slices.Equal(last, []writer{firstTurn}) {
		t.Errorf("the new line is by %v", last)
	}
}
