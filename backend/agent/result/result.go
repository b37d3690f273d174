// Package result summarizes the results of tool calls, for example as a number of lines, matches or files.
package result

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Query holds the input of a call that reads, searches or fetches.
type Query struct {
	first, last int      // requested lines, counted from 1; last is -1 for the end of the file; both are 0 for all lines
	Pattern     string   // search pattern
	roots       []string // search roots; each result line starts with one of them
	mode        string   // output of grep: "content", "count" or, for anything else, the names of files
	partial     bool     // the result may be only a part of the matches, or contain other lines as well
}

// partialKeys are the keys of the input that set Query.partial.
var partialKeys = []string{"head_limit", "-A", "-B", "-C", "multiline", "start_index"}

// QueryOf reads the Query from the input of a call to one of the Copilot CLI's tools. Fields without a value in the
// input are zero.
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

// Summary returns a summary of out, the Copilot CLI's result of a completed call. kind is the kind of the call. The
// summary is the zero Message if it isn't certain, for example because the result is incomplete.
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

// fetchCut matches the note that the CLI puts at the end of a page that it has truncated.
var fetchCut = regexp.MustCompile(`<note>Content truncated\.|<error>No more content`)

// viewedKind is the kind of content that the view tool returned.
type viewedKind int

const (
	viewedNothing viewedKind = iota // unknown
	viewedFile
	viewedPart // part of a file
	viewedFolder
)

// viewed parses a result of the view tool. For a file, first is the number of the first line shown, and n is the number
// of lines shown. For a folder, n is the number of entries. If n isn't certain, the kind is viewedNothing.
//
// The CLI reports the same content twice: as plain text and, in the parameter detailed, as a diff without changes. If
// the CLI omits or replaces content, it does so in only one of the two texts, so their sizes don't match.
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
	if len(body) != len(text)+pieces+len("\n") { // each line is prefixed with a space
		return 0, 0, viewedNothing
	}
	if n = pieces; strings.HasSuffix(text, "\n") && q.first+pieces-1 != q.last {
		n-- // trailing newline
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
	// summaryLine matches the first line of a result that the CLI has shortened. The line states the total number of
	// matches or paths.
	summaryLine = regexp.MustCompile(`^\[(?:glob|grep-paths|grep content|grep count): (\d+) (path|match)`)
	// perFile matches the number at the end of a line of grep's output in count mode.
	perFile = regexp.MustCompile(`:(\d+)$`)
)

// found returns the number of results of a search. files is true if the results are files, and false if they are
// matches. ok is false if the format is unknown or the result may be incomplete.
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

// below returns the rest of a line that starts with one of the search roots. For any other line, ok is false.
func (q Query) below(line string) (rest string, ok bool) {
	for _, root := range q.roots {
		if rest, ok = strings.CutPrefix(line, root); ok {
			return rest, true
		}
	}
	return "", false
}

// listIn returns the list in structured output. The list is the output itself, if that is an array, or else the only
// member that is an array. If there is no such list, the Exists method of the returned value returns false.
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

// sizeOf formats a size in bytes. The format doesn't depend on the language of the window.
func sizeOf(bytes int) string {
	switch {
	case bytes < 1000:
		return strconv.Itoa(bytes) + " B"
	case bytes < 1_000_000:
		return strconv.Itoa((bytes+500)/1000) + " KB"
	}
	return strconv.Itoa((bytes+500_000)/1_000_000) + " MB"
}

// Signal returns the signal that, according to the agent, killed a command, such as SIGTERM, or "" if none
// did.
func Signal(out gjson.Result) string {
	for _, key := range []string{"signal", "exitStatus.signal", `contents.#(type=="shell_exit").signal`} {
		if v := out.Get(key); v.Type == gjson.String && signalWord.MatchString(v.Str) {
			return v.Str
		}
	}
	return ""
}

var signalWord = regexp.MustCompile(`^SIG[A-Z0-9]{2,10}$`)
