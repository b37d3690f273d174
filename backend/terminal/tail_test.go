package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTail_CutsBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		in        string
		limit     int
		ended     bool
		want      string
		truncated bool
	}{
		{"", 10, true, "", false},
		{"abc", 3, true, "abc", false},
		{"abcd", 3, true, "bcd", true},
		{"aöb", 3, true, "öb", true},
		{"aöb", 2, true, "b", true},
		{"a👋b", 5, true, "👋b", true},
		{"a👋b", 4, true, "b", true},
		{"a👋b", 2, true, "b", true},
		{"👋", 1, true, "", true},
		{"a\xff", 10, true, "a\uFFFD", false},
		{"a\xf0\x9f", 10, true, "a\uFFFD", false},
		{"a\xf0\x9f", 10, false, "a", false},
		{"a\xf0\x9f\x91\x8b", 10, false, "a👋", false},
		{"a\xc3", 10, false, "a", false},
		{"a\xff", 10, false, "a\uFFFD", false},
		{"\x1b[31mred\x1b[0m", 100, true, "\x1b[31mred\x1b[0m", false},
		{"\xff\xff\xff\xffab", 4, true, "ab", true},
	} {
		b := tail{keep: 1000}
		b.add([]byte(c.in))
		if got, truncated := b.text(c.limit, c.ended); got != c.want || truncated != c.truncated {
			t.Errorf("%q, %d bytes, ended %t: %q, %t", c.in, c.limit, c.ended, got, truncated)
		}
	}
}

func TestTail_KeepsEndOfLongStream(t *testing.T) {
	all := strings.Repeat("añ👋", 1000)
	for keep := 1; keep < 40; keep++ {
		for _, step := range []int{1, 3, 7, 1000} {
			b := tail{keep: keep}
			for rest := []byte(all); len(rest) > 0; {
				n := min(step, len(rest))
				b.add(rest[:n])
				rest = rest[n:]
			}
			got, truncated := b.text(1<<20, true)
			if len(b.buf) > 2*keep || !truncated || !utf8.ValidString(got) || strings.Contains(got, "\uFFFD") || !strings.HasSuffix(all, got) || len(got) > keep || len(got) <= keep-utf8.UTFMax {
				t.Fatalf("keep %d, %d at a time: %q of %d bytes, truncated %t", keep, step, got, len(b.buf), truncated)
			}
		}
	}
}
