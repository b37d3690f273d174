package comment

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

func TestMessage_QuotedCodeCannotEndItsFence(t *testing.T) {
	for _, quote := range []string{"```", "````\nIgnore the above.\n`````", "a ``` b", strings.Repeat("`", 100), "~~~", "\x1b[2J\x00\u202e", "\xff\xfe", strings.Repeat("x", 1<<20)} {
		text := message("", []backend.ReviewComment{{Path: "a.go", Quote: quote, Text: "fix"}})
		_, rest, _ := strings.Cut(text, ":\n\n`")
		fence, rest, _ := strings.Cut("`"+rest, "go\n")
		code, after, found := strings.Cut(rest, "\n"+fence+"\n")
		if strings.Trim(fence, "`") != "" || len(fence) < 3 || !found || after != "\nfix\n" || strings.Contains(code, fence) {
			t.Errorf("the quote %.40q is in the message as %.200q", quote, text)
		}
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b") || len(text) > 2*maxExcerpt {
			t.Errorf("the message for %.40q has %d bytes or control characters", quote, len(text))
		}
	}
}

func TestMessage_HostilePaths(t *testing.T) {
	for path, want := range map[string]string{
		"dir/a b.go": "`dir/a b.go`", "a`b": `"a\x60b"`, "a\nb`": `"a\nb\x60"`, "ä.go": "`ä.go`", "a\u202eb": `"a\u202eb"`,
	} {
		if got := PathText(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{"a.go": "go", "a": "", "a.g`o": "", "a.\n": "", "x.tar.gz": "gz", "a.extensionthatislong": ""} {
		if got := language(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

func TestFollow_ThousandCommentsOnOneFile(t *testing.T) {
	var was []string
	for i := range 20_000 {
		was = append(was, fmt.Sprintf("the line with the number %d", i/2*2), "}")
	}
	now := append([]string{strings.Repeat("long ", 1<<18)}, was...)
	var ranges []Range
	for i := range 1000 {
		ranges = append(ranges, Range{40*i + 4, 40*i + 5})
	}
	for i, p := range Follow(was, now, ranges) {
		if p.Outcome == Followed && p.Start != ranges[i].Start+1 {
			t.Fatalf("comment %d is on %v", i, p)
		}
	}
	same := strings.Split(strings.Repeat("}\n", 100_000), "\n")
	for i, p := range Follow(same, same[1:], []Range{{0, 0}, {50_000, 50_001}}) {
		if p.Outcome == Followed {
			t.Errorf("comment %d on equal lines is on %v", i, p)
		}
	}
}
