package review_test

import (
	"os"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// move renames a file. It creates the folders for the new path if needed.
func (e *env) move(from, to string) {
	e.T.Helper()
	text := e.text(from)
	if err := os.Remove(e.path(from)); err != nil {
		e.T.Fatal(err)
	}
	e.write(to, text)
}

// wantRefused tries to revert a file or, if an ID is given, to redo a part. It fails the test unless the attempt is
// refused and no file is changed.
func (e *env) wantRefused(d backend.ReviewDiff, id string) {
	e.T.Helper()
	before := e.folder()
	res, err := e.Engine().Review.Redo(e.T.Context(), e.chat.ID, id)
	if id == "" {
		res, err = e.Engine().Review.PutBack(e.T.Context(), e.chat.ID, backend.ReviewPart{Source: "working", Path: d.Path, Version: d.Version})
	}
	if backend.CodeOf(err) != backend.CodeUnavailable || res.ID != "" {
		e.T.Errorf("got %+v, %v, want %s", res, err, backend.CodeUnavailable)
	}
	if path := before.differs(e.folder()); path != "" {
		e.T.Errorf("%s has changed", path)
	}
}

func TestPutBack_MoveAsAWhole(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	e.move("a.txt", "b.txt")
	d := e.diff("working", "b.txt")
	e.write("a.txt/mine.txt", "mine\n")
	e.wantRefused(d, "") // a folder is in place of the old file
	if err := os.RemoveAll(e.path("a.txt")); err != nil {
		t.Fatal(err)
	}
	e.putBack("working", d)
	e.want("working", "")
}

func TestPutBack_MoveIntoFolderOfSameName(t *testing.T) {
	e := newRepository(t, map[string]string{"a": tenLines})
	e.move("a", "x")
	e.move("x", "a/sub/b.txt")
	moved := e.folder()
	res := e.putBack("working", e.diff("working", "a/sub/b.txt"))
	e.want("working", "")
	e.redo(res.ID)
	if path := moved.differs(e.folder()); path != "" {
		t.Errorf("after the redo, %s differs", path)
	}
}

func TestRedo_ModeWithLaterEdit(t *testing.T) {
	e := newRepository(t, map[string]string{"run.sh": tenLines})
	if err := os.Chmod(e.path("run.sh"), 0o700); err != nil { //nolint:gosec // a script
		t.Fatal(err)
	}
	e.write("run.sh", strings.Replace(tenLines, "3", "three", 1))
	res := e.putBack("working", e.diff("working", "run.sh"))
	e.write("run.sh", tenLines+"mine\n")
	e.redo(res.ID)
	want := fileState{strings.Replace(tenLines, "3", "three", 1) + "mine\n", 0o700}
	if got := e.folder()["run.sh"]; *got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestPutBack_ConflictWithoutLines checks that a conflict without lines to show is an error. Otherwise, the page would
// treat it as a success.
func TestPutBack_ConflictWithoutLines(t *testing.T) {
	e := newRepository(t, map[string]string{"empty.txt": "", "gone.txt": tenLines})
	e.write("empty.txt", "full\n")
	full := e.diff("working", "empty.txt")
	if err := os.Remove(e.path("empty.txt")); err != nil {
		t.Fatal(err)
	}
	e.wantRefused(full, "")
	if err := os.Remove(e.path("gone.txt")); err != nil {
		t.Fatal(err)
	}
	res := e.putBack("working", e.diff("working", "gone.txt"))
	e.write("gone.txt", "")
	e.wantRefused(full, res.ID)
}

func TestPutBack_LineEndAfterLastLine(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\r\nb\r\nc"})
	e.write("a.txt", "a\r\nB")
	e.putBack("working", e.diff("working", "a.txt"), [4]int{2, 1, 2, 0})
	if got := e.text("a.txt"); got != "a\r\nB\r\nc" {
		t.Errorf("the file is %q", got)
	}
}
