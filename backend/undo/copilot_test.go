package undo_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
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

// TestUndo_BackgroundCommandOnRealCLI checks that the preview names a command that the real Copilot CLI started in the
// background, and that an undo keeps a file that the command changed after the turn.
func TestUndo_BackgroundCommandOnRealCLI(t *testing.T) {
	const command = "until [ -e go ]; do sleep 0.05; done; echo late > late.txt"
	server, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		calls := 0
		for _, m := range req.Messages {
			calls += len(m.Calls)
		}
		switch {
		case req.Side() || calls > 1:
			return practice.Reply{practice.Text("ok")}
		case calls == 1:
			return practice.Reply{practice.ToolCall("bash", map[string]any{"command": command, "description": "Wait", "mode": "async", "detach": true, "shellId": "wait"})}
		}
		return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "echo 2 > a.txt", "description": "Write"})}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	for _, v := range server.Env(apptest.UseSignedInHome(t, filepath.Join(t.TempDir(), "home"))) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv(copilot.PathVar, copilottest.Path(t))
	e := &env{Window: apptest.Open(t, t.TempDir())}
	e.chat = e.newChat(t.TempDir())
	e.write("a.txt", "1\n")
	u := e.run(e.chat, "go")
	if p := e.preview(u.TurnID); cmp.Diff(map[string]string{command: runningReason}, rests(p)) != "" || p.Ready != 1 || p.Changed != 0 {
		t.Errorf("the preview is %+v", p)
	}
	e.write("go", "")
	waitFor(t, "the command to write", func() bool { return e.files()["late.txt"] == "late\n" })
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "1\n", "go": "", "late.txt": "late\n"})
}
