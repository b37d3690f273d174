package review_test

import (
	"fmt"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// hidden returns the diff of an uncommitted file, without changes that affect only white space. It fails the test
// unless the diff has the given blocks.
func (e *env) hidden(path, blocks string) backend.ReviewDiff {
	e.T.Helper()
	d := get[backend.ReviewDiff](e, "review-diff", "source", "working", "path", path, "whitespace", "hide")
	if got := fmt.Sprint(d.Blocks); got != blocks {
		e.T.Fatalf("without white space, the blocks of %s are %s, want %s", path, got, blocks)
	}
	return d
}

func TestPutBack_KeepsHiddenWhitespace(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\nb\nc\nd\n", "b.txt": "x\n", "c.txt": "x\ny\n"})
	e.write("a.txt", "  a\nB\nc\n\td\n")
	res := e.putBack("working", e.hidden("a.txt", "[[1 1 1 1]]"), [4]int{1, 1, 1, 1})
	if got := e.text("a.txt"); got != "  a\nb\nc\n\td\n" {
		t.Errorf("put back, the file is %q", got)
	}
	e.redo(res.ID)
	if got := e.text("a.txt"); got != "  a\nB\nc\n\td\n" {
		t.Errorf("redone, the file is %q", got)
	}
	// The part has as many lines as all changes together, but isn't all of them.
	e.write("b.txt", " x\nx\n")
	d := e.hidden("b.txt", "[[1 0 1 1]]")
	e.putBack("working", d, d.Blocks...)
	if got := e.text("b.txt"); got != " x\n" {
		t.Errorf("put back, the file is %q", got)
	}
}

func TestStage_LeavesHiddenWhitespaceUnstaged(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\nb\nc\nd\n"})
	e.write("a.txt", "  a\nB\nc\n\td\n")
	d := e.hidden("a.txt", "[[1 1 1 1]]")
	stage := e.Engine().Repository.Stage
	if err := stage(t.Context(), e.chat.ID, "a.txt", d.Version, d.Blocks, true); err != nil {
		t.Fatal(err)
	}
	if got := e.git("show", ":a.txt"); got != "a\nB\nc\nd" {
		t.Errorf("the index has %q", got)
	}
	e.want("working", "edited a.txt +3 -3 staged part\n") // as the page does
	if d = e.hidden("a.txt", "[[1 1 1 1]]"); d.Staged == nil || fmt.Sprint(*d.Staged) != "{[[1 1]] [[1 1]]}" {
		t.Errorf("the staged lines are %+v", d.Staged)
	}
	if err := stage(t.Context(), e.chat.ID, "a.txt", d.Version, d.Blocks, false); err != nil {
		t.Fatal(err)
	}
	if got := e.git("show", ":a.txt"); got != "a\nb\nc\nd" {
		t.Errorf("unstaged, the index has %q", got)
	}
}
