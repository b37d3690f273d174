package diff

import (
	"bytes"
	"regexp"
	"strconv"
)

// hunk is one place that a unified diff changes. Both sides are as they are in
// the file, line ends included.
type hunk struct {
	line      int // of the new side, counted from 1
	old, now  []byte
	anyEnding bool // nothing says whether the file ends with a newline
}

var (
	strictHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
	noEnding = []byte(`\ No newline at end of file`)
)

// parse reads a unified diff of one file strictly: each hunk has as many lines as
// its head says.
func parse(diff []byte) (hunks []hunk, ok bool) {
	for len(diff) > 0 {
		var line []byte
		line, diff = cutLine(diff)
		m := strictHead.FindSubmatch(line)
		if m == nil {
			if len(hunks) > 0 {
				return nil, false
			}
			continue // the head of the file
		}
		h := hunk{line: number(m[3], 0), anyEnding: true}
		olds, news := number(m[2], 1), number(m[4], 1)
		var last byte // the sign of the last line
		for olds > 0 || news > 0 || bytes.HasPrefix(diff, noEnding) {
			if len(diff) == 0 {
				return nil, false
			}
			line, diff = cutLine(diff)
			if bytes.HasPrefix(line, noEnding) {
				h.anyEnding = false
				if last != '+' {
					h.old = bytes.TrimSuffix(h.old, []byte("\n"))
				}
				if last != '-' {
					h.now = bytes.TrimSuffix(h.now, []byte("\n"))
				}
				continue
			}
			sign, text := byte(' '), line
			if len(line) > 0 && line[0] != '\n' { // some tools write an empty line of context without its space
				sign, text = line[0], line[1:]
			}
			if !bytes.HasSuffix(text, []byte("\n")) {
				text = append(bytes.Clone(text), '\n')
			}
			switch sign {
			case ' ':
				h.old, h.now = append(h.old, text...), append(h.now, text...)
				olds, news = olds-1, news-1
			case '-':
				h.old, olds = append(h.old, text...), olds-1
			case '+':
				h.now, news = append(h.now, text...), news-1
			default:
				return nil, false
			}
			last = sign
		}
		if olds < 0 || news < 0 {
			return nil, false
		}
		hunks = append(hunks, h)
	}
	return hunks, len(hunks) > 0
}

// cutLine is the first line of text, with its end, and what comes after it.
func cutLine(text []byte) (line, rest []byte) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1], text[i+1:]
	}
	return text, nil
}

func number(digits []byte, absent int) int {
	if n, err := strconv.Atoi(string(digits)); err == nil {
		return n
	}
	return absent
}

// UndoWithin is what text was before the diff was applied, where it fits. A hunk has to be found
// where the diff says, or at one place only: agents show diffs of pieces of a
// file too, whose lines are counted from the piece on. Where the hunks are looked
// for, each goes through the text, and left is how many bytes may be gone through:
// it is less afterwards, and below 0 where they were not enough.
func UndoWithin(text, diff []byte, left *int) (was []byte, ok bool) {
	hunks, ok := parse(diff)
	if !ok {
		return nil, false
	}
	if was, ok := takeAllBack(text, hunks); ok {
		return was, true
	}
	for i := len(hunks) - 1; i >= 0 && ok; i-- {
		if *left -= looks * len(text); *left < 0 {
			return nil, false
		}
		text, ok = hunks[i].takeBack(text)
	}
	return text, ok
}

// Undo is what text was before a unified diff of it was applied, where it fits.
func Undo(text, diff []byte) (was []byte, ok bool) {
	left := looks * (len(text) + 1) * undoHunks
	return UndoWithin(text, diff, &left)
}

// undoHunks is how many hunks Undo looks for.
const undoHunks = 100

// looks is how often a text is gone through for a hunk that is looked for.
const looks = 4

// takeAllBack takes hunks back that are all where the diff says, in one pass.
func takeAllBack(text []byte, hunks []hunk) (was []byte, ok bool) {
	at, line := 0, 1
	for _, h := range hunks {
		if len(h.now) == 0 || h.line < line {
			return nil, false
		}
		skipped := lineAt(text[at:], h.line-line+1)
		if skipped < 0 {
			return nil, false
		}
		was = append(was, text[at:at+skipped]...)
		at += skipped
		if rest := text[at:]; !bytes.HasPrefix(rest, h.now) || !bytes.HasSuffix(h.now, []byte("\n")) && len(rest) > len(h.now) {
			return nil, false
		}
		was = append(was, h.old...)
		at += len(h.now)
		line = h.line + bytes.Count(h.now, []byte("\n"))
	}
	return append(was, text[at:]...), true
}

func (h hunk) takeBack(text []byte) (was []byte, ok bool) {
	if len(h.now) == 0 {
		if len(text) > 0 { // what is gone leaves nothing that says where it was
			return nil, false
		}
		return h.old, true
	}
	old, now := h.old, h.now
	if at := lineAt(text, h.line); at >= 0 {
		switch rest := text[at:]; {
		case bytes.HasPrefix(rest, now) && (bytes.HasSuffix(now, []byte("\n")) || len(rest) == len(now)):
			return splice(text, at, len(now), old), true
		case h.anyEnding && bytes.Equal(append(bytes.Clone(rest), '\n'), now):
			return splice(text, at, len(rest), bytes.TrimSuffix(old, []byte("\n"))), true
		}
	}
	at := bytes.Index(text, now)
	if at < 0 || bytes.Contains(text[at+1:], now) {
		return nil, false
	}
	return splice(text, at, len(now), old), true
}

// lineAt is where the n-th line begins, counted from 1; -1 where there is none.
func lineAt(text []byte, n int) int {
	at := 0
	for ; n > 1; n-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
	}
	return at
}

// splice is text with n bytes at a place replaced.
func splice(text []byte, at, n int, by []byte) []byte {
	out := make([]byte, 0, len(text)-n+len(by))
	out = append(out, text[:at]...)
	out = append(out, by...)
	return append(out, text[at+n:]...)
}
