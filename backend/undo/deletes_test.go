package undo_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestUndo_CanRestore checks for which paths CanRestore returns true while a turn is running.
func TestUndo_CanRestore(t *testing.T) {
	f := newSlowFolder(t, func(*undo.Config) {})
	f.write(".gitignore", "dist\n*.log\n")
	f.write("junk.txt", "1")
	f.write("src/a.go", "1")
	f.write("src/b.go", "2")
	f.write("src/deep/c.log", "3")
	f.write("dist/app", "4")
	check := func(paths []string, files int, want bool) {
		t.Helper()
		if got := f.undo.CanRestore(f.chat.ID, paths, files); got != want {
			t.Errorf("CanRestore(%q, %d) is %v", paths, files, got)
		}
	}
	f.turn("1", func() {
		f.write("new", "made in the turn")
		check([]string{"junk.txt"}, 1, true)
		check([]string{"./src/", "junk.txt"}, 4, false) // src has an ignored file
		check([]string{"src/a.go", "src/b.go"}, 2, true)
		check([]string{"dist"}, 1, false)
		check([]string{"src/deep/c.log"}, 1, false)
		check([]string{"new"}, 1, false)
		check([]string{"../junk.txt"}, 1, false)
		check([]string{"*.txt"}, 0, false)
	})
	check([]string{"junk.txt"}, 1, false) // no turn is running
}

// TestUndo_DeletionCardKnowsWhatReturns checks that the request for a command reports whether Undo can bring back the
// files that the command deletes.
func TestUndo_DeletionCardKnowsWhatReturns(t *testing.T) {
	e := newEnv(t, map[string]string{"junk.txt": "1", "app.log": "2", ".gitignore": "*.log\n"},
		fakeagent.Turn{fakeagent.Run("rm -f junk.txt && rm -f app.log"), fakeagent.Say("done")})
	if err := e.App.SetPermissionMode(e.chat.ID, backend.ModeAsk); err != nil {
		t.Fatal(err)
	}
	e.Send(e.chat, "clean up")
	asked := e.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	if len(asked.Marks) != 2 || !asked.Marks[0].CanRestore || asked.Marks[1].CanRestore {
		t.Errorf("the marks are %+v", asked.Marks)
	}
	if err := e.App.Stop(e.chat.ID); err != nil {
		t.Fatal(err)
	}
}
