package suggest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// changed returns changes to files with the given paths.
func changed(paths ...string) changes {
	c := changes{total: len(paths)}
	for _, p := range paths {
		c.files = append(c.files, file{ReviewFile: backend.ReviewFile{Path: p, Version: "v"}})
	}
	return c
}

// read parses an answer and returns a description of its comments, one per line.
func read(c changes, text string) string {
	a := parse(text, c.find)
	var list []string
	for _, f := range a.remarks {
		list = append(list, fmt.Sprintf("%s %d-%d %q %q", f.file.Path, f.start, f.end, strings.Join(f.quote, "\n"), f.text))
	}
	if a.others > 0 {
		list = append(list, fmt.Sprintf("left %d", a.others))
	}
	if a.isNone {
		list = append(list, "none")
	}
	return strings.Join(list, "\n")
}

func TestParse_Formats(t *testing.T) {
	c := changed("dir/a.go", "b c.txt", "__init__.py", "dir/Makefile", "a`b")
	for name, test := range map[string]struct{ text, want string }{
		"as requested":         {"Some thoughts.\n\n### dir/a.go:12-14\n```\nx := 1\n\ny\n```\nUse a context.\n\nReally.\n", `dir/a.go 11-13 "x := 1\n\ny" "Use a context.\n\nReally."`},
		"two":                  {"### dir/a.go:1\n```go\na\n```\nOne\n\n---\n\n### b c.txt:2\n~~~\nb\n~~~\nTwo", "dir/a.go 0-0 \"a\" \"One\"\nb c.txt 1-1 \"b\" \"Two\""},
		"backticks and bold":   {"## **`dir/a.go:3`**\nOne", `dir/a.go 2-2 "" "One"`},
		"bold line":            {"**dir/a.go:3–5**\n\nOne\n\n**Why:** two\n\n**Fix**\nthree", `dir/a.go 2-4 "" "One\n\n**Why:** two\n\n**Fix**\nthree"`},
		"numbered":             {"### 1. dir/a.go:3\nOne\n### 2. dir/a.go:4\nTwo", "dir/a.go 2-2 \"\" \"One\"\ndir/a.go 3-3 \"\" \"Two\""},
		"words before":         {"### Finding 1: `dir/a.go:3`\nOne", `dir/a.go 2-2 "" "One"`},
		"L and title":          {"### dir/a.go L3-L5: Lost error\nOne", `dir/a.go 2-4 "" "Lost error\n\nOne"`},
		"only a title":         {"### dir/a.go:3 - Lost error", `dir/a.go 2-2 "" "Lost error"`},
		"lines in parentheses": {"### dir/a.go (lines 3 to 5)\nOne", `dir/a.go 2-4 "" "One"`},
		"a column":             {"### dir/a.go:3:7\nOne", `dir/a.go 2-2 "" "One"`},
		"a link":               {"### [dir/a.go:3](dir/a.go#L3)\nOne", `dir/a.go 2-2 "" "One"`},
		"a prefix":             {"### b/dir/a.go:3\nOne\n### ./dir/a.go:4\nTwo\n### dir\\a.go:5\nThree", "dir/a.go 2-2 \"\" \"One\"\ndir/a.go 3-3 \"\" \"Two\"\ndir/a.go 4-4 \"\" \"Three\""},
		"only the name":        {"### a.go:3\nOne", `dir/a.go 2-2 "" "One"`},
		"an absolute path":     {"### /home/me/dir/a.go:3\nOne", `dir/a.go 2-2 "" "One"`},
		"no number":            {"### dir/a.go\n```\nx\n```\nOne", `dir/a.go -1--1 "x" "One"`},
		"no extension":         {"### dir/Makefile:3\nOne", `dir/Makefile 2-2 "" "One"`},
		"underscores":          {"### __init__.py:3\nOne", `__init__.py 2-2 "" "One"`},
		"a space":              {"### b c.txt:3\nOne", `b c.txt 2-2 "" "One"`},
		"CRLF":                 {"### dir/a.go:3\r\n```\r\nx\r\n```\r\nOne\r\n", `dir/a.go 2-2 "x" "One"`},
		"a fence in the quote": {"### dir/a.go:3\n````\n```\nx\n```\n````\nOne", "dir/a.go 2-2 \"```\\nx\\n```\" \"One\""},
		"code in the comment":  {"### dir/a.go:3\nOne\n```\n### dir/a.go:9\n```\nTwo", "dir/a.go 2-2 \"\" \"One\\n```\\n### dir/a.go:9\\n```\\nTwo\""},
		"deeper headings":      {"### dir/a.go:3\nOne\n#### Why\nTwo\n## Summary\nGood.", `dir/a.go 2-2 "" "One\n#### Why\nTwo"`},
		"another file":         {"### other/x.go:3\nOne\n### dir/a.go:3\nTwo", "dir/a.go 2-2 \"\" \"Two\"\nleft 1"},
		"no text":              {"### dir/a.go:3\n```\nx\n```\n### dir/a.go:4\nTwo", `dir/a.go 3-3 "" "Two"`},
		"an open fence":        {"### dir/a.go:3\nOne\n```\nx", "dir/a.go 2-2 \"\" \"One\\n```\\nx\""},
		"nothing":              {"I read everything.\n\nNo comments.", "none"},
		"nothing, in words":    {"I found no issues in these changes.", "none"},
		"something else":       {"Which changes?", ""},
		"empty":                {"", ""},
	} {
		if got := read(c, test.text); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

func TestParse_AmbiguousNameIsNoFile(t *testing.T) {
	c := changed("a/x.go", "b/x.go")
	if got := read(c, "### x.go:3\nOne\n### a/x.go:4\nTwo"); got != "a/x.go 3-3 \"\" \"Two\"\nleft 1" {
		t.Errorf("got %s", got)
	}
}

func TestParse_LimitsCommentsAndQuotes(t *testing.T) {
	c := changed("a.go")
	var b strings.Builder
	for i := range 3 * backend.MaxSuggestions {
		fmt.Fprintf(&b, "### a.go:%d\n```\n%s```\nText\n\n", i+1, strings.Repeat("line\n", 2*backend.MaxReviewQuote))
	}
	a := parse(b.String(), c.find)
	if len(a.remarks) != backend.MaxSuggestions || a.others == 0 {
		t.Errorf("got %d comments, %d left", len(a.remarks), a.others)
	}
	for _, f := range a.remarks {
		if len(f.quote) != backend.MaxReviewQuote {
			t.Fatalf("got a quote of %d lines", len(f.quote))
		}
	}
}

// FuzzParse checks that parse handles any answer: the comments are on changed files, and their number is limited.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"### a.go:1\n```\nx\n```\nOne", "### `a.go`:99999999-1\n````\n```", "**a.go:1**\n**b/a.go:2–3**\n", "### ../../etc/passwd:1\nx",
		"### a.go:1\x00\u202e\n\xff\xfe", strings.Repeat("#", 100) + " a.go:1", "### " + strings.Repeat("(", 1000), "### a.go:" + strings.Repeat("9", 100) + "\nx",
		"```\n" + strings.Repeat("### a.go:1\nx\n", 100), "~~~\n```\n~~~\n### a.go:0\nx",
	} {
		f.Add(seed)
	}
	c := changed("a.go", "dir/b.go", "b.go")
	text := sides{now: []string{"x", "y", "", "x"}, old: []string{"z"}, isSame: true}
	f.Fuzz(func(t *testing.T, answer string) {
		a := parse(answer, c.find)
		if len(a.remarks) > backend.MaxSuggestions || a.isNone && len(a.remarks) > 0 {
			t.Fatalf("got %d comments, none: %v", len(a.remarks), a.isNone)
		}
		for _, found := range a.remarks {
			if !slices.ContainsFunc(c.files, func(f file) bool { return f.Path == found.file.Path }) || found.text == "" || len(found.quote) > backend.MaxReviewQuote {
				t.Fatalf("got %+v", found)
			}
			s, ok := text.suggestionOf(found)
			if !ok || s.Lines == nil {
				continue
			}
			if s.Start < 0 || s.End < s.Start || s.End >= len(s.Lines) {
				t.Fatalf("got the lines %+v", s.Range)
			}
		}
		if shownText := promptLine(answer); !utf8.ValidString(shownText) || strings.Contains(shownText, "\n") {
			t.Fatalf("the prompt shows %q", shownText)
		}
	})
}
