package result

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// resultText returns the detailed result of the view tool, which is a diff without changes. text is the viewed content,
// and head holds the line ranges in the header of the diff's hunk.
func resultText(head, text string) string {
	return "\ndiff --git a/a.txt b/a.txt\nindex 0000000..0000000 100644\n--- a/a.txt\n+++ b/a.txt\n@@ " + head + " @@\n " +
		strings.ReplaceAll(text, "\n", "\n ") + "\n"
}

func TestResult_CountsOnlyCompleteOutput(t *testing.T) {
	const read, search, fetch, other = backend.ToolRead, backend.ToolSearch, backend.ToolFetch, backend.ToolOther
	long := strings.Repeat("a line\n", 200_000)
	for _, c := range []struct {
		name           string
		kind           backend.ToolKind
		in             string
		text, detailed string // "" means the same as text
		structured     string
		want           string
	}{
		{name: "a long file", kind: read, text: long, detailed: resultText("-1,200001 +1,200001", long), want: "200,000 lines"},
		{name: "a file of which a part is left out", kind: read, text: "a\nb\n[In your next response, go on with view_range. File has at least 3 lines.]", detailed: resultText("-1,2 +1,2", "a\nb")},
		{name: "a long part of which nothing is said", kind: read, text: "a\nb", detailed: resultText("-1,3 +1,3", "a\nb\nc")},
		{name: "one line", kind: read, in: `{"view_range":[7,7]}`, text: "a", detailed: resultText("-7,1 +7,1", "a"), want: "line 7"},
		{name: "a part that ends with empty lines", kind: read, in: `{"view_range":[2,4]}`, text: "a\n\n", detailed: resultText("-2,3 +2,3", "a\n\n"), want: "lines 2 to 4"},
		{name: "a part beyond the end", kind: read, in: `{"view_range":[2,40]}`, text: "a\n\n", detailed: resultText("-2,39 +2,39", "a\n\n"), want: "lines 2 to 3"},
		{name: "all of it as a part", kind: read, in: `{"view_range":[1,-1]}`, text: "a\nb\n", detailed: resultText("-1,3 +1,3", "a\nb\n"), want: "2 lines"},
		{name: "output of another agent", kind: read, text: "a\nb\n"},
		{name: "a page", kind: fetch, text: strings.Repeat("x", 18_230), want: "18 KB"},
		{name: "a short page", kind: fetch, text: strings.Repeat("x", 999), want: "999 B"},
		{name: "the first part of a page", kind: fetch, text: strings.Repeat("x", 5000) + "\n\n<note>Content truncated. Call the fetch tool with a start_index of 5000 to get more content.</note>"},
		{name: "the last part of a page", kind: fetch, in: `{"url":"https://x.y","start_index":5000}`, text: "the end"},
		{name: "too many matches to be shown", kind: search, in: `{"pattern":"x","output_mode":"content"}`, text: "[grep content: 1504 matches across 1502 file(s) under .]\na:1:x\n\n[omitted 1503 match(es) in 1501 file(s)]", want: "1,504 matches"},
		{name: "too many files to be shown", kind: search, in: `{"pattern":"*"}`, text: "[glob: 1500 path(s) under ./many; concrete paths]\na.txt\n[omitted 1499 path(s)]", want: "1,500 files"},
		{name: "matches with what is around them", kind: search, in: `{"pattern":"x","path":"a","output_mode":"content","-C":2}`, text: "a/b:1:x\na/b-2-y"},
		{name: "the first matches of each file", kind: search, in: `{"pattern":"x","path":"a","output_mode":"content","head_limit":1}`, text: "a/b:x"},
		{name: "a file with the number of its matches missing", kind: search, in: `{"pattern":"x","path":"a","output_mode":"count"}`, text: "a/b:2\na/c:many"},
		{name: "a remark of the CLI", kind: search, in: `{"pattern":"x"}`, text: "./a\n\n(Note: Some results were excluded due to content exclusion policies.)"},
		{name: "a result in a file of its own", kind: search, in: `{"pattern":"x"}`, text: "Output too large to read at once (1 MB). Saved to: /tmp/x"},
		{name: "files by their whole paths", kind: search, in: `{"pattern":"x","paths":["/a","/b"]}`, text: "/a/1\r\n/b/2\r\n", want: "2 files"},
		{name: "a list", kind: other, text: "…", structured: `[1,2,3]`, want: "3 items"},
		{name: "the only list of an object", kind: other, text: "…", structured: `{"total":40,"issues":[{"n":[1]}]}`, want: "1 item"},
		{name: "one of two lists", kind: other, text: "…", structured: `{"a":[1],"b":[2]}`},
		{name: "no list", kind: other, text: "[1,2,3]", structured: `{"n":3}`},
	} {
		out := map[string]any{"content": c.text, "detailedContent": c.text}
		if c.detailed != "" {
			out["detailedContent"] = c.detailed
		}
		if c.name == "output of another agent" {
			delete(out, "detailedContent")
		}
		if c.structured != "" {
			out["structuredContent"] = json.RawMessage(c.structured)
		}
		raw, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if got := QueryOf(gjson.Parse(c.in)).Summary(c.kind, gjson.ParseBytes(raw)); got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
