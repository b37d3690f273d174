package repository_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func TestForm_OfNewRepository(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("README.md", "x\n")
	form := f.form(backend.CommitAll)
	if form.Branch != "main" || form.Author != "Ann <ann@example.org>" || !form.Message.IsZero() || !form.Note.IsZero() || form.Last != nil || form.Suggestion != "Add README.md" || form.Remotes == nil || form.Hooks == nil || form.Protected || form.Signing {
		t.Errorf("got %+v", form)
	}
}

func TestForm_AuthorByGitsRules(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "user.name", "Repo <x> Name")
	f.git("config", "author.email", "author@example.org")
	f.commitFiles("x", nil)
	f.equal(f.form(backend.CommitAll).Author, f.git("log", "-1", "--format=%an <%ae>"))
}

func TestForm_HooksByPath(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hook("pre-commit", "")
	f.hook("commit-msg.sample", "")
	f.hook("pre-push", "")
	f.equal(strings.Join(f.form(backend.CommitAll).Hooks, " "), "pre-commit pre-push")
	f.git("config", "core.hooksPath", "own")
	for _, name := range []string{"commit-msg", "pre-auto-gc", "prepare-commit-msg", "post-index-change", "post-rewrite", "reference-transaction"} {
		f.write("own/"+name, "#!/bin/sh\n")
		f.noErr(os.Chmod(f.path("own/"+name), 0o700)) //nolint:gosec // must be executable
	}
	f.write("own/post-commit", "#!/bin/sh\n") // not executable
	f.write("own/pre-commit/x", "")           // a folder
	f.equal(strings.Join(f.form(backend.CommitAll).Hooks, " "), "post-index-change prepare-commit-msg commit-msg reference-transaction pre-auto-gc")
	form, err := f.m.Form(t.Context(), "chat", backend.CommitAll, nil, true)
	f.noErr(err)
	f.equal(strings.Join(form.Hooks, " "), "post-index-change prepare-commit-msg commit-msg reference-transaction pre-auto-gc post-rewrite")
}

func TestForm_WarnsAboutBranch(t *testing.T) {
	t.Parallel()
	f, _ := withRemote(t)
	if form := f.form(backend.CommitAll); !form.Protected || !strings.Contains(form.Note.String(), "You're on main, the default branch") {
		t.Errorf("main: got %+v", form)
	}
	f.git("branch", "trunk")
	f.git("push", "--quiet", "origin", "trunk")
	f.git("remote", "set-head", "origin", "trunk")
	if form := f.form(backend.CommitAll); form.Protected {
		t.Errorf("main, but the default branch is trunk: got %+v", form)
	}
	f.git("checkout", "--quiet", "trunk")
	if form := f.form(backend.CommitAll); !form.Protected {
		t.Errorf("trunk: got %+v", form)
	}
	f.git("checkout", "--quiet", "--detach")
	form := f.form(backend.CommitAll)
	if form.Branch != "" || !strings.Contains(form.Note.String(), "No branch is checked out") || !form.Message.IsZero() {
		t.Errorf("detached: got %+v", form)
	}
	f.write("b", "1\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
}

func TestForm_SuggestsForSelection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	code := "package x\n\nfunc First() {\n\ta()\n\tb()\n\tc()\n}\n\nfunc Second() {\n\ta()\n\tb()\n\tc()\n}\n"
	f.commitFiles("x: add code", map[string]string{"pkg/undo/x.go": code, "pkg/undo/old.go": "1\n2\n3\n", "b.txt": "1\n"})
	f.commitFiles("undo: fix plan", nil)
	f.write("pkg/undo/x.go", strings.Replace(code, "Second() {\n\ta()", "Second() {\n\tz()", 1))
	f.write("b.txt", "2\n")
	f.git("add", "b.txt")
	for _, c := range []struct {
		files backend.ReviewCommitFiles
		paths []string
		want  string
	}{
		{backend.CommitStaged, nil, "update b.txt"},
		{backend.CommitChosen, []string{"pkg/undo/x.go"}, "undo: change Second in x.go"},
		{backend.CommitAll, nil, "update b.txt and x.go"},
		{backend.CommitViewed, []string{"none"}, ""},
	} {
		if got := f.form(c.files, c.paths...).Suggestion; got != c.want {
			t.Errorf("%s: got %q, want %q", c.files, got, c.want)
		}
	}
	f.write("pkg/undo/x.go", code+"\nfunc Third() {\n\ta()\n}\n")
	f.equal(f.form(backend.CommitChosen, "pkg/undo/x.go").Suggestion, "undo: add Third")
	f.noErr(os.Rename(f.path("pkg/undo/old.go"), f.path("pkg/undo/new.go")))
	f.equal(f.form(backend.CommitChosen, "pkg/undo/old.go", "pkg/undo/new.go").Suggestion, "undo: rename old.go to new.go")
	f.git("add", "--all")
	f.git("reset", "--quiet", "b.txt", "pkg/undo/x.go")
	if form := f.form(backend.CommitStaged); form.Suggestion != "undo: rename old.go to new.go" || form.Staged != 2 {
		t.Errorf("got %+v", form)
	}
}

// TestForm_LeavesOutFilesWithOtherTimes checks that the suggested message leaves out files, whether text or binary,
// that differ from the index only in their modification times.
func TestForm_LeavesOutFilesWithOtherTimes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	files := map[string]string{"a.txt": "1\n", "same.bin": "1\x00", "\"q\".bin": "2\x00", "other.bin": "3\x00"}
	f.commitFiles("first", files)
	later := time.Now().Add(time.Hour)
	for name := range files {
		f.noErr(os.Chtimes(f.path(name), later, later))
	}
	f.equal(f.form(backend.CommitAll).Suggestion, "")
	f.write("other.bin", "4\x00")
	f.equal(f.form(backend.CommitAll).Suggestion, "update other.bin")
	f.noErr(os.Chmod(f.path("same.bin"), 0o700)) //nolint:gosec // the mode is the change
	f.equal(f.form(backend.CommitAll).Suggestion, "update other.bin and same.bin")
}

func TestForm_NamesStagedFilesOutside(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"sub/a": "1\n"})
	for _, name := range []string{"sub/a", "1", "2", "3", "4", "5"} {
		f.write(name, "2\n")
	}
	root := f.dir
	f.dir = f.path("sub")
	f.gitIn(root, "add", "sub")
	if note := f.form(backend.CommitStaged).Note; !note.IsZero() {
		t.Errorf("got %q", note)
	}
	f.gitIn(root, "add", "1")
	const start = "Some staged files are outside this folder. Committing the staged files will include them: "
	f.equal(f.form(backend.CommitStaged).Note.String(), start+"1.")
	f.gitIn(root, "add", ".")
	f.equal(f.form(backend.CommitStaged).Note.String(), start+"1, 2, 3, 4, 5.")
	f.write("../6", "2\n")
	f.gitIn(root, "add", ".")
	f.equal(f.form(backend.CommitStaged).Note.String(), start+"1, 2, 3, 4, 5 and others.")
}
