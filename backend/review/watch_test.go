package review_test

import (
	"os"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// disk returns the state of the files on disk.
func (e *env) disk() string {
	e.T.Helper()
	d := get[backend.ReviewDisk](e, "review-disk")
	if d.State == "" {
		e.T.Fatal("no state")
	}
	return d.State
}

func TestDisk_ChangesWithFilesIndexAndHead(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines, "b.txt": "b\n", ".gitignore": "*.log\n"})
	last := e.disk()
	changed := func(what string, want bool) {
		t.Helper()
		if now := e.disk(); (now != last) != want {
			t.Errorf("%s: the state is %s after %s", what, now, last)
		} else {
			last = now
		}
	}
	changed("nothing", false)
	e.write("a.txt", "one\n")
	changed("a file was edited", true)
	e.write("a.txt", "other\n")
	changed("an edited file was edited again", true)
	e.write("new.txt", "new\n")
	changed("a new file", true)
	e.write("new.txt", "newer\n")
	changed("a new file was edited", true)
	e.write("x.log", "ignored\n")
	changed("an ignored file", false)
	if err := os.Remove(e.path("b.txt")); err != nil {
		t.Fatal(err)
	}
	changed("a file was removed", true)
	e.git("add", "a.txt")
	changed("a file was staged", true)
	e.list("working")
	e.list("chat")
	if _, err := e.Engine().Repository.Form(t.Context(), e.chat.ID, backend.CommitAll, nil, false); err != nil {
		t.Fatal(err)
	}
	changed("the changes were listed", false)
	e.commit("all")
	changed("a commit", true)
}

func TestDisk_OutsideRepository(t *testing.T) {
	e := newEnv(t)
	e.write("a.txt", tenLines)
	before := e.disk()
	if now := e.disk(); now != before {
		t.Errorf("got %s, then %s", before, now)
	}
	e.write("a.txt", "one\n")
	if now := e.disk(); now == before {
		t.Errorf("an edited file: the state is still %s", now)
	}
}
