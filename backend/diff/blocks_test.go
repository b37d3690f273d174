package diff

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// checkBlocks fails the test unless the blocks turn before into after and are separated by equal lines.
func checkBlocks(t *testing.T, before, after []string, blocks []Block, key func(string) string) {
	t.Helper()
	if key == nil {
		key = func(s string) string { return s }
	}
	i, j := 0, 0
	for n, b := range blocks {
		if b.Old-i != b.New-j || b.Old < i || n > 0 && b.Old == i || b.Olds+b.News == 0 {
			t.Fatalf("block %d is %+v after lines %d and %d", n, b, i, j)
		}
		for ; i < b.Old; i, j = i+1, j+1 {
			if key(before[i]) != key(after[j]) {
				t.Fatalf("lines %d %q and %d %q aren't equal", i, before[i], j, after[j])
			}
		}
		i, j = i+b.Olds, j+b.News
	}
	if len(before)-i != len(after)-j {
		t.Fatalf("after the blocks, %d and %d lines are left", len(before)-i, len(after)-j)
	}
	for ; i < len(before); i, j = i+1, j+1 {
		if key(before[i]) != key(after[j]) {
			t.Fatalf("lines %d and %d aren't equal", i, j)
		}
	}
}

func TestBlocks_Examples(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []Block
	}{
		"equal":         {"a\nb\n", "a\nb\n", nil},
		"empty":         {"", "", nil},
		"created":       {"", "a\nb\n", []Block{{0, 0, 0, 2}}},
		"removed":       {"a\n", "", []Block{{0, 1, 0, 0}}},
		"changed":       {"a\nb\nc\n", "a\nB\nc\n", []Block{{1, 1, 1, 1}}},
		"last newline":  {"a\nb", "a\nb\n", []Block{{1, 1, 1, 1}}},
		"moved":         {"a\nb\nc\n", "b\nc\na\n", []Block{{0, 1, 0, 0}, {3, 0, 2, 1}}},
		"function":      {"f {\n  a\n}\n\nh {\n}\n", "f {\n  a\n}\n\ng {\n  a\n}\n\nh {\n}\n", []Block{{4, 0, 4, 4}}},
		"repeated":      {"a\na\n", "a\na\na\n", []Block{{2, 0, 2, 1}}},
		"line endings":  {"a\r\nb\r\n", "a\nb\n", []Block{{0, 2, 0, 2}}},
		"two functions": {"f {\n}\n", "f {\n}\n\ng {\n}\n", []Block{{2, 0, 2, 3}}},
	} {
		before, after := Lines(c.before), Lines(c.after)
		got := Blocks(before, after, nil)
		checkBlocks(t, before, after, got, nil)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if got := Blocks(Lines("a  b\n\tc\n"), Lines("a b \r\nc\nd\n"), WithoutSpace); !reflect.DeepEqual(got, []Block{{2, 0, 2, 1}}) {
		t.Errorf("without white space: %v", got)
	}
}

func TestBlocks_Random(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a seeded test
		text := func() (lines []string) {
			for range r.IntN(30) {
				lines = append(lines, fmt.Sprintf("%*s%d\n", r.IntN(3), "", r.IntN(6)))
			}
			return lines
		}
		before, after := text(), text()
		if r.IntN(2) == 0 { // a few edits of the same text
			after = append([]string{}, before...)
			for range r.IntN(4) {
				at := r.IntN(len(after) + 1)
				after = append(append(append([]string{}, after[:at]...), fmt.Sprintf("%d\n", r.IntN(6))), after[min(len(after), at+r.IntN(2)):]...)
			}
		}
		for _, key := range []func(string) string{nil, WithoutSpace} {
			blocks := Blocks(before, after, key)
			checkBlocks(t, before, after, blocks, key)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestBlocks_Minimal checks that the number of changed lines is minimal for small texts without many repeats.
func TestBlocks_Minimal(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // a seeded test
		var before, after []string
		for range 12 {
			before = append(before, fmt.Sprint(r.IntN(8), "\n"))
			after = append(after, fmt.Sprint(r.IntN(8), "\n"))
		}
		changed := 0
		for _, b := range Blocks(before, after, nil) {
			changed += b.Olds + b.News
		}
		if want := len(before) + len(after) - 2*longest(before, after); changed != want {
			t.Fatalf("seed %d: %d changed lines, want %d", seed, changed, want)
		}
	}
}

// longest returns the length of the longest common subsequence.
func longest(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		was := 0
		for j, y := range b {
			next := row[j+1]
			if row[j+1] = max(row[j+1], row[j]); x == y {
				row[j+1] = max(row[j+1], was+1)
			}
			was = next
		}
	}
	return row[len(b)]
}

func TestBlocks_ManyLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3)) //nolint:gosec // a seeded test
	const n = 100_000
	random := func(values int) (lines []string) {
		for range n {
			lines = append(lines, fmt.Sprint("line ", r.IntN(values), "\n"))
		}
		return lines
	}
	unique := strings.Repeat("x\n", n)
	for _, c := range map[string][2][]string{
		"all different":  {Lines(unique), random(1 << 30)},
		"few different":  {random(3), random(3)},
		"many different": {random(n), random(n)},
		"some different": {random(1000), random(1000)},
	} {
		checkBlocks(t, c[0], c[1], Blocks(c[0], c[1], nil), nil)
	}
}

// TestBlocks_BoundedWork checks that texts without a short path between them don't cost more than a fixed number of
// comparisons and a few for each line.
func TestBlocks_BoundedWork(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4)) //nolint:gosec // a seeded test
	const n, ids = 400_000, 50
	lines := make([][]int, 2)
	for range n {
		lines[0], lines[1] = append(lines[0], r.IntN(ids)), append(lines[1], r.IntN(ids))
	}
	if d := compareLines(lines[0], lines[1], ids); d.budget >= 0 || d.budget < -2*n*roughLimit*4 {
		t.Errorf("%d comparisons are left", d.budget)
	}
}
