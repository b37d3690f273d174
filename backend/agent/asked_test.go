package agent_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// shownFiles are the files of a request as "a.go: body", with their paths from
// the folder of the world on.
func shownFiles(t *testing.T, w *world, p backend.Permission) (out []string) {
	t.Helper()
	for _, f := range p.Files {
		path, err := filepath.Rel(w.folder, f.Path)
		if err != nil || !filepath.IsLocal(path) {
			path = f.Path
		}
		one := filepath.ToSlash(path)
		if f.ContentID != "" {
			_, hunks, _ := strings.Cut(string(w.content(t, p.ItemID, f.ContentID).Body), " @@\n")
			for line := range strings.Lines(hunks) {
				if line[0] == '+' || line[0] == '-' {
					one += " " + strings.TrimSpace(line)
				}
			}
		}
		out = append(out, one)
	}
	return out
}

// TestARequestShowsEveryFile is about requests that name several files, in each
// of the ways in which agents do.
func TestARequestShowsEveryFile(t *testing.T) {
	t.Parallel()
	text := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	change := func(path, before, after string) string {
		return `{"type":"diff","path":"` + path + `","oldText":"` + before + `\n","newText":"` + after + `\n"}`
	}
	of := func(rest string) string { return `"toolCallId":"1","title":"T","kind":"edit",` + rest }
	const ofGit = "diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-1\n+2\n"
	for _, c := range []struct {
		name  string
		steps []fakeagent.Step
		path  string // "" is a.go
		want  []string
		scope bool
	}{
		{"one file", []fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"content":[` + change("$CWD/a.go", "1", "2") + `]`))}, "", nil, true},
		{"one file, named in two ways", []fakeagent.Step{request(of(`"locations":[{"path":"./a.go"},{"path":"$CWD/sub/../a.go"}]`))}, "", nil, true},
		{
			"a diff of each",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"content":[` + change("a.go", "1", "2") + "," + change("b.go", "3", "4") + "," + change("c.go", "5", "6") + `]`))},
			"",
			[]string{"a.go -1 +2", "b.go -3 +4", "c.go -5 +6"},
			true,
		},
		{
			"two diffs of one",
			[]fakeagent.Step{request(of(`"content":[` + change("a.go", "1", "2") + "," + change("b.go", "3", "4") + "," + change("a.go", "5", "6") + `],"locations":[{"path":"a.go"}]`))},
			"",
			[]string{"a.go -1 +2 -5 +6", "b.go -3 +4"},
			true,
		},
		{
			"names alone",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"},{"path":"b.go"}]`))},
			"",
			[]string{"a.go", "b.go"},
			true,
		},
		{
			"what the call showed",
			[]fakeagent.Step{
				updateLine("tool_call", of(`"status":"pending","locations":[{"path":"a.go"},{"path":"b.go"},{"path":"c.go"}],"content":[`+change("a.go", "1", "2")+","+change("b.go", "3", "4")+`]`)),
				request(of(`"locations":[{"path":"a.go"}],"content":[` + change("a.go", "1", "7") + `]`)),
			},
			"",
			[]string{"a.go -1 +7", "b.go -3 +4", "c.go"},
			true,
		},
		{
			"a diff of git's, of several files",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":` + text(
				ofGit+"diff --git a/sub/new.go b/sub/new.go\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/sub/new.go\n@@ -0,0 +1 @@\n+n\n"+
					"diff --git a/old.go b/old.go\ndeleted file mode 100644\n--- a/old.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n"+
					"diff --git a/was.go b/is.go\nsimilarity index 100%\nrename from was.go\nrename to is.go\n"+
					"diff --git \"a/\\303\\244.go\" \"b/\\303\\244.go\"\n--- \"a/\\303\\244.go\"\n+++ \"b/\\303\\244.go\"\n@@ -1 +1 @@\n-q\n+r\n"+
					"diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n") + `}`))},
			"",
			[]string{"a.go -1 +2", "sub/new.go +n", "old.go -o", "was.go", "is.go", "ä.go -q +r", "p.png"},
			false,
		},
		{
			"a diff of the CLI's, of several files",
			[]fakeagent.Step{request(of(`"locations":[{"path":"$CWD/a.go"}],"rawInput":{"diff":"\ndiff --git a$CWD/a.go b$CWD/a.go\nindex 0000000..0000000 100644\n--- a$CWD/a.go\n+++ b$CWD/a.go\n@@ -1,2 +1,2 @@\n-1\n+2\n \n` +
				`diff --git a$CWD/b.go b$CWD/b.go\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b$CWD/b.go\n@@ -1,0 +1,1 @@\n+3\n"}`))},
			"",
			[]string{"a.go -1 +2", "b.go +3"},
			false,
		},
		{
			"a diff of a repository around the folder",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":` + text(ofGit+strings.ReplaceAll(ofGit, "a.go", "elsewhere.go")) + `}`))},
			"",
			[]string{"a.go -1 +2", "elsewhere.go -1 +2"},
			false,
		},
		{
			"a move and more",
			[]fakeagent.Step{request(`"toolCallId":"1","title":"T","kind":"move","locations":[{"path":"a.go"},{"path":"b.go"},{"path":"c.go"}]`)},
			"",
			[]string{"a.go", "b.go", "c.go"},
			true,
		},
		{"a move alone", []fakeagent.Step{request(`"toolCallId":"1","title":"T","kind":"move","locations":[{"path":"a.go"},{"path":"b.go"}]`)}, "", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{c.steps}}), nil)
			p := askedFor(t, w)
			equal(t, "the path", p.Path, w.path("a.go"))
			same(t, "the files", shownFiles(t, w, p), c.want)
			equal(t, "a rule can be made of it", p.Scope != nil, c.scope)
			if len(p.Files) > 0 && p.ContentID != p.Files[0].ContentID {
				t.Errorf("the preview %q is not of the first file: %+v", p.ContentID, p.Files)
			}
		})
	}
}

func TestADiffThatReachesOutsideIsSeenToBeOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"a.go"}],` +
		`"rawInput":{"diff":"diff --git a/a.go b/a.go\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/../x.go b/../x.go\n@@ -1 +1 @@\n-1\n+2\n"}`)}}}), nil)
	equal(t, "outside", askedFor(t, w).Outside, true)
}

func TestACommandIsShownBeforeAChangeThatCameWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"execute",` +
		`"rawInput":{"command":"rm -rf ."},"content":[{"type":"diff","path":"a.go","oldText":"1","newText":"2"}]`)}}}), nil)
	p := askedFor(t, w)
	equal(t, "the preview", string(w.content(t, p.ItemID, p.ContentID).Body), "rm -rf .")
}
