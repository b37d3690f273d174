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

// room is what a system shows of a text before it cuts it: so many lines of so many
// letters. The zero room has no end.
type room struct{ lines, letters int }

// roomAt is the room of a toast of Windows for letters that are enlarged to so much
// percent. A toast shows four lines below its title, which are 280 pixels wide at
// least, and the widest letter that is in commands takes 14.
func roomAt(percent uint64) room {
	return room{lines: 4, letters: int(max(20*100/max(percent, 100), 1))}
}

// measured are the characters of which none is wider than two letters or higher than
// its line: those of Latin, Greek, Cyrillic, Chinese, Japanese and Korean, without
// marks that stand over others, and the punctuation of these.
var measured = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0020, 0x007e, 1}, // ASCII
		{0x00a0, 0x00ac, 1}, // Latin, up to the soft hyphen
		{0x00ae, 0x024f, 1}, // Latin, after it
		{0x0370, 0x03ff, 1}, // Greek
		{0x0400, 0x0482, 1}, // Cyrillic, up to its marks
		{0x048a, 0x04ff, 1}, // Cyrillic, after them
		{0x1e00, 0x1eff, 1}, // Latin
		{0x2010, 0x2027, 1}, // punctuation
		{0x2030, 0x203e, 1}, // punctuation
		{0x3000, 0x301f, 1}, // punctuation of Chinese and Japanese
		{0x3041, 0x3096, 1}, // Hiragana
		{0x309b, 0x30ff, 1}, // Katakana
		{0x3400, 0x4dbf, 1}, // Han
		{0x4e00, 0x9fff, 1}, // Han
		{0xac00, 0xd7a3, 1}, // Hangul
		{0xff01, 0xff5e, 1}, // ASCII as wide as Han
	},
	LatinOffset: 2,
}

// holds says that the whole of a text is shown, whatever its letters: those of Latin
// count once, all others twice. What is not measured may be of any size.
func (r room) holds(text string) bool {
	if r == (room{}) {
		return true
	}
	if strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && !unicode.Is(measured, c) }) {
		return false
	}
	lines := 0
	for line := range strings.SplitSeq(text, "\n") {
		lines++
		free := r.letters
		for word := range strings.SplitSeq(line, " ") {
			wide := width(word)
			if wide > free && free < r.letters {
				lines, free = lines+1, r.letters
			}
			for wide > free { // it is longer than a line, and broken
				wide, lines, free = wide-free, lines+1, r.letters
			}
			free -= wide + 1
		}
	}
	return lines <= r.lines
}

func width(text string) (wide int) {
	for _, letter := range text {
		if wide++; letter > unicode.MaxLatin1 {
			wide++
		}
	}
	return wide
}
