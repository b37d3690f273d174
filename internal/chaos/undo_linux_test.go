package chaos_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// undoneFiles is the number of files that the agent changes and an undo restores.
const undoneFiles = 200

// filesIn returns the contents of all files below a folder, by path.
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

// TestChaosKilledApp_UndoIsAllOrNothing kills the app at a random moment during an undo. At the next start, the files
// must all be as before the undo or all as after it. The test then continues with a redo or an undo.
func TestChaosKilledApp_UndoIsAllOrNothing(t *testing.T) {
	seed := chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app in the middle of an undo of 200 files", chaos.Runs(2, 100))
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: fakeagent.Turn{
		fakeagent.Run("rm -r gone; for f in f*; do echo after > $f; done; mkdir new; for i in $(seq 60); do echo new > new/$i; done; true"),
	}})
	untouched, complete, answered := 0, 0, 0
	for round := range chaos.Rounds(2, 100) {
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

// TestChaosKilledApp_PutBackIsAllOrNothing kills the app at a random moment while part of a file's changes is undone or
// redone. At the next start, the file must be as before this change or as after it, and the list of parts must agree
// with the file.
func TestChaosKilledApp_PutBackIsAllOrNothing(t *testing.T) {
	seed := chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app while a part of a file's changes is put back, and while that is redone", chaos.Runs(2, 100))
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Run("sed -i s/^500$/agent/ a.txt")}})
	var lines strings.Builder
	for i := range 200_000 { // long enough for a kill to happen while it is being written
		fmt.Fprintln(&lines, i)
	}
	original := lines.String()
	changed := strings.Replace(original, "\n500\n", "\nagent\n", 1)
	part := backend.UndoPart{Path: "a.txt", Diff: "--- a.txt\n+++ a.txt\n@@ -500,3 +500,3 @@\n 499\n-500\n+agent\n 501\n"}
	counts := map[string]int{}
	for round := range chaos.Rounds(2, 100) {
		r := chaos.Rand(t, seed, round)
		h.restartScript()
		l := h.start(program)
		l.waitForOpen()
		chat := l.newChat()
		file := filepath.Join(chat.Folder, "a.txt")
		l.call(nil, "SetPermissionMode", chat.ID, backend.ModeBypass)
		if err := os.WriteFile(file, []byte(original), 0o600); err != nil {
			t.Fatal(err)
		}
		l.send(chat.ID, "go")
		l.waitForEvent(0, "the turn was recorded", func(e backend.Event) bool {
			return e.TurnUndo != nil && e.TurnUndo.ChatID == chat.ID && e.TurnUndo.State == backend.UndoAvailable
		})
		l.waitForEvent(0, "the turn has ended", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })

		// killIn kills the app during a call, and returns the parts that can be redone after the next start.
		killIn := func(what string, part backend.UndoPart) (parts []backend.PutBack) {
			id := l.ask("PutBack", chat.ID, part)
			if part.Redo == "" && round%2 == 0 { // it is about to write the file
				waitForFile(t, filepath.Join(h.dir, "snapshots", chat.ID, "parts.json"))
			}
			<-time.After(time.Duration(r.Int64N(int64(250 * time.Millisecond))))
			death := l.kill()
			l.mu.Lock()
			if _, is := l.answers[id]; is {
				counts[what+" answered"]++
			}
			l.mu.Unlock()
			h.waitForAllExits(death)
			l = h.start(program)
			l.waitForOpen()
			var err error
			for range 6 { // each waits up to 10 seconds until the records are complete
				err = l.answer(l.ask("PutBack", chat.ID, backend.UndoPart{Redo: "none"}), nil)
				if backend.CodeOf(err) != backend.CodeUnavailable {
					break
				}
			}
			if backend.CodeOf(err) != backend.CodeNotFound {
				t.Fatalf("in round %d, the redo of an unknown part: %v", round, err)
			}
			var list struct{ Parts []backend.PutBack }
			l.call(&list, http.MethodGet, "/data/put-back?chat="+chat.ID)
			names := filesIn(t, chat.Folder)
			switch got := names["a.txt"]; {
			case len(names) != 1:
				t.Fatalf("in round %d, files are left over: %d", round, len(names))
			case got == original && len(list.Parts) == 1:
				counts[what+" put back"]++
			case got == changed && len(list.Parts) == 0:
				counts[what+" not put back"]++
			default:
				t.Fatalf("in round %d, after %s: %d bytes (of %d or %d), and the parts are %+v", round, what, len(got), len(original), len(changed), list.Parts)
			}
			return list.Parts
		}
		parts := killIn("putting back", part)
		if len(parts) == 0 {
			l.call(nil, "PutBack", chat.ID, part)
			var list struct{ Parts []backend.PutBack }
			l.call(&list, http.MethodGet, "/data/put-back?chat="+chat.ID)
			parts = list.Parts
		}
		if parts = killIn("the redo", backend.UndoPart{Redo: parts[0].ID}); len(parts) == 1 {
			l.call(nil, "PutBack", chat.ID, backend.UndoPart{Redo: parts[0].ID})
		}
		if got := filesIn(t, chat.Folder)["a.txt"]; got != changed {
			t.Fatalf("in round %d, after the redo, the file has %d bytes, want %d", round, len(got), len(changed))
		}
		l.quit()
		h.waitForAllExits(time.Now())
	}
	result("the next start found it put back %d times and not %d times; after the redo, %d and %d times; the list of parts agreed", counts["putting back put back"], counts["putting back not put back"], counts["the redo put back"], counts["the redo not put back"])
}
