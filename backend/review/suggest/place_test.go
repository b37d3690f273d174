package suggest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestPlace_ByQuote(t *testing.T) {
	now := strings.Split("package a\n\nfunc f() {\n\tx := 1\n\tuse(x)\n}\n\nfunc g() {\n\tx := 1\n\treturn\n}", "\n")
	old := strings.Split("package a\n\nfunc f() {\n\tdefer unlock()\n\tx := 1\n}", "\n")
	for name, test := range map[string]struct {
		start, end int // as in the agent's heading, counted from 0
		quote      string
		changed    bool // the file changed after the agent was asked
		want       string
	}{
		"at the given lines":             {3, 3, "\tx := 1", false, "new 3-3"},
		"the second of two equal lines":  {8, 8, "\tx := 1", false, "new 8-8"},
		"equal lines, wrong number":      {5, 5, "\tx := 1", false, "none"},
		"equal lines, wide numbers":      {6, 10, "\tx := 1", false, "new 8-8"},
		"equal lines, in a changed file": {3, 3, "\tx := 1", true, "none"},
		"wrong number":                   {0, 0, "\tuse(x)", false, "new 4-4"},
		"wrong number, changed file":     {0, 0, "\tuse(x)", true, "new 4-4"},
		"number past the end":            {99, 99, "\treturn\n}", false, "new 9-10"},
		"no number":                      {-1, -1, "func g() {", false, "new 7-7"},
		"several lines":                  {2, 4, "func f() {\n\tx := 1\n\tuse(x)", false, "new 2-4"},
		"other indentation":              {4, 4, "use(x)", false, "new 4-4"},
		"space at the end":               {4, 4, "\tuse(x)  ", false, "new 4-4"},
		"with numbers":                   {3, 4, "     4  \tx := 1\n     5 +\tuse(x)", false, "new 3-4"},
		"with signs":                     {3, 4, "+\tx := 1\n+\tuse(x)", false, "new 3-4"},
		"empty lines around":             {4, 4, "\n\tuse(x)\n\n", false, "new 4-4"},
		"a removed line":                 {3, 3, "\tdefer unlock()", false, "old 3-3"},
		"a removed line with its sign":   {-1, -1, "      -\tdefer unlock()", false, "old 3-3"},
		"invented":                       {3, 3, "\tx := 2", false, "none"},
		"elided":                         {2, 5, "func f() {\n\t...\n}", false, "none"},
		"no quote":                       {2, 4, "", false, "new 2-4"},
		"no quote, changed file":         {2, 4, "", true, "left"},
		"no quote, past the end":         {9, 99, "", false, "left"},
		"nothing":                        {-1, -1, "", false, "left"},
	} {
		f := remark{file: file{ReviewFile: backend.ReviewFile{Path: "a.go"}}, start: test.start, end: test.end, text: "Text"}
		if test.quote != "" {
			f.quote = strings.Split(test.quote, "\n")
		}
		s, ok := sides{old, now, !test.changed}.suggestionOf(f)
		got := "left"
		switch {
		case ok && s.Lines == nil:
			got = "none"
			if s.Quote != test.quote {
				t.Errorf("%s: got the quote %q", name, s.Quote)
			}
		case ok:
			got = fmt.Sprintf("%s %d-%d", s.Side, s.Start, s.End)
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestPlace_NeverOnWrongLines checks that a comment is never on lines other than those that the agent quoted, whatever
// line numbers the agent gives.
func TestPlace_NeverOnWrongLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for range 2000 {
		words := []string{"a", "b", "\ta", "c d", "", "}", "return"}
		text := make([]string, 1+r.IntN(20))
		for i := range text {
			text[i] = words[r.IntN(len(words))]
		}
		at := r.IntN(len(text))
		n := 1 + r.IntN(min(3, len(text)-at))
		quote := trimmed(text[at : at+n])
		f := remark{start: r.IntN(25) - 1, quote: quote, text: "x"}
		f.end = f.start + r.IntN(4)
		s, ok := sides{now: text, isSame: r.IntN(2) == 0}.suggestionOf(f)
		if len(quote) == 0 || !ok || s.Lines == nil {
			continue
		}
		for i, line := range quote {
			if strings.TrimSpace(text[s.Start+i]) != strings.TrimSpace(line) {
				t.Fatalf("the quote %q is placed at %d of %q", quote, s.Start, text)
			}
		}
	}
}

func TestPlace_LineThatThePromptCut(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	quote := promptLine(long)
	s, ok := sides{now: []string{"a", long}, isSame: true}.suggestionOf(remark{start: 0, end: 0, quote: []string{quote}, text: "x"})
	if !ok || s.Start != 1 || !strings.HasSuffix(quote, cutMark) || len(quote) > maxLine+len(cutMark) {
		t.Errorf("got %d, %v", s.Start, ok)
	}
}
