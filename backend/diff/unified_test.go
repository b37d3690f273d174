package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUnified_Hunks(t *testing.T) {
	lines := func(n int, changed map[int]string) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			if line, ok := changed[i]; ok {
				b.WriteString(line)
			} else {
				fmt.Fprintln(&b, i)
			}
		}
		return b.String()
	}
	for name, c := range map[string]struct{ before, after, want string }{
		"equal":       {"a\n", "a\n", ""},
		"created":     {"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		"emptied":     {"a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		"one line":    {"a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"},
		"no newline":  {"a\nb", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		"joined":      {lines(12, nil), lines(12, map[int]string{3: "", 10: "x\n"}), "@@ -1,12 +1,11 @@\n 1\n 2\n-3\n 4\n 5\n 6\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n"},
		"two of them": {lines(12, nil), lines(12, map[int]string{3: "", 11: "x\n"}), "@@ -1,6 +1,5 @@\n 1\n 2\n-3\n 4\n 5\n 6\n@@ -8,5 +7,5 @@\n 8\n 9\n 10\n-11\n+x\n 12\n"},
	} {
		if c.want != "" {
			c.want = "--- a\n+++ b\n" + c.want
		}
		if got, _, _ := Unified("a", "b", c.before, c.after); got != c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestUnified_Random(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // a seeded test
		text := func() string {
			var b strings.Builder
			for range r.IntN(40) {
				fmt.Fprintln(&b, r.IntN(8))
			}
			return strings.TrimSuffix(b.String(), strings.Repeat("\n", r.IntN(2)))
		}
		before, after := text(), text()
		body, added, removed := Unified("a", "b", before, after)
		if got := apply(t, body, before); got != after {
			t.Fatalf("seed %d: %q becomes %q, not %q:\n%s", seed, before, got, after, body)
		}
		if a, b := count(body); a != added || b != removed {
			t.Fatalf("seed %d: +%d -%d, want +%d -%d", seed, added, removed, a, b)
		}
		if a, b := Count(before, after); a != added || b != removed {
			t.Fatalf("seed %d: counted +%d -%d, want +%d -%d", seed, a, b, added, removed)
		}
	}
}

// longFile returns a text of 20,000 lines in which the given lines are different.
func longFile(changed ...int) string {
	lines := make([]string, 20_000)
	for i := range lines {
		lines[i] = fmt.Sprintf("row %d\n", i+1)
	}
	for _, n := range changed {
		lines[n-1] = fmt.Sprintf("changed %d\n", n)
	}
	return strings.Join(lines, "")
}

func TestUnified_LongFile(t *testing.T) {
	var every []int
	for n := 100; n <= 20_000; n += 100 {
		every = append(every, n)
	}
	d := Of("/f", longFile(), longFile(every...))
	if d.added != 200 || d.Removed != 200 {
		t.Errorf("+%d -%d, want +200 -200", d.added, d.Removed)
	}
}

func TestMerge_LongFile(t *testing.T) {
	var every []int
	for n := 100; n <= 20_000; n += 100 {
		every = append(every, n)
	}
	got, clean := Merge(longFile(every...), longFile(append(every, 10_050)...), longFile())
	if !clean || got != longFile(10_050) {
		t.Errorf("clean is %v", clean)
	}
}
