package notify

import (
	"fmt"
	"strings"
	"unicode"
)

// isHidden reports whether a character is invisible or reorders text. Such characters
// must be made visible in notifications, as in the window (frontend/src/lib/format.ts).
func isHidden(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0: // blanks that Unicode classifies as letters
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}

// isVisible reports whether text contains only visible characters.
func isVisible(text string) bool { return visibleText(text) == text }

// visibleText returns text on one line without hidden characters: tabs, line feeds and carriage returns are
// replaced by spaces, and other hidden characters by their code points, such as "[U+200B]".
func visibleText(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case isHidden(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// textLimits is the number of bytes of text that are certain to fit on each line of a notification. Zero means that
// there is no limit.
type textLimits int

// lines is the number of lines below the title of a Windows toast. Windows truncates
// longer text without notifying the program.
const lines = 4

// limitsAt returns the limits for a toast's text if the user's text size is the given percentage of the default. The
// lines of a toast are at least 280 pixels wide, and the widest ASCII letter takes 14 pixels.
func limitsAt(percent uint64) textLimits { return textLimits(max(20*100/max(percent, 100), 1)) }

// measured lists the scripts whose letters have a known maximum width: a letter that takes n bytes in UTF-8 is
// at most as wide as n of the widest ASCII letters.
var measured = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
}

// fits reports whether text is certain to be shown in full. Characters outside the measured scripts may
// have any width, so text that contains one never fits.
func (r textLimits) fits(text string) bool {
	if r == 0 {
		return true
	}
	if strings.ContainsFunc(text, func(c rune) bool {
		return c > unicode.MaxLatin1 && (!unicode.IsLetter(c) || !unicode.In(c, measured...))
	}) {
		return false
	}
	used := 0
	for line := range strings.SplitSeq(text, "\n") {
		used++
		free := int(r)
		for word := range strings.SplitSeq(line, " ") {
			wide := len(word)
			if wide > free && free < int(r) {
				used, free = used+1, int(r)
			}
			for wide > free { // longer than a line, so it is broken
				wide, used, free = wide-free, used+1, int(r)
			}
			free -= wide + 1
		}
	}
	return used <= lines
}
