// Package diff creates unified diffs between texts and parses agents' diffs file by file. It is strict: it rejects
// hunks whose line counts don't match their headers.
package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// maxDiffed is the maximum total size in bytes of the old and new text for a line diff. Larger texts are shown as
// fully replaced.
const maxDiffed = 4 << 20

// Diff is a change to one file as a unified diff.
type Diff struct {
	Path           string
	Body           []byte        // the unified diff with its header, or empty
	added, Removed int           // numbers of lines
	Replacements   []Replacement // the replacements that the diff shows, in order
	Deletes        bool          // the diff deletes the file
}

// Content returns the diff's metadata for the transcript.
func (d Diff) Content() backend.Content {
	return backend.Content{Type: backend.ContentDiff, Path: d.Path, Added: d.added, Removed: d.Removed}
}

// Of returns the diff between two versions of the file at path. If before is "", the diff creates the file. If the
// texts together are larger than maxDiffed, the diff replaces the whole text, as Replaced does.
func Of(path, before, after string) Diff {
	from, to := InHead(path), InHead(path)
	if before == "" {
		from = "/dev/null"
	}
	if len(before)+len(after) > maxDiffed {
		return Replaced(path, from, to, before, after)
	}
	body, added, removed := Unified(from, to, before, after)
	return Diff{Path: path, Body: []byte(body), added: added, Removed: removed, Replacements: []Replacement{{before, after}}}
}

// InHead returns path in a form for the header of a diff: on one line, so that no part of it can be parsed
// as a hunk.
func InHead(path string) string { return strings.ReplaceAll(path, "\n", `\n`) }

// Replaced returns a diff of the file at path that replaces the whole text: it removes each line of before
// and adds each line of after. from and to are the file names in its header.
func Replaced(path, from, to, before, after string) Diff {
	d := Diff{Path: path, Removed: LineCount([]byte(before)), added: LineCount([]byte(after)), Replacements: []Replacement{{before, after}}}
	var b strings.Builder
	b.Grow(len(before) + len(after) + d.Removed + d.added + 200)
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", InHead(from), InHead(to), min(d.Removed, 1), d.Removed, min(d.added, 1), d.added)
	writeLines(&b, "-", Lines(before))
	writeLines(&b, "+", Lines(after))
	d.Body = []byte(b.String())
	return d
}

// count returns the number of lines that a unified diff of one file adds and removes.
func count(diff string) (added, removed int) {
	inHunk := false
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inHunk = true
		case !inHunk:
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	return added, removed
}

// And combines d with a later diff of the same file and returns the result. The result's Deletes is set if
// either diff deletes the file.
func (d Diff) And(more Diff) Diff {
	if len(d.Body) == 0 || len(more.Body) == 0 {
		d.Body = append(d.Body, more.Body...)
	} else if at := bytes.Index(more.Body, []byte("\n@@ ")); at >= 0 {
		d.Body = slices.Concat(d.Body, more.Body[at+1:])
	}
	d.added, d.Removed = d.added+more.added, d.Removed+more.Removed
	d.Replacements = append(d.Replacements, more.Replacements...)
	d.Deletes = d.Deletes || more.Deletes
	return d
}

// LineCount returns the number of lines in b, including a last line without a newline.
func LineCount(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	n := bytes.Count(b, []byte{'\n'})
	if b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// FromHunks returns the change of a file from the hunks of a unified diff. from is the path of the file before the
// change, or "/dev/null" if the diff creates the file. Replacements isn't set.
func FromHunks(from, path, hunks string) Diff {
	d := Diff{Path: path, Body: fmt.Appendf(nil, "--- %s\n+++ %s\n%s", InHead(from), InHead(path), hunks)}
	d.added, d.Removed = count(hunks)
	return d
}
