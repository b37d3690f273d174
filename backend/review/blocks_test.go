package review_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
)

// TestBlocks_SameLinesOrNone checks that blocks are found in a later version of their file unless one of their lines,
// or a line next to removed lines, has changed.
func TestBlocks_SameLinesOrNone(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	disk := "1\n2\nthree\nthree b\n4\n5\n6\n7\n9\n10\n11\n" // blocks: 3, without 8, 11
	e.write("a.txt", disk)
	shown := e.diff("working", "a.txt")
	if fmt.Sprint(shown.Blocks) != "[[2 1 2 2] [7 1 8 0] [10 0 10 1]]" {
		t.Fatalf("the blocks are %v", shown.Blocks)
	}
	line := [4]int{3, 0, 3, 1} // only the second line of the first block
	parts := append([][4]int{line}, shown.Blocks...)
	for _, c := range []struct {
		change, by string
		want       string // for each part: its lines, or "-" if they are no longer the same
	}{
		{"", "", "[3 0 3 1] [2 1 2 2] [7 1 8 0] [10 0 10 1]"},
		{"1\n", "0\n1\n", "[3 0 4 1] [2 1 3 2] [7 1 9 0] [10 0 11 1]"},
		{"three\n", "drei\n", "[3 0 3 1] - [7 1 8 0] [10 0 10 1]"},
		{"three b\n", "", "- - [7 1 7 0] [10 0 9 1]"},
		{"three b\n", "and\nthree b\n", "[3 0 4 1] - [7 1 9 0] [10 0 11 1]"},
		{"7\n", "7\n8\n", "[3 0 3 1] [2 1 2 2] - [10 0 11 1]"},
		{"11\n", "eleven\n", "[3 0 3 1] [2 1 2 2] [7 1 8 0] -"},
		{"three\nthree b\n4\n5\n6\n", "3\n4\nfive\n6\n", "- - [7 1 7 0] [10 0 9 1]"},
	} {
		e.write("a.txt", strings.Replace(disk, c.change, c.by, 1))
		var got []string
		for _, part := range parts {
			q := review.Request{ChatID: e.chat.ID, Source: "working", Path: "a.txt", Version: shown.Version}
			now, from, err := e.Engine().Review.Blocks(t.Context(), q, [][4]int{part})
			switch {
			case backend.CodeOf(err) == backend.CodeStale:
				got = append(got, "-")
			case err != nil || from != "" || len(now) != 1:
				t.Fatalf("%q: got %v, %q, %v", c.by, now, from, err)
			default:
				got = append(got, fmt.Sprint(now[0]))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("with %q instead of %q, got %v, want %s", c.by, c.change, got, c.want)
		}
	}
	for _, q := range []review.Request{{Path: "a.txt", Version: shown.Version}, {Path: "a.txt", Version: "unknown"}, {Path: "none", Version: shown.Version}} {
		q.ChatID, q.Source = e.chat.ID, "working"
		if _, _, err := e.Engine().Review.Blocks(t.Context(), q, nil); backend.CodeOf(err) != backend.CodeStale {
			t.Errorf("%+v as a whole: got %v", q, err)
		}
	}
}

// TestStage_LinesAfterALaterChange checks that lines can be staged after other lines of the file have changed since it
// was shown, and that nothing is staged if the lines themselves have changed.
func TestStage_LinesAfterALaterChange(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	disk := strings.Replace(strings.Replace(tenLines, "3\n", "three\n", 1), "8\n", "eight\n", 1)
	e.write("a.txt", disk)
	shown := e.diff("working", "a.txt")
	stage := func(block [4]int) error {
		return e.Engine().Repository.Stage(t.Context(), e.chat.ID, "a.txt", shown.Version, [][4]int{block}, true)
	}
	e.write("a.txt", "0\n"+strings.Replace(disk, "eight\n", "ate\n", 1))
	if err := stage(shown.Blocks[0]); err != nil {
		t.Fatal(err)
	}
	if err := stage(shown.Blocks[1]); backend.CodeOf(err) != backend.CodeStale {
		t.Errorf("a line that changed: %v", err)
	}
	if got := e.git("show", ":a.txt"); got != strings.Replace(strings.TrimSpace(tenLines), "3\n", "three\n", 1) {
		t.Errorf("the index contains %q", got)
	}
}
