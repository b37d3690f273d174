package excerpt

import (
	"strings"
	"testing"
)

func TestFirstLine_CutsBetweenRunes(t *testing.T) {
	for in, want := range map[string]string{
		"\n\n  a b \r\nc": "a b", "": "", strings.Repeat("ä", 10): "ää…",
	} {
		if got := FirstLine(in, 8); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestEnds_CutBetweenRunes(t *testing.T) {
	for _, c := range []struct {
		in         string
		limit      int
		head, tail string
	}{
		{"aä", 3, "aä", "aä"}, {"aäb", 2, "a", "b"}, {"aäb", 3, "aä", "äb"}, {"ä", 1, "", ""}, {"", 0, "", ""},
	} {
		if head, tail := Head(c.in, c.limit), Tail(c.in, c.limit); head != c.head || tail != c.tail {
			t.Errorf("%q, %d: got %q and %q", c.in, c.limit, head, tail)
		}
	}
}
