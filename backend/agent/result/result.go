// Package result says in a few words what came out of a tool call: how many lines,
// matches or files.
package result

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Query is what a call that reads, searches or fetches was called with.
type Query struct {
	first, last int      // lines of a file, last -1 for its end; 0 where all of it is asked for
	Pattern     string   // what is looked for
	roots       []string // where: the line of each thing found begins with one of them
	mode        string   // of grep: content or count; else the files are found
	partial     bool     // what comes out is not all there is, or more than what was looked for
}

// partialKeys are those of an input that make a query partial.
var partialKeys = []string{"head_limit", "-A", "-B", "-C", "multiline", "start_index"}

// QueryOf is what the input of a call says of what it looks for.
func QueryOf(in gjson.Result) Query {
	q := Query{Pattern: in.Get("pattern").String(), mode: in.Get("output_mode").String()}
	if lines := in.Get("view_range").Array(); len(lines) == 2 {
		q.first, q.last = int(lines[0].Int()), int(lines[1].Int())
	}
	for _, root := range append(in.Get("paths").Array(), in.Get("path")) {
		if root.Type == gjson.String && root.Str != "" {
			q.roots = append(q.roots, root.Str)
		}
	}
	if len(q.roots) == 0 {
		q.roots = []string{"./"}
	}
	for _, key := range partialKeys {
		if v := in.Get(key); v.Bool() || v.Num != 0 {
			q.partial = true
		}
	}
	return q
}

// Summary says in a few words what came out of a call of the kind that has completed, as the
// Copilot CLI tells it; "" where that is not known for certain. A part of a
// result is never counted for the whole of it.
func (q Query) Summary(kind backend.ToolKind, out gjson.Result) backend.Message {
	if list := listIn(out.Get("structuredContent")); list.IsArray() {
		return backend.Count(int(list.Get("#").Int()), "1 item", "%d items")
	}
	text, detailed := out.Get("content"), out.Get("detailedContent")
	if text.Type != gjson.String || detailed.Type != gjson.String {
		return backend.Message{}
	}
	switch kind {
	case backend.ToolRead:
		switch first, n, of := q.viewed(text.Str, detailed.Str); {
		case of == viewedFolder:
			return backend.Count(n, "1 entry", "%d entries")
		case of == viewedFile && n == 0:
			return backend.Say("empty")
		case of == viewedFile:
			return backend.Count(n, "1 line", "%d lines")
		case of == viewedPart && n == 1:
			return backend.Say("line %d", first)
		case of == viewedPart:
			return backend.Say("lines %d to %d", first, first+n-1)
		}
	case backend.ToolSearch:
		switch n, files, ok := q.found(text.Str); {
		case !ok:
		case n == 0:
			return backend.Say("no matches")
		case files:
			return backend.Count(n, "1 file", "%d files")
		default:
			return backend.Count(n, "1 match", "%d matches")
		}
	case backend.ToolFetch:
		if n := len(text.Str); !q.partial && !fetchCut.MatchString(text.Str[max(0, n-200):]) {
			return backend.Plain(sizeOf(n))
		}
	default:
	}
	return backend.Message{}
}

// fetchCut is the end of a page of which there is more.
var fetchCut = regexp.MustCompile(`<note>Content truncated\.|<error>No more content`)

// What view was used for.
type viewedKind int

const (
	viewedNothing viewedKind = iota // it is not known
	viewedFile
	viewedPart // of a file
	viewedFolder
)

// viewed says what the view tool returned: n lines from first on, or the entries
// of a folder. The CLI adds the same as a diff without changes. What it leaves
// out, or says instead, is in one of the two only, and makes them differ in size.
func (q Query) viewed(text, detailed string) (first, n int, of viewedKind) {
	head, body, ok := strings.Cut(detailed, " @@\n")
	if !ok || !strings.HasPrefix(head, "\ndiff --git ") {
		return 0, 0, viewedNothing
	}
	if text == detailed {
		if strings.HasSuffix(head, "\n@@ -1,0 +1,0") && body == "\n" {
			return 1, 0, viewedFile
		}
		return 0, 0, viewedNothing
	}
	pieces := strings.Count(text, "\n") + 1
	if len(body) != len(text)+pieces+len("\n") { // each has a space in front
		return 0, 0, viewedNothing
	}
	if n = pieces; strings.HasSuffix(text, "\n") && q.first+pieces-1 != q.last {
		n-- // the end of the last line
	}
	switch {
	case strings.Contains(head, "\n--- a/dev/null\n"):
		return 1, n, viewedFolder
	case q.first > 1 || q.last > 0:
		return q.first, n, viewedPart
	}
	return 1, n, viewedFile
}

var (
	// summaryLine begins a result that the CLI has shortened, with how many there are.
	summaryLine = regexp.MustCompile(`^\[(?:glob|grep-paths|grep content|grep count): (\d+) (path|match)`)
	// perFile ends a line of grep that counts.
	perFile = regexp.MustCompile(`:(\d+)$`)
)

// found is how many matches or files a search has come to; ok is false where the
// text is not of a form that tells.
func (q Query) found(text string) (n int, files, ok bool) {
	if text == "No matches found." || text == "No files matched the pattern." {
		return 0, false, true
	}
	if m := summaryLine.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		return n, m[2] == "path", err == nil
	}
	if files = q.mode != "content" && q.mode != "count"; q.partial {
		return 0, files, false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		rest, isFound := q.below(line)
		switch {
		case !isFound, !files && !strings.Contains(rest, ":"):
			return 0, files, false
		case q.mode == "count":
			m := perFile.FindStringSubmatch(rest)
			if m == nil {
				return 0, files, false
			}
			of, err := strconv.Atoi(m[1])
			if err != nil {
				return 0, files, false
			}
			n += of
		default:
			n++
		}
	}
	return n, files, n > 0
}

// below is a line behind the place that was searched; false where it is not
// about anything there.
func (q Query) below(line string) (rest string, ok bool) {
	for _, root := range q.roots {
		if rest, ok = strings.CutPrefix(line, root); ok {
			return rest, true
		}
	}
	return "", false
}

// listIn is the list that structured output comes to: itself, or the only one
// among its members; what does not exist where there is none.
func listIn(structured gjson.Result) (list gjson.Result) {
	if structured.IsArray() {
		return structured
	}
	lists := 0
	structured.ForEach(func(_, member gjson.Result) bool {
		if member.IsArray() {
			list = member
			lists++
		}
		return true
	})
	if lists != 1 {
		return gjson.Result{}
	}
	return list
}

// sizeOf is a size as every language of the window writes it.
func sizeOf(bytes int) string {
	switch {
	case bytes < 1000:
		return strconv.Itoa(bytes) + " B"
	case bytes < 1_000_000:
		return strconv.Itoa((bytes+500)/1000) + " KB"
	}
	return strconv.Itoa((bytes+500_000)/1_000_000) + " MB"
}
