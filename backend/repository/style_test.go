package repository

import (
	"strings"
	"testing"
)

func TestComparePage(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"https://github.com/ann/tool.git":                "https://github.com/ann/tool",
		"https://ann:secret@github.com/ann/tool":         "https://github.com/ann/tool",
		"git@github.com:ann/tool.git":                    "https://github.com/ann/tool",
		"github.com:ann/tool":                            "https://github.com/ann/tool",
		"ssh://git@ssh.github.com:443/ann/tool.git":      "https://github.com/ann/tool",
		"git://www.github.com/ann/tool/":                 "https://github.com/ann/tool",
		"ssh://git@github.example.org/ann/tool":          "https://github.example.org/ann/tool",
		"https://token@github.example.org:8443/ann/tool": "https://github.example.org:8443/ann/tool",
		"git@acme.ghe.com:ann/tool.git":                  "https://acme.ghe.com/ann/tool",
		"git@gitlab.com:ann/tool.git":                    "",
		"https://notgithub.com/ann/tool":                 "",
		"https://github.com/ann":                         "",
		"https://github.com/ann/../tool":                 "",
		"file:///github.com/ann/tool":                    "",
		"ext::sh -c x github.com:ann/tool":               "",
		"/srv/github.com/ann/tool.git":                   "",
		"javascript://github.com/ann/tool":               "",
		`C:\github.com\ann\tool`:                         "",
	} {
		if got := webPage(remote); got != want {
			t.Errorf("%s: got %q, want %q", remote, got, want)
		}
	}
	if got := comparePage("git@github.com:ann/tool", "main", "fix/a b#1?x"); got != "https://github.com/ann/tool/compare/main...fix/a%20b%231%3Fx?expand=1" {
		t.Errorf("got %s", got)
	}
	if got := comparePage("git@github.com:ann/tool", "", "x"); got != "https://github.com/ann/tool/compare/x?expand=1" {
		t.Errorf("got %s", got)
	}
	if got := comparePage("git@github.com:ann/tool", "main", "main"); got != "" {
		t.Errorf("got %s", got)
	}
}

func summaryOf(files ...string) summary {
	s := summary{moved: map[string]string{}}
	for _, f := range files {
		if from, to, ok := strings.Cut(f[1:], " > "); ok {
			s.moved[to] = from
			continue
		}
		s.changes = append(s.changes, change{path: f[1:], status: map[byte]byte{'+': 'A', '-': 'D', '~': 'M'}[f[0]]})
	}
	return s
}

func TestMessage_InStyleOfLog(t *testing.T) {
	t.Parallel()
	go1 := summaryOf("~backend/undo/undo.go")
	go1.function, go1.adds = "Plan", false
	go2 := go1
	go2.adds = true
	for _, c := range []struct {
		log    string
		branch string
		of     summary
		want   string
	}{
		{"", "", summaryOf("~a.go"), "Update a.go"},
		{"Add x|Fix y", "", summaryOf("+a.go", "+b.go"), "Add a.go and b.go"},
		{"Add x.|Fix y.", "", summaryOf("-a.go"), "Remove a.go."},
		{"Added x|Fixed y", "", summaryOf("~a.go", "-b.go"), "Updated a.go, removed b.go"},
		{"Adds x|Fixes y", "", go1, "Changes Plan in undo.go"},
		{"add x|fix y", "", summaryOf("~old.go > new.go"), "rename old.go to new.go"},
		{"add x|fix y", "", summaryOf("~a/x.go > b/x.go"), "move x.go to b"},
		{"feat: a|fix(ui): b|chore: c", "", summaryOf("+a/x.go"), "feat: add x.go"},
		{"feat(ui): a|fix(ui): b", "", go1, "fix(undo): change Plan in undo.go"},
		{"feat(ui): a|fix(ui): b", "", go2, "feat(undo): add Plan"},
		{"feat: a|fix: b", "", summaryOf("~a_test.go", "~b_test.go"), "test: update a_test.go and b_test.go"},
		{"feat: a|fix: b", "", summaryOf("~docs/a.md", "~README.md"), "docs: update README.md and a.md"},
		{"feat: a|fix: b", "", summaryOf("~.github/workflows/x.yml"), "ci: update x.yml"},
		{"backend/store: a|backend: b|backend/undo: c", "", go1, "backend/undo: change Plan in undo.go"},
		{"store: a|undo: b|undo: c", "", summaryOf("~backend/undo/a.go", "~backend/undo/sub/b.go", "~backend/undo/c.go", "~backend/undo/d.go"), "undo: update 4 files"},
		{"add a|fix b", "", summaryOf("~backend/undo/a.go", "~backend/undo/sub/b.go", "~backend/undo/c.go", "~backend/undo/d.go"), "update 4 files in backend/undo"},
		{"store: a|undo: b|undo: c", "", summaryOf("~a.go", "~b/c.go"), "update a.go and c.go"},
		{"ABC-1 Add x|ABC-2 Fix y", "feature/abc-77-x", summaryOf("~a.go"), "ABC-77 Update a.go"},
		{"[ABC-1] add x|[ABC-2] fix y", "ABC-77", summaryOf("~a.go"), "[ABC-77] update a.go"},
		{"ABC-1 Add x|ABC-2 Fix y", "main", summaryOf("~a.go"), "Update a.go"},
		{"Add x", "", summaryOf("~a-very-long-name-of-a-file-that-fills-the-line.go", "+another-very-long-name-of-a-file.go"), "Update 2 files\n\n- add another-very-long-name-of-a-file.go\n- update a-very-long-name-of-a-file-that-fills-the-line.go"},
	} {
		if got := styleOf(strings.Split(c.log, "|"), c.branch).message(c.of); got != c.want {
			t.Errorf("%s: got %q, want %q", c.log, got, c.want)
		}
	}
}

func TestWords_StartUppercase(t *testing.T) {
	for branch, want := range map[string]string{"fix/token-refresh_race": "Token refresh race", "änderung": "Änderung", "a/-": "a/-"} {
		if got := words(branch); got != want {
			t.Errorf("words(%q): got %q, want %q", branch, got, want)
		}
	}
}
