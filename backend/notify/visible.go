package notify

import (
	"fmt"
	"strings"
	"unicode"
)

// hides says that a character reorders or hides text: it must be seen in what a
// user is told, as the window shows it too (frontend/src/lib/format.ts).
func hides(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0: // blanks that are letters to Unicode
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}

// plain says that a text is as it looks.
func plain(text string) bool { return visible(text) == text }

// visible is a text on one line in which nothing hides: white space is a space,
// and what cannot be seen is named.
func visible(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case hides(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
