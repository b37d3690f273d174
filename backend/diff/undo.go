package diff

import (
	"bytes"
)

// UndoWithin returns text as it was before a unified diff was applied to it. ok is false if the diff doesn't match.
// A hunk must match at its line number or at exactly one position, because agents also send diffs of file fragments
// with line numbers relative to the fragment. *left is the number of bytes that may still be read in searches for
// hunks. Before each search, UndoWithin subtracts the most that the search can read. If *left becomes negative, ok
// is false.
func UndoWithin(text, diff []byte, left *int) (was []byte, ok bool) {
	hunks, ok := readHunks(string(diff))
	if !ok {
		return nil, false
	}
	if was, ok := revertAll(text, hunks); ok {
		return was, true
	}
	for i := len(hunks) - 1; i >= 0 && ok; i-- {
		if *left -= maxSearchSteps * len(text); *left < 0 {
			return nil, false
		}
		text, ok = hunks[i].revert(text)
	}
	return text, ok
}

// Undo does the same as UndoWithin, but sets the limit itself. It allows searches for undoHunks hunks.
func Undo(text, diff []byte) (was []byte, ok bool) {
	left := maxSearchSteps * (len(text) + 1) * undoHunks
	return UndoWithin(text, diff, &left)
}

// undoHunks is the maximum number of hunks that Undo searches for in a text.
const undoHunks = 100

// maxSearchSteps is the maximum number of passes over the text in the search for one hunk.
const maxSearchSteps = 4

// revertAll undoes hunks in one pass. ok is false unless every hunk matches at its line number.
func revertAll(text []byte, hunks []*hunk) (was []byte, ok bool) {
	at, line := 0, 1
	for _, h := range hunks {
		now := h.now.bytes()
		if len(now) == 0 || h.line < line {
			return nil, false
		}
		skipped := lineAt(text[at:], h.line-line+1)
		if skipped < 0 {
			return nil, false
		}
		was = append(was, text[at:at+skipped]...)
		at += skipped
		if rest := text[at:]; !bytes.HasPrefix(rest, now) || !bytes.HasSuffix(now, []byte("\n")) && len(rest) > len(now) {
			return nil, false
		}
		was = append(was, h.old.bytes()...)
		at += len(now)
		line = h.line + bytes.Count(now, []byte("\n"))
	}
	return append(was, text[at:]...), true
}

// revert undoes one hunk. ok is false unless the hunk matches at its line number or at exactly one position.
func (h *hunk) revert(text []byte) (was []byte, ok bool) {
	old, now := h.old.bytes(), h.now.bytes()
	if len(now) == 0 {
		if len(text) > 0 { // a deletion leaves no trace of its position
			return nil, false
		}
		return old, true
	}
	if at := lineAt(text, h.line); at >= 0 {
		switch rest := text[at:]; {
		case bytes.HasPrefix(rest, now) && (bytes.HasSuffix(now, []byte("\n")) || len(rest) == len(now)):
			return splice(text, at, len(now), old), true
		case !h.old.open && !h.now.open && bytes.Equal(append(bytes.Clone(rest), '\n'), now):
			return splice(text, at, len(rest), bytes.TrimSuffix(old, []byte("\n"))), true
		}
	}
	at := bytes.Index(text, now)
	if at < 0 || bytes.Contains(text[at+1:], now) {
		return nil, false
	}
	return splice(text, at, len(now), old), true
}

// lineAt returns the byte offset of line n in text, or -1 if text has fewer lines. n is 1-based.
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

// splice returns a copy of text in which other bytes replace text[at:at+n].
func splice(text []byte, at, n int, by []byte) []byte {
	out := make([]byte, 0, len(text)-n+len(by))
	out = append(out, text[:at]...)
	out = append(out, by...)
	return append(out, text[at+n:]...)
}

// Overwritten undoes a unified diff without comparing it with the text. At the position of each hunk, it replaces
// the lines with the hunk's old side, even if they differ from the new side. ok is false if the diff can't be read.
func Overwritten(text, diff []byte) (was []byte, ok bool) {
	hunks, ok := readHunks(string(diff))
	if !ok {
		return nil, false
	}
	for i := len(hunks) - 1; i >= 0; i-- {
		h := hunks[i]
		at := lineAt(text, h.line)
		if at < 0 {
			at = len(text)
		}
		n := lineAt(text[at:], bytes.Count(h.now.text, []byte("\n"))+1)
		if n < 0 {
			n = len(text) - at
		}
		text = splice(text, at, n, h.old.bytes())
	}
	return text, true
}
