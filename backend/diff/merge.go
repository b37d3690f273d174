package diff

import (
	"slices"
	"strings"
)

// Merge merges two changed versions of base line by line. If the versions change the same or adjacent lines
// differently, clean is false and merged is "".
func Merge(base, ours, theirs string) (merged string, clean bool) {
	lines := Lines(base)
	x, y := lineEdits(lines, ours), lineEdits(lines, theirs)
	var b strings.Builder
	at := 0
	apply := func(e lineEdit) {
		for _, line := range slices.Concat(lines[at:e.start], e.lines) {
			b.WriteString(line)
		}
		at = e.end
	}
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].end < y[0].start:
			apply(x[0])
			x = x[1:]
		case len(x) == 0 || y[0].end < x[0].start:
			apply(y[0])
			y = y[1:]
		case x[0].start == y[0].start && x[0].end == y[0].end && slices.Equal(x[0].lines, y[0].lines):
			apply(x[0])
			x, y = x[1:], y[1:]
		default:
			return "", false
		}
	}
	apply(lineEdit{start: len(lines)})
	return b.String(), true
}

// lineEdit replaces the lines of a text from start to end with other lines.
type lineEdit struct {
	start, end int
	lines      []string
}

// lineEdits returns the edits that turn before into after. At least one unchanged line separates two edits.
func lineEdits(before []string, after string) (edits []lineEdit) {
	lines := Lines(after)
	for _, b := range Blocks(before, lines, nil) {
		edits = append(edits, lineEdit{b.Old, oldEnd(b), lines[b.New : b.New+b.News]})
	}
	return edits
}
