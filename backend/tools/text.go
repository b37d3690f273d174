package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// maxText is the size of the longest text that a tool returns, in bytes: some
// 10,000 tokens.
const maxText = 40 << 10

// maxLine is the size of the longest line that is shown whole.
const maxLine = 1000

// clip is s cut to at most limit bytes, at the border of a character.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// shortLine is the line, with its end cut off where it is very long.
func shortLine(line string) string {
	if len(line) <= maxLine {
		return line
	}
	return clip(line, maxLine) + fmt.Sprintf("… [the line has %s bytes]", backend.Grouped(len(line)))
}

// lines joins what is not empty, a line each.
func lines(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.TrimRight(p, "\n"); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n")
}
