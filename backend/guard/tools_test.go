package guard_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/guard"
)

// TestPlainArgs_TextAndDepth checks that arguments in a text are unpacked, unless the text isn't JSON or is nested too
// deeply.
func TestPlainArgs_TextAndDepth(t *testing.T) {
	deep := `"` + strings.Repeat("[", 12<<20) + `"`
	for in, want := range map[string]string{`"{}"`: "{}", `{"a":1}`: `{"a":1}`, `"no"`: `"no"`, "": "null", deep: deep} {
		if got := string(guard.PlainArgs([]byte(in))); got != want {
			t.Errorf("%.20q: got %.20q", in, got)
		}
	}
}
