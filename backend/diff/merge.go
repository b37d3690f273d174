package diff

import (
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Merge merges two changed versions of base line by line. If the versions change the same or adjacent lines
// differently, clean is false and merged is "".
func Merge(base, ours, theirs string) (merged string, clean bool) {
	x, y := lineEdits(base, ours), lineEdits(base, theirs)
	var b strings.Builder
	at := 0
	apply := func(e udiff.Edit) {
		b.WriteString(base[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].End < y[0].Start:
			apply(x[0])
			x = x[1:]
		case len(x) == 0 || y[0].End < x[0].Start:
			apply(y[0])
			y = y[1:]
		case x[0] == y[0]:
			apply(x[0])
			x, y = x[1:], y[1:]
		default:
			return "", false
		}
	}
	b.WriteString(base[at:])
	return b.String(), true
}

// lineEdits returns the edits that turn before into after. Each edit consists of whole lines, and at least
// one unchanged line separates two edits.
func lineEdits(before, after string) (edits []udiff.Edit) {
	for _, e := range udiff.Lines(before, after) {
		if n := len(edits); n > 0 && edits[n-1].End == e.Start {
			edits[n-1].End, edits[n-1].New = e.End, edits[n-1].New+e.New
			continue
		}
		edits = append(edits, e)
	}
	return edits
}
