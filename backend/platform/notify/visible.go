package notify

import (
	"fmt"
	"strings"
	"unicode"
)

// isHidden says that a character reorders or hides text: it must be seen in what a
// user is told, as the window shows it too (frontend/src/lib/format.ts).
func isHidden(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0: // blanks that are letters to Unicode
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}

// isVisible says that a text is as it looks.
func isVisible(text string) bool { return visibleText(text) == text }

// visibleText is a text on one line in which nothing hides: white space is a space,
// and what cannot be seen is named.
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

// textLimits is what a system shows of a text before it cuts it: four lines of so many
// bytes. The zero room has no end.
type textLimits int

// lines is how many lines a toast of Windows has below its title. Windows cuts what
// is longer, and tells no program.
const lines = 4

// limitsAt is the room of a toast for letters that are enlarged to so much percent.
// Its lines are 280 pixels wide at least, and the widest letter of ASCII takes 14.
func limitsAt(percent uint64) textLimits { return textLimits(max(20*100/max(percent, 100), 1)) }

// measured are the scripts of which no letter takes more room than as many wide
// letters of ASCII as it has bytes in UTF-8.
var measured = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
}

// fits reports whether the whole of a text is shown, whatever its letters. What is
// not measured may be of any size.
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
			for wide > free { // it is longer than a line, and broken
				wide, used, free = wide-free, used+1, int(r)
			}
			free -= wide + 1
		}
	}
	return used <= lines
}
