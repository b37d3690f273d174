package undo_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestUndo_PracticeOnRealCLI checks that an edit by the real Copilot CLI can be undone and redone. The CLI makes the
// edit for the practice mode's script, with VoxPilot's guard.
func TestUndo_PracticeOnRealCLI(t *testing.T) {
	t.Setenv(copilot.PathVar, copilottest.Path(t))
	t.Setenv("COPILOT_HOME", t.TempDir())
	e := &env{Window: apptest.Open(t, t.TempDir())}
	var err error
	if e.chat, err = e.App.StartPractice(); err != nil {
		t.Fatal(err)
	}
	before := e.files()
	if err := e.App.SetPermissionMode(e.chat.ID, backend.ModeAcceptEdits); err != nil {
		t.Fatal(err)
	}
	u := e.run(e.chat, "Fix the typo in greeting.txt")
	after := e.files()
	if u.State != backend.UndoAvailable || u.Files != 1 || u.EdgesOnly {
		t.Fatalf("after the turn, its undo is %+v", u)
	}
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", before)
	e.run(e.chat, "Hello") // the message has the note about the undo
	if texts := e.Text(e.chat.ID, backend.ItemMessage); strings.Contains(strings.Join(texts, " "), "voxpilot_note") {
		t.Errorf("the answers are %q", texts)
	}
	if err := e.redo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", after)
}
