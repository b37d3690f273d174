package result

import (
	"strings"
	"testing"
)

func TestExitCode_StatusLineRemovedFromOutput(t *testing.T) {
	code := func(n int) *int { return &n }
	long := strings.Repeat("a line\n", 100_000)
	for name, c := range map[string]struct {
		text, rest string
		code       *int
	}{
		"none":                     {"out\n", "out\n", nil},
		"nothing else":             {"<shellId: 0 completed with exit code 0>", "", code(0)},
		"after a line":             {"out\n<shellId: 12 completed with exit code -1>\n \n", "out", code(-1)},
		"after much":               {long + "<shellId: 0 completed with exit code 2>", strings.TrimSuffix(long, "\n"), code(2)},
		"one that was printed too": {"<shellId: 0 completed with exit code 7>\n<shellId: 1 completed with exit code 0>", "<shellId: 0 completed with exit code 7>", code(0)},
		"not at the end":           {"<shellId: 0 completed with exit code 7>\nmore", "<shellId: 0 completed with exit code 7>\nmore", nil},
		"no number":                {"<shellId: 0 completed with exit code 99999999999999999999>", "<shellId: 0 completed with exit code 99999999999999999999>", nil},
	} {
		rest, got := ExitCode(c.text)
		if rest != c.rest || (got == nil) != (c.code == nil) || got != nil && *got != *c.code {
			t.Errorf("%s: %d bytes, %v", name, len(rest), got)
		}
	}
}
