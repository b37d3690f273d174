package diff

import (
	"fmt"
	"strings"
)

// context is the number of unchanged lines around each change in a unified diff.
const context = 3

// Unified returns the unified diff that turns before into after, and the number of added and removed lines. The diff
// is "" if the texts are equal. from and to are the file names in its header.
func Unified(from, to, before, after string) (diff string, added, removed int) {
	a, b := Lines(before), Lines(after)
	blocks := Blocks(a, b, nil)
	if len(blocks) == 0 {
		return "", 0, 0
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	added, removed = sum(blocks)
	for len(blocks) > 0 {
		n := 1 // blocks in the hunk
		for n < len(blocks) && blocks[n].Old-oldEnd(blocks[n-1]) <= 2*context {
			n++
		}
		writeHunk(&out, a, b, blocks[:n])
		blocks = blocks[n:]
	}
	return out.String(), added, removed
}

func sum(blocks []Block) (added, removed int) {
	for _, b := range blocks {
		added, removed = added+b.News, removed+b.Olds
	}
	return added, removed
}

func oldEnd(b Block) int { return b.Old + b.Olds }

// writeHunk writes the hunk that consists of the given blocks and the unchanged lines around them.
func writeHunk(out *strings.Builder, old, now []string, blocks []Block) {
	first, last := blocks[0], blocks[len(blocks)-1]
	lead := min(context, first.Old)
	start, end := first.Old-lead, min(oldEnd(last)+context, len(old))
	added, removed := sum(blocks)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", hunkRange(start, end-start), hunkRange(first.New-lead, end-start+added-removed))
	for _, b := range blocks {
		writeLines(out, " ", old[start:b.Old])
		writeLines(out, "-", old[b.Old:oldEnd(b)])
		writeLines(out, "+", now[b.New:b.New+b.News])
		start = oldEnd(b)
	}
	writeLines(out, " ", old[start:end])
}

// hunkRange returns one side's range of lines in the header of a hunk.
func hunkRange(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, count)
}

func writeLines(out *strings.Builder, sign string, lines []string) {
	for _, line := range lines {
		out.WriteString(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n" + noEnding + "\n")
		}
	}
}
