package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// tail holds the end of a byte stream.
type tail struct {
	keep int // size of the end in bytes
	buf  []byte
	lost bool // bytes before buf were dropped
}

// add appends p. The buffer grows to twice the size of the tail, so that bytes are rarely moved.
func (t *tail) add(p []byte) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*t.keep {
		n := copy(t.buf, t.buf[len(t.buf)-t.keep:])
		t.buf, t.lost = t.buf[:n], true
	}
}

// text returns the end of the stream as valid UTF-8: at most limit bytes, without partial characters.
// If ended is false, an incomplete last character is omitted.
func (t *tail) text(limit int, ended bool) (text string, truncated bool) {
	b := t.buf
	if t.lost {
		b = b[len(b)-min(len(b), t.keep):]
		for i := 0; i < utf8.UTFMax-1 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
			b = b[1:]
		}
	}
	if !ended {
		for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
			if utf8.RuneStart(b[i]) {
				if !utf8.FullRune(b[i:]) {
					b = b[:i]
				}
				break
			}
		}
	}
	text = strings.ToValidUTF8(string(b), "\uFFFD")
	if len(text) <= limit {
		return text, t.lost
	}
	return excerpt.Tail(text, limit), true
}
