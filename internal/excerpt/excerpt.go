// Package excerpt shortens text to a size limit.
package excerpt

import (
	"strings"
	"unicode/utf8"
)

// FirstLine returns the first non-empty line of s. If the line has more than limit bytes, it is cut on a rune
// boundary and ends with "…". The result, including "…", has at most limit bytes. limit must be at least 3.
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

// Head returns the start of s: at most limit bytes, cut on a rune boundary.
func Head(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// Tail returns the end of s: at most limit bytes, cut on a rune boundary.
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
