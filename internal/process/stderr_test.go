package process

import (
	"fmt"
	"strings"
	"testing"
)

func TestStderr_LongKeepsStartAndEnd(t *testing.T) {
	for _, step := range []int{1, 7, 4096, 100_000} {
		var all strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&all, "line %d\n", i)
		}
		tail := &Stderr{}
		for s := all.String(); s != ""; {
			n := min(step, len(s))
			_, _ = tail.Write([]byte(s[:n]))
			s = s[n:]
		}
		got := tail.String()
		if len(got) > 2*maxStderr+100 || !strings.HasPrefix(got, "line 0\nline 1\n") || !strings.HasSuffix(got, "line 19998\nline 19999\n") || !strings.Contains(got, "bytes …") {
			t.Errorf("by %d: %d bytes: %.40q … %q", step, len(got), got, got[len(got)-40:])
		}
		if last := tail.Last(); len(last) > maxStderrShown || !strings.HasPrefix(last, "line ") || !strings.HasSuffix(last, "line 19999") {
			t.Errorf("by %d: %q", step, last)
		}
	}
}

func TestStderr_ShortIsUncut(t *testing.T) {
	tail := &Stderr{}
	_, _ = tail.Write([]byte("a\xff"))
	_, _ = tail.Write([]byte("b\n"))
	if got := tail.String(); got != "a\uFFFDb\n" {
		t.Errorf("got %q", got)
	}
	if got := tail.Last(); got != "a\uFFFDb" {
		t.Errorf("got %q", got)
	}
}

func TestStderr_LongLineCutBetweenRunes(t *testing.T) {
	tail := &Stderr{}
	_, _ = tail.Write([]byte(strings.Repeat("ä", 1501) + "x"))
	if got := tail.Last(); len(got) > maxStderrShown || strings.Trim(got, "ä") != "x" {
		t.Errorf("got %q", got)
	}
}
