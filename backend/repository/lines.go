package repository

import (
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// row is a line of the diff between the old and the new side of a file.
type row struct {
	text     string // including its newline, if it has one
	old, new bool   // the sides that contain the line
	chosen   bool   // the line is to be staged or unstaged
}

// splitLines splits text into lines that keep their newlines.
func splitLines(text string) []string {
	return slices.Collect(strings.Lines(text))
}

// rowsOf returns the rows of the diff from old to new. It marks the lines in blocks as chosen. The blocks have the form
// of backend.ReviewDiff.Blocks. The lines between the blocks are compared again. rowsOf returns errStale if the blocks
// aren't in order or don't fit the lines.
func rowsOf(old, new []string, blocks [][4]int) ([]row, error) {
	var rows []row
	compare := func(old, new []string) {
		i := 0
		for j, from := range diff.MatchLines(old, new) {
			if from < 0 {
				rows = append(rows, row{text: new[j], new: true})
				continue
			}
			for ; i < from; i++ {
				rows = append(rows, row{text: old[i], old: true})
			}
			rows = append(rows, row{text: new[j], old: true, new: true})
			i++
		}
		for ; i < len(old); i++ {
			rows = append(rows, row{text: old[i], old: true})
		}
	}
	i, j := 0, 0
	for _, b := range blocks {
		if b[0] < i || b[1] < 0 || b[0]+b[1] > len(old) || b[2] < j || b[3] < 0 || b[2]+b[3] > len(new) {
			return nil, errStale
		}
		compare(old[i:b[0]], new[j:b[2]])
		for _, text := range old[b[0] : b[0]+b[1]] {
			rows = append(rows, row{text: text, old: true, chosen: true})
		}
		for _, text := range new[b[2] : b[2]+b[3]] {
			rows = append(rows, row{text: text, new: true, chosen: true})
		}
		i, j = b[0]+b[1], b[2]+b[3]
	}
	compare(old[i:], new[j:])
	// The removed lines of each change come before the added ones, whatever the order of the blocks is.
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && rows[to].old != rows[to].new {
			to++
		}
		slices.SortStableFunc(rows[from:to], func(a, b row) int {
			switch {
			case a.old == b.old:
				return 0
			case a.old:
				return -1
			}
			return 1
		})
		from = to + 1
	}
	return rows, nil
}

var errStale = &backend.Error{Code: backend.CodeStale, Message: backend.Say("The file has changed in the meantime. Look at the changes again.")}

// toggle returns the text of the index after the chosen rows were staged or, if staged is false, unstaged. All other
// lines of the index stay, including those that are on neither side of the diff.
func toggle(index []string, rows []row, staged bool) string {
	// Find the rows that are in the index.
	in := make([]int, len(rows)) // for each row, the number of its line in the index, or -1
	if !align(index, rows, in, func(r row) bool { return r.old }) && !align(index, rows, in, func(r row) bool { return r.new }) {
		texts := make([]string, len(rows))
		for i, r := range rows {
			texts[i] = r.text
		}
		copy(in, diff.MatchLines(index, texts))
	}
	var out []string
	next := 0 // the next line of the index
	for i, r := range rows {
		if in[i] >= 0 {
			out = append(out, index[next:in[i]]...) // these lines are on neither side of the diff
			next = in[i] + 1
		}
		want := in[i] >= 0
		if r.chosen {
			want = r.new == staged
		}
		if want {
			out = append(out, r.text)
		}
	}
	out = append(out, index[next:]...)
	for i := range out[:max(len(out)-1, 0)] {
		if !strings.HasSuffix(out[i], "\n") {
			out[i] += "\n"
		}
	}
	return strings.Join(out, "")
}

// align reports whether the index is equal to one side of the diff. That side consists of the rows for which the given
// function returns true. If the index is equal to it, align sets in[i] to the number of row i's line in the index, or
// to -1 if the row isn't on that side.
func align(index []string, rows []row, in []int, has func(row) bool) bool {
	n := 0
	for i, r := range rows {
		if in[i] = -1; !has(r) {
			continue
		}
		if n == len(index) || index[n] != r.text {
			return false
		}
		in[i] = n
		n++
	}
	return n == len(index)
}
