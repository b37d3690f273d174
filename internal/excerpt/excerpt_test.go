package excerpt

import (
	"strings"
	"testing"
)

func TestTheFirstLineIsCutBetweenRunes(t *testing.T) {
	for in, want := range map[string]string{
		"\n\n  a b \r\nc": "a b", "": "", strings.Repeat("ä", 10): "ää…",
	} {
		if got := FirstLine(in, 8); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
