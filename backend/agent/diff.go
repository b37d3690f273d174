package agent

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/voxpilot/voxpilot/backend"
)

// maxDiffed is the size of both sides together up to which they are compared
// line by line; larger ones are shown as replaced whole.
const maxDiffed = 4 << 20

// diff is the change of one file as a unified diff.
type diff struct {
	path           string
	body           []byte
	added, removed int
}

func (d diff) content() backend.Content {
	return backend.Content{Type: backend.ContentDiff, Path: d.path, Added: d.added, Removed: d.removed}
}

// diffOf compares two texts of the file at path.
func diffOf(path, before, after string) diff {
	from, to := path, path
	if before == "" {
		from = "/dev/null"
	}
	if len(before)+len(after) > maxDiffed {
		return replaced(path, from, to, before, after)
	}
	body, err := udiff.ToUnified(from, to, before, udiff.Lines(before, after), 3)
	if err != nil {
		return replaced(path, from, to, before, after)
	}
	return counted(diff{path: path, body: []byte(body)})
}

// replaced is the diff that takes all of before away and adds all of after.
func replaced(path, from, to, before, after string) diff {
	d := diff{path: path, removed: lineCount([]byte(before)), added: lineCount([]byte(after))}
	var b strings.Builder
	b.Grow(len(before) + len(after) + d.removed + d.added + 200)
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", from, to, min(d.removed, 1), d.removed, min(d.added, 1), d.added)
	writeLines(&b, "-", before)
	writeLines(&b, "+", after)
	d.body = []byte(b.String())
	return d
}

func writeLines(b *strings.Builder, sign, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(sign)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// counted counts the lines that d adds and removes.
func counted(d diff) diff {
	inHunk := false
	for line := range strings.Lines(string(d.body)) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inHunk = true
		case !inHunk:
		case line[0] == '+':
			d.added++
		case line[0] == '-':
			d.removed++
		}
	}
	return d
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// gitDiff reads the diff that the CLI makes itself, in git's form, with the
// lines around a change and their numbers. It is false where text is no diff of
// one file with a change in it.
func gitDiff(path, text string) (diff, bool) {
	text = strings.TrimLeft(text, "\n")
	if !strings.HasPrefix(text, "diff --git ") || strings.Contains(text, "\ndiff --git ") {
		return diff{}, false
	}
	i := strings.Index(text, "\n@@ ")
	if i < 0 {
		return diff{}, false
	}
	head, hunks := text[:i], strings.TrimSuffix(text[i+1:], "\n")
	from, to := path, path
	if strings.Contains(head, "create file mode") || strings.Contains(head, "new file mode") {
		from = "/dev/null"
	}
	if strings.Contains(head, "deleted file mode") {
		to = "/dev/null"
	}
	d := counted(diff{path: path, body: []byte("--- " + from + "\n+++ " + to + "\n" + trimLast(hunks) + "\n")})
	return d, d.added+d.removed > 0
}

// trimLast takes the empty line of context away that the CLI adds after the
// newline at the end of a file.
func trimLast(hunks string) string {
	short, ok := strings.CutSuffix(hunks, "\n ")
	at := strings.LastIndex("\n"+short, "\n@@ ")
	if !ok || at < 0 {
		return hunks
	}
	m := hunkHead.FindStringSubmatch(short[at:])
	if m == nil || m[2] == "" || m[4] == "" {
		return hunks
	}
	old, _ := strconv.Atoi(m[2])
	now, _ := strconv.Atoi(m[4])
	return short[:at] + fmt.Sprintf("@@ -%s,%d +%s,%d @@", m[1], old-1, m[3], now-1) + short[at+len(m[0]):]
}
