package undo_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// tenLines is a text in which changes to lines 2 and 11 are far enough apart to be in different hunks.
const tenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"

// partEnv returns an env, and the diff of a.txt, after the agent has changed lines 2 and 11 of a.txt, created new.txt
// and answered.
func partEnv(t *testing.T) (*env, string) {
	t.Helper()
	e := newEnv(t, map[string]string{"a.txt": tenLines}, fakeagent.Turn{
		fakeagent.Edit("a.txt", "\n2\n", "\ntwo\n"), fakeagent.Edit("a.txt", "\n11\n", "\neleven\n"), fakeagent.Edit("new.txt", "", "new\n"),
	}, fakeagent.Turn{fakeagent.Say("heard: $PROMPT")}, fakeagent.Turn{fakeagent.Say("heard: $PROMPT")})
	e.run(e.chat, "go")
	return e, e.diffOf("a.txt")
}

// diffOf returns the diff of a file in the chat's list of changes.
func (e *env) diffOf(name string) string {
	e.T.Helper()
	var d struct{ Diff string }
	if code := e.Get("/data/diff?chat="+e.chat.ID+"&path="+url.QueryEscape(filepath.Join(e.chat.Folder, name)), &d); code != http.StatusOK || d.Diff == "" {
		e.T.Fatalf("the diff of %s is (%d) %q", name, code, d.Diff)
	}
	return d.Diff
}

// hunk returns the nth hunk of a diff, with the diff's header.
func hunk(t *testing.T, diff string, n int) string {
	t.Helper()
	parts := strings.Split(diff, "\n@@ ")
	if len(parts) <= n {
		t.Fatalf("there is no hunk %d in %q", n, diff)
	}
	return parts[0] + "\n@@ " + strings.TrimSuffix(parts[n], "\n") + "\n"
}

func (e *env) putBack(part backend.UndoPart) (backend.PartResult, error) {
	return e.App.PutBack(e.chat.ID, part)
}

// parts returns the parts that have been undone and can be redone.
func (e *env) parts() []backend.PutBack {
	e.T.Helper()
	var list struct{ Parts []backend.PutBack }
	if code := e.Get("/data/put-back?chat="+e.chat.ID, &list); code != http.StatusOK {
		e.T.Fatalf("the list of parts is (%d)", code)
	}
	return list.Parts
}

func (e *env) text(name string) string {
	e.T.Helper()
	return e.files()[name]
}

func TestPutBack_HunkAndRedo(t *testing.T) {
	e, diff := partEnv(t)
	both := e.text("a.txt")
	res, err := e.putBack(backend.UndoPart{Path: filepath.Join(e.chat.Folder, "a.txt"), Diff: hunk(t, diff, 1)})
	if err != nil || res != (backend.PartResult{}) {
		t.Fatalf("putting back a hunk: %+v, %v", res, err)
	}
	want := strings.Replace(tenLines, "11", "eleven", 1)
	if got := e.text("a.txt"); got != want {
		t.Errorf("without the first hunk, the file is %q", got)
	}
	if d := e.diffOf("a.txt"); strings.Contains(d, "two") || !strings.Contains(d, "-11\n+eleven\n") {
		t.Errorf("without the first hunk, Changes shows %q", d)
	}
	parts := e.parts()
	if len(parts) != 1 || parts[0].Path != "a.txt" || parts[0].Added != 1 || parts[0].Removed != 1 || parts[0].At == 0 {
		t.Fatalf("the parts are %+v", parts)
	}
	if res, err := e.putBack(backend.UndoPart{Path: "a.txt", Diff: hunk(t, diff, 1)}); err == nil || res.Diff != "" {
		t.Errorf("putting it back again: %+v, %v", res, err)
	}
	e.reopen(func(*backend.TurnUndo) {}, "") // the record is still there after a restart
	if res, err := e.putBack(backend.UndoPart{Redo: parts[0].ID}); err != nil || res != (backend.PartResult{}) {
		t.Fatalf("the redo: %+v, %v", res, err)
	}
	if got := e.text("a.txt"); got != both {
		t.Errorf("after the redo, the file is %q", got)
	}
	if parts := e.parts(); len(parts) != 0 {
		t.Errorf("after the redo, the parts are %+v", parts)
	}
	if _, err := e.putBack(backend.UndoPart{Redo: parts[0].ID}); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a second redo: %v", err)
	}
}

func TestPutBack_TellsAgentOnce(t *testing.T) {
	e, diff := partEnv(t)
	if _, err := e.putBack(backend.UndoPart{Path: "a.txt", Diff: hunk(t, diff, 2)}); err != nil {
		t.Fatal(err)
	}
	e.run(e.chat, "next")
	e.run(e.chat, "and next")
	texts := e.Text(e.chat.ID, backend.ItemMessage)
	if n := len(texts); n < 2 || !strings.Contains(texts[n-2], "the user undid changes in these files: a.txt.") || strings.Contains(texts[n-1], "undid") {
		t.Errorf("the agent heard %q", texts)
	}
}

func TestPutBack_MergesOrShowsBothSides(t *testing.T) {
	e, diff := partEnv(t)
	e.write("a.txt", "0\n"+strings.Replace(e.text("a.txt"), "\n6\n", "\nsix\n", 1)) // the user's changes, to other lines
	if res, err := e.putBack(backend.UndoPart{Path: "a.txt", Diff: diff, Whole: true}); err != nil || !strings.Contains(e.text("a.txt"), "six") {
		t.Fatalf("after a change elsewhere: %+v, %v, %q", res, err, e.text("a.txt"))
	}
	want := "0\n" + strings.Replace(tenLines, "6", "six", 1)
	if got := e.text("a.txt"); got != want {
		t.Errorf("after putting back the file, it is %q", got)
	}
	if res, err := e.putBack(backend.UndoPart{Redo: e.parts()[0].ID}); err != nil {
		t.Fatalf("the redo: %+v, %v", res, err)
	}

	mine := strings.Replace(e.text("a.txt"), "\n3\n", "\nthree\n", 1) // a change to a line in the hunk's context
	e.write("a.txt", mine)
	res, err := e.putBack(backend.UndoPart{Path: "a.txt", Diff: hunk(t, diff, 1)})
	if err != nil || res.Diff == "" || !strings.Contains(res.Diff, "-three\n") {
		t.Errorf("after a change next to the hunk: %+v, %v", res, err)
	}
	if got := e.text("a.txt"); got != mine {
		t.Errorf("nothing may be written, but the file is %q", got)
	}
	far := strings.Replace(e.text("a.txt"), "\nthree\n4\n5\n", "\n3\n4\nfive\n", 1) // in the context, apart from its line
	e.write("a.txt", far)
	res, err = e.putBack(backend.UndoPart{Path: "a.txt", Diff: hunk(t, diff, 1)})
	if err != nil || !res.Merged || res.Diff != "" {
		t.Errorf("after a change in the hunk's context: %+v, %v", res, err)
	}
	if got := e.text("a.txt"); got != strings.Replace(far, "two", "2", 1) {
		t.Errorf("after the merge, the file is %q", got)
	}
}

func TestPutBack_NewAndRemovedFiles(t *testing.T) {
	e := newEnv(t, map[string]string{"gone.txt": "1\n2\n"}, fakeagent.Turn{fakeagent.Edit("new.txt", "", "new\n"), fakeagent.Edit("gone.txt", "1\n2\n", "")})
	path := filepath.Join(e.chat.Folder, "gone.txt")
	if err := os.Chmod(path, 0o755); err != nil { //nolint:gosec // a script
		t.Fatal(err)
	}
	e.run(e.chat, "go")
	if _, err := e.putBack(backend.UndoPart{Path: "new.txt", Diff: e.diffOf("new.txt"), Whole: true}); err != nil {
		t.Fatal(err)
	}
	if _, has := e.files()["new.txt"]; has {
		t.Error("the new file is still there")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := e.putBack(backend.UndoPart{Path: "gone.txt", Diff: "--- gone.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", Whole: true}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o755 && runtime.GOOS != "windows" {
		t.Errorf("the removed file came back as %v, %v", info, err)
	}
	for _, p := range e.parts() {
		if _, err := e.putBack(backend.UndoPart{Redo: p.ID}); err != nil {
			t.Errorf("the redo of %s: %v", p.Path, err)
		}
	}
	e.wantFiles("after the redo", map[string]string{"new.txt": "new\n"})
}

func TestPutBack_RefusesOtherPlaces(t *testing.T) {
	e, _ := partEnv(t)
	outside := filepath.Join(t.TempDir(), "x.txt")
	create := "--- /x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
	for _, path := range []string{outside, "../x.txt", ".git/hooks/x", "sub/.GIT/x", ".", ""} {
		if res, err := e.putBack(backend.UndoPart{Path: path, Diff: create, Whole: true}); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%q: %+v, %v", path, res, err)
		}
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(e.chat.Folder, "link")); err != nil {
		t.Fatal(err)
	}
	if res, err := e.putBack(backend.UndoPart{Path: "link/x.txt", Diff: create, Whole: true}); err == nil {
		t.Errorf("through a link: %+v", res)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file outside of the folder was written")
	}
	if res, err := e.putBack(backend.UndoPart{Path: "a.txt", Diff: "nonsense"}); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("without a diff: %+v, %v", res, err)
	}
}

func TestUndo_CompareFile(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt; rm b.txt; printf '\\0' > c.bin")})
	u := e.run(e.chat, "go")
	e.write("a.txt", "three\n")
	compare := func(path string) (c backend.UndoComparison) {
		t.Helper()
		if code := e.Get("/data/undo-file?turn="+u.TurnID+"&path="+path, &c); code != http.StatusOK {
			t.Fatalf("comparing %s: %d", path, code)
		}
		return c
	}
	if c := compare("a.txt"); !strings.Contains(c.Diff, "-two\n+three\n") || !c.Reason.IsZero() {
		t.Errorf("the comparison is %+v", c)
	}
	e.write("b.txt", "again\n")
	if c := compare("b.txt"); !strings.HasPrefix(c.Diff, "--- /dev/null\n") || !strings.Contains(c.Diff, "+again\n") {
		t.Errorf("the comparison of a file that came back is %+v", c)
	}
	if c := compare("c.bin"); c.Diff != "" || c.Reason.IsZero() {
		t.Errorf("the comparison of a binary file is %+v", c)
	}
	var text string
	if code := e.Get("/data/undo-file?turn="+u.TurnID+"&path=other", &text); code != http.StatusNotFound {
		t.Errorf("another file: %d", code)
	}
}
