package review_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFiles_NamesNestedRepositories checks that a list names the repositories inside the folder that have uncommitted
// changes, which the list itself doesn't contain.
func TestFiles_NamesNestedRepositories(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	e.write("inner/x.txt", "x\n")
	gitIn(t, e.path("inner"), "init", "-q")
	gitIn(t, e.path("inner"), "add", "-A")
	gitIn(t, e.path("inner"), "commit", "-q", "-m", "x")
	source := t.TempDir()
	gitIn(t, source, "init", "-q")
	gitIn(t, source, "commit", "-q", "--allow-empty", "-m", "x")
	e.git("submodule", "--quiet", "add", source, "sub")
	e.write("sub/s.txt", "s\n")
	gitIn(t, e.path("sub"), "add", "-A")
	gitIn(t, e.path("sub"), "commit", "-q", "-m", "s")
	e.git("add", "sub")
	e.git("commit", "-q", "-m", "sub")
	want := func(nested, message string) {
		t.Helper()
		l := e.want("working", "")
		if l.Nested.String() != nested || l.Message.String() != message {
			t.Errorf("got %q and %q, want %q and %q", l.Nested, l.Message, nested, message)
		}
	}
	want("", "No files have changed.")
	e.write("sub/s.txt", "changed\n")
	one := "The repository in sub has uncommitted changes. Commit them in that folder."
	want(one, one)
	e.write("inner/new.txt", "new\n")
	both := "Repositories inside this folder have uncommitted changes: inner, sub. Commit the changes in those repositories."
	want(both, both)
	if err := os.RemoveAll(e.path("sub")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(e.path("inner")), e.path("sub")); err != nil {
		t.Fatal(err)
	}
	if l := e.list("working"); l.Nested.String() != "The repository in inner has uncommitted changes. Commit them in that folder." {
		t.Errorf("with a link in place of the submodule: %q", l.Nested)
	}
}
