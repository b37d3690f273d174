// Package excerpt cuts texts to what there is room for.
package excerpt

import (
	"strings"
	"unicode/utf8"
)

// FirstLine is the first line of s that is not empty, cut to at most limit
// bytes on a rune boundary.
func FirstLine(s string, limit int) string {
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

// Head is the beginning of s, at most limit bytes and no half character.
func Head(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// Tail is the end of s, at most limit bytes and no half character.
func Tail(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = s[len(s)-limit:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}
