package jsontext_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// TestValid_LikeEncodingJSON checks that Valid accepts the same texts as encoding/json, and that no nesting exhausts the
// stack.
func TestValid_LikeEncodingJSON(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, text := range []string{
		"", "{}", "1", "[1", `{"a":[{"b":null}]}`, `"[[["`, `"a\"[`, nested(10_000), nested(10_001), nested(12 << 20), strings.Repeat("[", 12<<20),
		`"` + strings.Repeat("[", 20_000) + `"`, "[" + strings.Repeat("[],", 20_000) + "[]]", `["` + strings.Repeat(`\"[`, 20_000) + `"]`,
	} {
		if got, want := jsontext.Valid([]byte(text)), json.Valid([]byte(text)); got != want {
			t.Errorf("%.20q, %d bytes: %t, want %t", text, len(text), got, want)
		}
	}
}
