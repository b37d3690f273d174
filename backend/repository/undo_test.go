package repository_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// undo undoes the commit sha. It fails the test unless UndoCommit returns the given value of amended.
func (f *fixture) undo(sha string, amended bool) {
	f.Helper()
	got, err := f.m.UndoCommit(f.Context(), "chat", sha)
	f.noErr(err)
	if got != amended {
		f.Errorf("got amended %t, want %t", got, amended)
	}
}

func TestUndoCommit_KeepsChangesStaged(t *testing.T) {
	t.Parallel()
	f, _ := withRemote(t)
	pushed := f.git("rev-parse", "HEAD")
	f.write("a", "2\n")
	f.write("new", "1\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	sha := f.git("rev-parse", "HEAD")
	f.write("a", "3\n")
	before := f.state()
	if _, err := f.m.UndoCommit(t.Context(), "chat", pushed); backend.CodeOf(err) != backend.CodeStale {
		t.Errorf("another commit: got %v", err)
	}
	f.unchanged(before)
	f.undo(sha, false)
	f.equal(f.git("rev-parse", "HEAD"), pushed)
	f.equal(f.status(), "MM a\nA  new")
	if _, err := f.m.UndoCommit(t.Context(), "chat", pushed); err == nil || !strings.Contains(err.Error(), "already on a remote") {
		t.Errorf("a pushed commit: got %v", err)
	}
	f.equal(f.git("rev-parse", "HEAD"), pushed)
}

func TestUndoCommit_First(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	sha := f.commitFiles("first", map[string]string{"a": "1\n"})
	f.undo(sha, false)
	f.equal(f.status(), "A  a")
	f.equal(f.git("symbolic-ref", "HEAD"), "refs/heads/main")
}

// TestUndoCommit_OfAmend checks that undoing an amend brings the amended commit back, even if that is the first commit
// of a branch.
func TestUndoCommit_OfAmend(t *testing.T) {
	t.Parallel()
	for _, start := range []string{"first commit", "second commit"} {
		t.Run(start, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			if start == "second commit" {
				f.commitFiles("base", map[string]string{"base": "1\n"})
			}
			made := f.commitFiles("made", map[string]string{"a": "1\n"})
			f.write("b", "1\n")
			f.done(backend.ReviewCommitRequest{Message: "amended", Files: backend.CommitAll, Amend: true})
			once := f.git("rev-parse", "HEAD")
			f.write("b", "2\n")
			f.done(backend.ReviewCommitRequest{Message: "again", Files: backend.CommitAll, Amend: true})
			f.undo(f.git("rev-parse", "HEAD"), true)
			f.equal(f.git("rev-parse", "HEAD"), once)
			f.equal(f.status(), "M  b")
			f.undo(once, true)
			f.equal(f.git("rev-parse", "HEAD"), made)
			f.equal(f.status(), "A  b")
			f.undo(made, false)
			if start == "second commit" {
				f.equal(f.git("log", "--format=%s"), "base")
			}
			f.equal(f.status(), "A  a\nA  b")
			f.equal(f.git("symbolic-ref", "HEAD"), "refs/heads/main")
		})
	}
}

// TestUndoCommit_AfterAmend checks that a commit made after an amended one is removed as usual. It also checks that
// without a reflog, undoing an amended commit removes it as usual.
func TestUndoCommit_AfterAmend(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "core.logAllRefUpdates", "false")
	base := f.commitFiles("base", map[string]string{"base": "1\n"})
	f.commitFiles("made", map[string]string{"a": "1\n"})
	f.git("commit", "--quiet", "--amend", "-m", "without a reflog")
	f.undo(f.git("rev-parse", "HEAD"), false)
	f.equal(f.git("rev-parse", "HEAD"), base)
	f.git("config", "core.logAllRefUpdates", "true")
	f.git("commit", "--quiet", "-m", "made")
	f.git("commit", "--quiet", "--amend", "-m", "amended")
	amended := f.git("rev-parse", "HEAD")
	f.undo(f.commitFiles("next", map[string]string{"b": "1\n"}), false)
	f.equal(f.git("rev-parse", "HEAD"), amended)
}
