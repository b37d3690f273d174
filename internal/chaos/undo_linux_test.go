package chaos_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// undoneFiles is the number of files that the agent changes, and an undo changes back.
const undoneFiles = 200

// filesIn returns the files below a folder by their paths, with their content.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(folder, path)
		all[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The app is killed at a random moment of an undo. The next start must have all files as before or all as
// after it, and continues with a redo or an undo.
func TestChaosKilledApp_UndoIsAllOrNothing(t *testing.T) {
	rounds, seed := chaos.Runs(2, 100), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app in the middle of an undo of 200 files", rounds)
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: fakeagent.Turn{
		fakeagent.Run("rm -r gone; for f in f*; do echo after > $f; done; mkdir new; for i in $(seq 60); do echo new > new/$i; done; true"),
	}})
	untouched, complete, answered := 0, 0, 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		h.restartScript()
		l := h.start(program)
		l.waitForOpen()
		chat := l.newChat()
		l.call(nil, "SetPermissionMode", chat.ID, backend.ModeBypass)
		if err := os.Mkdir(filepath.Join(chat.Folder, "gone"), 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range undoneFiles - 60 {
			name := fmt.Sprintf("f%d", i)
			if i%7 == 0 {
				name = "gone/" + name
			}
			if err := os.WriteFile(filepath.Join(chat.Folder, name), []byte(fmt.Sprint("before ", i)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before := filesIn(t, chat.Folder)
		l.send(chat.ID, "go")
		var turn string
		l.waitForEvent(0, "the turn was recorded", func(e backend.Event) bool {
			if e.TurnUndo == nil || e.TurnUndo.ChatID != chat.ID || e.TurnUndo.State != backend.UndoAvailable {
				return false
			}
			turn = e.TurnUndo.TurnID
			return true
		})
		l.waitForEvent(0, "the turn has ended", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.ID == turn && e.Turn.State == backend.TurnDone
		})
		after := filesIn(t, chat.Folder)
		if len(after) == len(before) {
			t.Fatal("the agent changed nothing")
		}
		id := l.ask("UndoTurn", turn, map[string]backend.UndoChoice{})
		<-time.After(time.Duration(r.Int64N(int64(400 * time.Millisecond))))
		death := l.kill()
		l.mu.Lock()
		if _, is := l.answers[id]; is {
			answered++
		}
		l.mu.Unlock()
		h.waitForAllExits(death)

		l = h.start(program)
		l.waitForOpen()
		now, want, call := filesIn(t, chat.Folder), after, "RedoTurn"
		switch {
		case cmp.Equal(now, before):
			complete++
		case cmp.Equal(now, after):
			untouched++
			want, call = before, "UndoTurn"
		default:
			t.Fatalf("in round %d, the files are neither as before (-want +got):\n%s\nnor as after the undo:\n%s", round, cmp.Diff(after, now), cmp.Diff(before, now))
		}
		if err := l.answer(l.ask(call, turn, map[string]backend.UndoChoice{}), nil); err != nil {
			t.Fatalf("in round %d, %s: %v", round, call, err)
		}
		if diff := cmp.Diff(want, filesIn(t, chat.Folder)); diff != "" {
			t.Fatalf("in round %d, after %s (-want +got):\n%s", round, call, diff)
		}
		l.quit()
		h.waitForAllExits(time.Now())
	}
	result("the next start found all files as before it %d times and as after it %d times (%d had answered), none between; undo or redo then continued", untouched, complete, answered)
}
