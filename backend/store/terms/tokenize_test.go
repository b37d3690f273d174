package terms

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func wordsOf(text string) (words []string) {
	eachToken(text, func(w token) bool {
		words = append(words, w.folded)
		return true
	})
	return words
}

func TestWords_MatchHumanReading(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"Fix the tests!":               "fix the tests",
		"backend/store/search_test.go": "backend store search test go",
		`C:\Users\me\a-b.txt`:          "c users me a b txt",
		"Größe ÉCOLE naïve cafe\u0301": "große ecole naive cafe",
		"修复测试":                         "修 复 测 试",
		"Go修复test3":                    "go 修 复 test3",
		"ひらがな":                         "ひ ら が な",
		"a\xffb\x00c":                  "a b c",
		"\u0301 \u202eabc":             "abc",
		"x = y1*2":                     "x y1 2",
		strings.Repeat("a", 300):       strings.Repeat("a", maxToken),
		strings.Repeat("ж", 300):       strings.Repeat("ж", maxToken/2),
	} {
		if got := strings.Join(wordsOf(text), " "); got != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

func TestQuery_WordsPhrasesAndPrefix(t *testing.T) {
	for query, want := range map[string]string{
		"fix tests":           `words : ("fix" AND "tests" *)`,
		"fix tests ":          `words : ("fix" AND "tests")`,
		`"fix the" Tests`:     `words : ("fix the" AND "tests" *)`,
		`fix "the tes`:        `words : ("fix" AND "the tes" *)`,
		`fix "the tests"`:     `words : ("fix" AND "the tests")`,
		"backend/store.go":    `words : ("backend store go" *)`,
		"“fix the” tests":     `words : ("fix the" AND "tests" *)`,
		"„fix the“ tests":     `words : ("fix the" AND "tests" *)`,
		"a":                   `words : ("a")`,
		"修复":                  `words : ("修 复")`,
		`"" " " - * OR (NEAR`: `words : ("or" AND "near" *)`,
	} {
		if got := Match(Phrases(query), nil); got != want {
			t.Errorf("%s becomes %s, want %s", query, got, want)
		}
	}
	if got := Phrases(` "" -> * ' ; `); len(got) != 0 {
		t.Errorf("a search without words is for %+v", got)
	}
	if got := Phrases(strings.Repeat("word ", 1000)); len(got) != maxPhrases {
		t.Errorf("a long search is for %d phrases", len(got))
	}
}

// joined returns an excerpt with the matches in brackets.
func joined(parts []backend.Excerpt) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Hit {
			b.WriteString("[" + p.Text + "]")
			continue
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

func TestExcerpt_MarksMatches(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, test := range []struct{ text, query, want string }{
		{"Fix the Tests, now.", "tests ", "Fix the [Tests], now."},
		{"one two three two", `"one two" two`, "[one two] three [two]"},
		{"in backend/store/find.go:\n\tline", "store/find", "in backend/[store/find].go: line"},
		{"Testing", "test", "[Testing]"},
		{"请修复测试。", "修复", "请[修复]测试。"},
		{"nothing here", "else ", ""},
		{"a\x1b red\x00", "red", "a [red] "},
		{long + "needle " + long, "needle ", "…" + strings.Repeat("word ", 11) + "[needle] " + strings.TrimSuffix(strings.Repeat("word ", 38), " ") + "…"},
	} {
		if got := joined(Excerpt(test.text, Phrases(test.query))); got != test.want {
			t.Errorf("%q in %q gives\n%q, want\n%q", test.query, test.text, got, test.want)
		}
	}
}

func FuzzExcerpt_IsText(f *testing.F) {
	for _, seed := range []string{"", "a b", `"`, "*", "修\xff\"复", "e\u0301", strings.Repeat("x\u0300", 500)} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		whole := ""
		for _, part := range Excerpt(text, Phrases(query)) {
			whole += part.Text
		}
		if whole != strings.ToValidUTF8(whole, "") {
			t.Errorf("the excerpt of %q is no text: %q", text, whole)
		}
		again := wordsOf(strings.Join(wordsOf(text), " "))
		if diff := cmp.Diff(wordsOf(text), again); diff != "" && !slices.ContainsFunc(again, func(w string) bool { return len(w) > maxToken-4 }) {
			t.Errorf("the words of %q are split again:\n%s", text, diff)
		}
	})
}
