package agent

import (
	"strings"
	"unicode/utf8"
)

// firstLine is the first line of s that is not empty, cut to at most limit
// bytes on a rune boundary.
func firstLine(s string, limit int) string {
	s = strings.TrimSpace(s)
	s, _, _ = strings.Cut(s, "\n")
	s = strings.TrimRight(s, "\r ")
	if len(s) <= limit {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	s = s[:limit-len("…")]
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "…"
}
