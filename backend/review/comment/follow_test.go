package comment

import (
	"slices"
	"testing"
)

// lettered returns a line with enough text for each letter in s. "}" stands for a brace, "-" for an empty line, and ">"
// indents a line.
func lettered(s string) (lines []string) {
	for _, c := range s {
		switch c {
		case '}':
			lines = append(lines, "}")
		case '-':
			lines = append(lines, "")
		case '>':
			lines[len(lines)-1] = "\t" + lines[len(lines)-1]
		default:
			lines = append(lines, "the line with the letter "+string(c))
		}
	}
	return lines
}

func TestFollow_Examples(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		comment       Range
		want          Place
	}{
		"lines before it":               {"abcdefgh", "xyabcdefgh", Range{3, 4}, Place{Followed, Range{5, 6}}},
		"a block that was moved":        {"abcdefghijkl", "abghijcdefkl", Range{3, 4}, Place{Followed, Range{7, 8}}},
		"with a brace":                  {"abcd}-efghijkl", "abefghijcd}-kl", Range{3, 4}, Place{Followed, Range{9, 10}}},
		"a copy elsewhere":              {"abcdefghijkl", "abcdefghicdejkl", Range{3, 4}, Place{Followed, Range{3, 4}}},
		"a copy whose original changed": {"abcdefghijkl", "abcxyfghibcdefjkl", Range{3, 4}, Place{Outcome: Unsure}},
		"a copy after it":               {"abcdefgh", "abcdecdefgh", Range{2, 4}, Place{Followed, Range{2, 4}}},
		"lines between them":            {"abcdefgh", "abcdxefgh", Range{3, 4}, Place{Outcome: Changed}},
		"indented lines":                {"abcdefgh", "abcd>e>fgh", Range{3, 4}, Place{Outcome: Changed}},
		"a brace of two":                {"abc}}def", "abc}def", Range{3, 3}, Place{Followed, Range{3, 3}}},
		"a brace with text":             {"abc}}def", "abc}def", Range{2, 3}, Place{Followed, Range{2, 3}}},
		"removed lines":                 {"abcdefgh", "abcfgh", Range{3, 4}, Place{Outcome: Changed}},
		"no lines":                      {"abc", "", Range{1, 1}, Place{Outcome: Changed}},
		"not in the text":               {"abc", "abc", Range{1, 3}, Place{Outcome: Changed}},
	} {
		if got := Follow(lettered(c.before), lettered(c.after), []Range{c.comment}); !slices.Equal(got, []Place{c.want}) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
