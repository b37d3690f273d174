package export

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A textWriter receives text in arbitrary pieces. It passes the text on to the function take, in pieces of whole
// characters. It replaces invalid characters with U+FFFD. Unless exact is set, it drops terminal escape sequences and
// other ASCII control characters, except line feeds and tabs.
type textWriter struct {
	take  func(text []byte) error
	exact bool
	rest  []byte // an incomplete character
	state escape
}

// escape is a textWriter's position within a terminal escape sequence (ECMA-48).
type escape int

const (
	none escape = iota
	escapeStart
	csi    // until a byte from @ to ~
	osc    // until BEL or ESC \
	oscEnd // after ESC in an OSC
)

// skips updates the state with r, the next character, and reports whether r is part of an escape sequence.
func (e *escape) skips(r rune) bool {
	switch *e {
	case none:
		if r != 0x1b {
			return false
		}
		*e = escapeStart
	case escapeStart:
		switch r {
		case '[':
			*e = csi
		case ']':
			*e = osc
		default:
			*e = none
		}
	case csi:
		if r >= '@' && r <= '~' || r == '\n' {
			*e = none
			return r != '\n'
		}
	case osc:
		switch r {
		case 0x07, '\n':
			*e = none
			return r != '\n'
		case 0x1b:
			*e = oscEnd
		}
	case oscEnd:
		*e = none
	}
	return true
}

func (w *textWriter) Write(piece []byte) (int, error) {
	text := piece
	if len(w.rest) > 0 {
		text = append(w.rest, piece...)
		w.rest = nil
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if n := w.simple(text); n > 0 {
			out, text = append(out, text[:n]...), text[n:]
			continue
		}
		if !utf8.FullRune(text) {
			w.rest = bytes.Clone(text)
			break
		}
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if !w.exact && (w.state.skips(r) || r < ' ' && r != '\n' && r != '\t' || r == 0x7f) {
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	if len(out) == 0 {
		return len(piece), nil
	}
	return len(piece), w.take(out)
}

// simple returns the length in bytes of the longest prefix of text that consists of ASCII characters and can be
// passed on unchanged. This prefix is usually nearly the whole text.
func (w *textWriter) simple(text []byte) int {
	if w.state != none {
		return 0
	}
	for i, b := range text {
		if (b < ' ' || b >= 0x7f) && b != '\n' && b != '\t' {
			return i
		}
	}
	return len(text)
}

// end must be called at the end of the text. If the last character is incomplete, end passes on U+FFFD instead.
func (w *textWriter) end() error {
	if len(w.rest) == 0 {
		return nil
	}
	w.rest = nil
	return w.take([]byte("\uFFFD"))
}

// textOf passes the output of the function read to the function take, in pieces of whole characters. It removes
// terminal escape sequences and other ASCII control characters, except line feeds and tabs.
func textOf(read func(io.Writer) error, take func(text []byte) error) error {
	return copyText(read, &textWriter{take: take})
}

func copyText(read func(io.Writer) error, w *textWriter) error {
	if err := read(w); err != nil {
		return err
	}
	return w.end()
}
