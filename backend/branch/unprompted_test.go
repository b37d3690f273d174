package branch_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// awaitFile waits until a file exists in the chat's folder.
func (e *env) awaitFile(name string) {
	e.T.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(e.chat.Folder, name)); err == nil {
			return
		}
		if time.Now().After(deadline) {
			e.T.Fatalf("%s doesn't exist", name)
		}
	}
}

// TestUndo_WorkWithoutTurn checks that an undo isn't possible while the real CLI works on an /after command whose turn
// has ended. Afterward, the agent's changes belong to that turn; the user's own changes don't.
func TestUndo_WorkWithoutTurn(t *testing.T) {
	useCopilot(t)
	e := open(t)
	e.write("b.txt", "1\n")
	e.write("mine.txt", "1\n")
	e.say(e.chat, "hello")
	turn := e.say(e.chat, "run: echo 2 > b.txt")
	resume := filepath.Join(t.TempDir(), "resume")
	after := e.say(e.chat, "/after 10s run: echo 3 > c.txt; until [ -e "+resume+" ]; do sleep 0.05; done; echo 4 > d.txt")
	e.write("mine.txt", "2\n")
	e.awaitFile("c.txt")
	if err := e.Engine().Undo.Undo(t.Context(), turn, nil); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("while the agent works, an undo returned %v", err)
	}
	if p, err := e.Engine().Undo.Preview(t.Context(), turn); err != nil || p.Blocked.IsZero() {
		t.Errorf("while the agent works, the preview is %+v, %v", p, err)
	}
	if err := os.WriteFile(resume, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the changes in the turn", func(ev backend.Event) bool {
		return ev.TurnUndo != nil && ev.TurnUndo.TurnID == after && ev.TurnUndo.State == backend.UndoAvailable && ev.TurnUndo.Files == 2
	})
	var err error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err = e.Engine().Undo.Undo(t.Context(), after, nil); backend.CodeOf(err) != backend.CodeUnavailable {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"b.txt": "2\n", "mine.txt": "2\n"})
}
