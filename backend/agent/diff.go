package agent

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
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

// and is d with what more changes of the same file.
func (d diff) and(more diff) diff {
	if len(d.body) == 0 || len(more.body) == 0 {
		d.body = append(d.body, more.body...)
	} else if at := bytes.Index(more.body, []byte("\n@@ ")); at >= 0 {
		d.body = slices.Concat(d.body, more.body[at+1:])
	}
	d.added, d.removed = d.added+more.added, d.removed+more.removed
	return d
}

// gitPart is what a diff in git's form says of one file.
type gitPart struct {
	head, hunks string
}

// gitParts are the parts of a diff in git's form, such as the CLI makes itself,
// with the lines around a change and their numbers; nil where text is none. What
// stands before the first, such as the head of a mail, is of no part. split is
// false where there are parts in text that cannot be told from one another.
func gitParts(text string) (parts []gitPart, split bool) {
	text = "\n" + strings.TrimLeft(text, "\uFEFF \t\r\n\v\f")
	before, text, ok := strings.Cut(text, "\n"+gitBegins)
	if !ok {
		return nil, !strings.Contains(before, gitBegins)
	}
	for _, sign := range []string{gitBegins, "\n+++ ", "\n@@ "} { // of a part
		if strings.Contains(before, sign) {
			return nil, false
		}
	}
	if first, _, _ := strings.Cut(text, "\n"); strings.HasSuffix(first, "\r") { // git ends the lines of a head with \n
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	for part := range strings.SplitSeq(text, "\n"+gitBegins) {
		head, hunks, changed := strings.Cut(part, "\n@@ ")
		if changed {
			hunks = "@@ " + strings.TrimSuffix(hunks, "\n")
		}
		if strings.Contains(head, gitBegins) {
			return nil, false
		}
		parts = append(parts, gitPart{head, hunks})
	}
	return parts, true
}

const gitBegins = "diff --git "

// gitDiff reads a diff in git's form as the change of the file at path. It is
// false where text is no diff of one file with a change in it.
func gitDiff(path, text string) (diff, bool) {
	parts, _ := gitParts(text)
	if len(parts) != 1 {
		return diff{}, false
	}
	return parts[0].diff(path)
}

// names are the file as it was called and as it is to be called, one where that
// is the same or there is only one.
func (p gitPart) names() (old, now string) {
	first, rest, _ := strings.Cut(p.head, "\n")
	first = strings.TrimSuffix(first, "\r")
	half := len(first) / 2
	if half < len(first) && first[half] == ' ' {
		old, now = gitName(first[:half]), gitName(first[half+1:])
	} else {
		before, after, _ := strings.Cut(first, " b/")
		old, now = gitName(before), after
	}
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			old = gitName(name)
		} else if name, ok := strings.CutPrefix(line, "+++ "); ok {
			now = gitName(name)
		} else if name, ok := strings.CutPrefix(line, "rename from "); ok {
			old = gitName("a/" + name)
		} else if name, ok := strings.CutPrefix(line, "rename to "); ok {
			now = gitName("b/" + name)
		}
	}
	switch nowhere := "dev/null"; {
	case now == nowhere:
		return old, ""
	case old == nowhere, old == now:
		return "", now
	}
	return old, now
}

// gitName is the name in a head of git's, without the "a/" or "b/" before it.
func gitName(name string) string {
	name, _, _ = strings.Cut(name, "\t") // the time may follow
	if plain, err := strconv.Unquote(name); err == nil {
		name = plain
	}
	for _, side := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, side); ok {
			return rest
		}
		if rest, ok := strings.CutPrefix(name, side[:1]); ok && filepath.VolumeName(rest) != "" {
			return rest // a whole path on Windows
		}
	}
	return strings.TrimPrefix(name, "/")
}

// byCLI says whether the CLI made the diff itself: its names are whole paths.
func (p gitPart) byCLI() bool { return strings.Contains(p.head, "\nindex 0000000..0000000") }

// diff is the part as the change of the file at path. It is false where nothing
// is changed in the file.
func (p gitPart) diff(path string) (diff, bool) {
	if p.hunks == "" {
		return diff{path: path}, false
	}
	from, to := path, path
	if strings.Contains(p.head, "create file mode") || strings.Contains(p.head, "new file mode") {
		from = "/dev/null"
	}
	if strings.Contains(p.head, "deleted file mode") {
		to = "/dev/null"
	}
	d := counted(diff{path: path, body: []byte("--- " + from + "\n+++ " + to + "\n" + trimLast(p.hunks) + "\n")})
	if d.added+d.removed == 0 {
		return diff{path: path}, false
	}
	return d, true
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
