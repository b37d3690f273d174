package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/need"
)

// requestFiles returns one string for each file in a request. It consists of the file's path and the changes shown:
// "a.go -1 +2" means that the line "1" is replaced with "2". Paths in the env's folder are relative to that folder.
func requestFiles(t *testing.T, w *env, p backend.Permission) (out []string) {
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

// TestRequest_ListsEveryFile checks that a permission request lists all of the files that it affects, in every format
// that agents use.
func TestRequest_ListsEveryFile(t *testing.T) {
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
		path  string // "" means a.go
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
			"a diff without git's form, of several files",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":` + text(
				"--- a/a.go\t2026-01-02 10:00:00 +0100\n+++ b/a.go\t2026-01-02 10:00:01 +0100\n@@ -1 +1 @@\n-1\n+2\n"+
					"--- /dev/null\n+++ b/sub/new.go\n@@ -0,0 +1 @@\n+n\n"+
					"--- a/old.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n") + `}`))},
			"",
			[]string{"a.go -1 +2", "sub/new.go +n", "old.go -o"},
			false,
		},
		{
			"a diff of one file, and a text of another",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-1\n+2\n"},"content":[` + change("a.go", "1", "2") + "," + change("b.go", "3", "4") + `]`))},
			"",
			[]string{"a.go -1 +2", "b.go -3 +4"},
			true,
		},
		{
			"a diff with labels, and the texts",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":"--- before\n+++ after\n@@ -1 +1 @@\n-1\n+2\n"},"content":[` + change("a.go", "1", "2") + `]`))},
			"",
			nil,
			false,
		},
		{
			"a diff of one in git's form",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":` + text(ofGit) + `}`))},
			"",
			nil,
			true,
		},
		{
			"a diff of one of the CLI's",
			[]fakeagent.Step{request(of(`"locations":[{"path":"$CWD/a.go"}],"rawInput":{"diff":"\ndiff --git a$CWD/a.go b$CWD/a.go\nindex 0000000..0000000 100644\n--- a$CWD/a.go\n+++ b$CWD/a.go\n@@ -1,2 +1,2 @@\n-1\n+2\n \n"}`))},
			"",
			nil,
			true,
		},
		{
			"a request of another kind than its call",
			[]fakeagent.Step{
				updateLine("tool_call", `"toolCallId":"1","title":"T","status":"pending"`),
				request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":` + text(ofGit+strings.ReplaceAll(ofGit, "a.go", "b.go")) + `}`)),
			},
			"",
			[]string{"a.go -1 +2", "b.go -1 +2"},
			false,
		},
		{
			"a diff without git's form, of the one file",
			[]fakeagent.Step{request(of(`"locations":[{"path":"a.go"}],"rawInput":{"diff":"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-1\n+2\n"}`))},
			"",
			nil,
			true,
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
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{c.steps}}), nil)
			noErr(t, os.Mkdir(w.path("sub"), 0o700))
			p := requestFrom(t, w)
			equal(t, "the path", p.Path, w.path("a.go"))
			equalDeep(t, "the files", requestFiles(t, w, p), c.want)
			equal(t, "a rule can be made of it", p.Scope != nil, c.scope)
			if len(p.Files) > 0 && p.ContentID != p.Files[0].ContentID {
				t.Errorf("the preview %q is not of the first file: %+v", p.ContentID, p.Files)
			}
		})
	}
}

func TestRequest_DiffOutsideFolderDetected(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"a.go"}],` +
		`"rawInput":{"diff":"diff --git a/a.go b/a.go\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/../x.go b/../x.go\n@@ -1 +1 @@\n-1\n+2\n"}`)}}}), nil)
	equal(t, "outside", requestFrom(t, w).Outside, true)
}

func TestRequest_CommandListedBeforeItsChange(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"execute",` +
		`"rawInput":{"command":"rm -rf ."},"content":[{"type":"diff","path":"a.go","oldText":"1","newText":"2"}]`)}}}), nil)
	p := requestFrom(t, w)
	equal(t, "the preview", string(w.content(t, p.ItemID, p.ContentID).Body), "rm -rf .")
}

// TestRequest_RejectedFileNotGrantedLater checks that a rejected file isn't granted by a later request for the same
// call. The first request names a file outside the folder and is rejected. The second one doesn't name that file and is
// allowed.
func TestRequest_RejectedFileNotGrantedLater(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the script are those of a Unix")
	}
	dir := t.TempDir()
	folder, away := filepath.Join(dir, "w"), filepath.Join(dir, "x")
	noErr(t, os.Mkdir(folder, 0o700))
	const call = `"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"a.go"}]`
	const both = `"rawInput":{"diff":"diff --git a/a.go b/a.go\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/../x b/../x\n@@ -1 +1 @@\n-1\n+2\n"}`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		request(call + `,` + both), request(call), writeFile(filepath.Join(folder, "a.go"), "2\n"), writeFile(away, "2\n"),
	}}}), func(w *env, cfg *agent.Config) {
		w.folder = folder
		cfg.Folder = folder
	})
	w.write("a.go", "1\n")
	tu := w.start(backend.SessionMain, "go")
	first := w.nextRequest()
	equal(t, "outside", first.permission.Outside, true)
	equal(t, "files", len(first.permission.Files), 2)
	first.answer <- "reject_once"
	again := w.nextRequest()
	equal(t, "outside, without that file", again.permission.Outside, false)
	equal(t, "a rule can be made of it", again.permission.Scope != nil, true)
	equalDeep(t, "the files", requestFiles(t, w, again.permission), nil)
	again.answer <- "allow_once" // as the mode would decide
	write := w.nextRequest()
	equal(t, "what is asked for at the write", filepath.Base(write.permission.Path), "x")
	equal(t, "outside", write.permission.Outside, true)
	write.answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file that was allowed", w.read("a.go"), "2\n")
	if _, err := os.Stat(away); !os.IsNotExist(err) {
		t.Errorf("the file outside is there (%v)", err)
	}
}

func TestRequest_DecisionCoversCallContent(t *testing.T) {
	t.Parallel()
	const call = `"toolCallId":"1","title":"T","locations":[{"path":"a.go"}]`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"read","status":"pending","content":[{"type":"diff","path":"../x","oldText":"1","newText":"2"}]`),
		updateLine("tool_call_update", `"toolCallId":"1","kind":"edit"`),
		request(call),
	}}}), nil)
	p := requestFrom(t, w)
	equal(t, "files", len(p.Files), 2)
	equal(t, "outside", p.Outside, true)
	equal(t, "a rule can be made of it", p.Scope != nil, false)
}

func TestRequest_MultiFileDiffDetectedAnywhere(t *testing.T) {
	t.Parallel()
	const two = "diff --git a/a.go b/a.go\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/../x b/../x\n@@ -1 +1 @@\n-1\n+2\n"
	for name, c := range map[string]struct {
		diff  string
		files int
	}{
		"the head of a mail":            {"From 0123abc Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] t\n\n---\n a.go | 2 +-\n x | 2 +-\n\n" + two, 2},
		"an empty line":                 {"\r\n" + two, 2},
		"lines of Windows":              {"\r\n" + strings.ReplaceAll(two, "\n", "\r\n"), 2},
		"a space":                       {" " + two, 2},
		"a mark":                        {"\uFEFF" + two, 2},
		"something else":                {"# " + two, 0},
		"spaces everywhere":             {"  " + strings.ReplaceAll(two, "\n", "\n  "), 0},
		"no form of git's":              {"--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-1\n+2\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n", 2},
		"a part within one":             {"diff --git a/a.go b/a.go\n@@ -1 +1 @@\n-1\n+2\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n", 2},
		"one of another":                {"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n", 2},
		"one of another, git's form":    {"diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n", 2},
		"a rename away":                 {"diff --git a/a.go b/a.go\nrename from a.go\nrename to ../x\n@@ -1 +1 @@\n-1\n+2\n", 2},
		"a rename away without changes": {"diff --git a/a.go b/a.go\nsimilarity index 100%\nrename from a.go\nrename to ../x\n", 2},
		"a copy":                        {"diff --git a/a.go b/a.go\ncopy from a.go\ncopy to ../x\n", 2},
		"a folder like a time":          {"--- a.go 2026-01-02 10:00/../../x\n+++ a.go 2026-01-02 10:00/../../x\n@@ -1 +1 @@\n-1\n+2\n", 2},
		"lines that nobody sees":        {"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-1\n+2\n-3\n+evil\n", 0},
		"a name that is not read":       {"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-1\n+2\nIndex: ../x\n@@ -1 +1 @@\n-1\n+2\n", 0},
		"names or lines":                {"--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-1\n+2\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n", 0},
		"a part of no name":             {"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/a.go b/a.go\n@@ -1 +1 @@\n-1\n+2\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := json.Marshal(c.diff)
			noErr(t, err)
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(
				`"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"a.go"}],"rawInput":{"diff":` + string(text) + `}`,
			)}}}), nil)
			p := requestFrom(t, w)
			equal(t, "files", len(p.Files), c.files)
			equal(t, "outside", p.Outside, true)
			equal(t, "a rule can be made of it", p.Scope != nil, false)
		})
	}
}

func TestRequest_SingleFileNamed(t *testing.T) {
	t.Parallel()
	away := filepath.Join(t.TempDir(), "f")
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(
		`"toolCallId":"1","title":"Edit a.go","kind":"edit","rawInput":{"diff":"--- ` + jsonPath(away) + `\n+++ ` + jsonPath(away) + `\n@@ -1 +1 @@\n-1\n+2\n"}`,
	)}}}), nil)
	p := requestFrom(t, w)
	equalDeep(t, "the files", requestFiles(t, w, p), []string{jsonPath(away) + " -1 +2"})
	equal(t, "outside", p.Outside, true)
}

func TestRequest_RulesMatchAllFiles(t *testing.T) {
	t.Parallel()
	places := make([]string, 0, 1000)
	for i := range 1000 {
		places = append(places, fmt.Sprintf(`{"path":"f%d"}`, i))
	}
	for name, c := range map[string]struct {
		rest, file string
		unclear    bool
	}{
		"names":          {`"locations":[` + strings.Join(places, ",") + `]`, "f999", false},
		"an unclear one": {`"locations":[{"path":"f0"}],"rawInput":{"diff":"--- f0\n+++ f0\n@@ ... @@\n-1\n+2\n"}`, "f0", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"edit",` + c.rest)}}}), nil)
			p := requestFrom(t, w)
			equal(t, "it is named", slices.Contains(p.Names, w.path(c.file)), true)
			equal(t, "unclear", p.Unclear, c.unclear)
		})
	}
}

func TestRequest_RulesMatchLinkTarget(t *testing.T) {
	t.Parallel()
	away, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"link/f"}]`)}}}), nil)
	if err := os.Symlink(away, w.path("link")); err != nil {
		need.Missing(t, "links cannot be made here: %v", err)
	}
	p := requestFrom(t, w)
	equalDeep(t, "names", p.Names, slices.Sorted(slices.Values([]string{filepath.Join(away, "f"), w.path("link/f")})))
}
