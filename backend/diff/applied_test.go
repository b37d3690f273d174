package diff

import (
	"strings"
	"testing"
)

func TestApplied_OnePlaceOfSeveral(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		was, now, before, after string
		want                    bool
	}{
		{"a\na\na\n", "a\nb\na\n", "a", "b", true},
		{"a\na\na\n", "a\na\nb\n", "a", "b", true},
		{"a\na\na\n", "b\nb\nb\n", "a", "b", true},
		{"a\na\na\n", "b\nb\na\n", "a", "b", false},
		{"aaa", "aab", "aa", "ab", true},
		{"aaa", "aba", "aa", "ab", true},
		{"aaaa", "aaa", "aa", "a", true},
		{"ab", "ab", "a", "a", true},
		{"abc", "axbc", "b", "xb", true},
		{"abc", "abcd", "b", "xb", false},
		{"", "new", "", "new", true},
		{"old", "new", "", "new", false},
	} {
		if got := Applied(c.was, c.now, []Replacement{{c.before, c.after}}); got != c.want {
			t.Errorf("%q to %q by %q to %q: got %t, want %t", c.was, c.now, c.before, c.after, got, c.want)
		}
	}
	// Nearly every position in these texts matches.
	const size = 1 << 20
	was := strings.Repeat("a", size)
	if Applied(was, was[1:]+"bb"[:1], []Replacement{{was[:size/2], was[:size/2-1] + "c"}}) {
		t.Error("got true for a text that the replacement does not make")
	}
	// A text that would exceed the memory.
	if Applied(was, was, []Replacement{{"a", was}}) {
		t.Error("got true for a text that does not fit into the memory")
	}
}

func TestApplied_StepsInOrder(t *testing.T) {
	t.Parallel()
	steps := []Replacement{{"a", "b"}, {"a", "cc"}}
	for now, want := range map[string]bool{"x b cc a": true, "x b a cc": false, "x cc b a": false, "x b cc": false, "": false} {
		if got := Applied("x a a a", now, steps); got != want {
			t.Errorf("%q: got %t, want %t", now, got, want)
		}
	}
	if Applied("x a", "x", []Replacement{{"a", ""}, {"a", ""}}) {
		t.Error("got true for a step that does not fit")
	}
}
