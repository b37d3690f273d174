package undo_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// waitFor polls until a condition is true.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for until := time.Now().Add(time.Minute); !is(); <-look.C {
		if time.Now().After(until) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

const runningReason = "This command may have kept running. Undo doesn't revert the changes it makes after the turn."

// TestUndo_NamesCommandsThatKeepRunning checks that the preview names commands that may have kept running, and gives
// them as a possible reason for later changes to a file.
func TestUndo_NamesCommandsThatKeepRunning(t *testing.T) {
	const background = "nohup sh -c 'until [ -e go ]; do sleep 0.02; done; echo late > late.txt; echo late >> a.txt; rm go' >/dev/null 2>&1 & true"
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt"), fakeagent.Run(background)})
	u := e.run(e.chat, "go")
	if diff := cmp.Diff(map[string]string{background: runningReason}, rests(e.preview(u.TurnID))); diff != "" {
		t.Errorf("not undone (-want +got):\n%s", diff)
	}
	e.write("go", "")
	waitFor(t, "the command to write", func() bool {
		_, err := os.Stat(filepath.Join(e.chat.Folder, "go"))
		return os.IsNotExist(err)
	})
	p := e.preview(u.TurnID)
	if want := "Changed by you, another program or a command from this turn that kept running."; p.Changed != 1 || p.Files[0].Reason.String() != want {
		t.Errorf("the preview is %+v", p)
	}
}

// TestUndo_KnowsAsyncCommands checks that a command counts as one that may have kept running if the agent started it in
// the background, even though its text doesn't show this.
func TestUndo_KnowsAsyncCommands(t *testing.T) {
	const command = "sleep 0"
	for args, want := range map[string]map[string]string{
		`{"command":"sleep 0","mode":"async"}`:               {command: runningReason},
		`{"command":"sleep 0","mode":"async","detach":true}`: {command: runningReason},
		`{"command":"sleep 0","mode":"sync","detach":false}`: {},
		`{"command":"sleep 1","mode":"async","x":"sync"}`:    {},
	} {
		wait, resume := pause(t)
		e := newEnv(t, map[string]string{"a.txt": "1\n"}, append(wait, fakeagent.Run("echo 2 > a.txt"), fakeagent.Run(command)))
		id := e.start(e.chat)
		e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "bash", Args: []byte(args)})
		resume()
		e.waitForEnd(id)
		if diff := cmp.Diff(want, rests(e.preview(id))); diff != "" {
			t.Errorf("%s: not undone (-want +got):\n%s", args, diff)
		}
	}
}

// TestUndo_CountsFilesChangedDuringCommands checks that the preview counts the files that the user may have edited
// while a command was running.
func TestUndo_CountsFilesChangedDuringCommands(t *testing.T) {
	for _, long := range []bool{false, true} {
		if long {
			t.Cleanup(undo.SetUserTime(0))
		}
		resume := filepath.Join(t.TempDir(), "resume")
		e := newEnv(t, map[string]string{"a.txt": "1\n", "notes.txt": "mine 1\n", "c.txt": "1\n", "old.txt": "1\n"},
			fakeagent.Turn{fakeagent.Edit("c.txt", "1", "2"), fakeagent.Say("waiting"), fakeagent.Run("echo 2 > a.txt; until [ -e " + resume + " ]; do sleep 0.02; done")})
		id := e.start(e.chat)
		waitFor(t, "the command to run", func() bool { return e.files()["a.txt"] == "2\n" })
		e.write("notes.txt", "mine 2\n")
		if err := os.Remove(filepath.Join(e.chat.Folder, "old.txt")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(resume, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		e.waitForEnd(id)
		want := 0
		if long {
			want = 3 // all except for c.txt
		}
		if p := e.preview(id); p.Ready != 4 || p.Meanwhile != want {
			t.Errorf("long: %v: the preview is %+v", long, p)
		}
		if b, err := e.Engine().Undo.PlanBack(t.Context(), id); err != nil {
			t.Error(err)
		} else if p, err := b.Preview(t.Context()); err != nil || p.Meanwhile != want {
			t.Errorf("long: %v: the preview of going back is %+v, %v", long, p, err)
		}
	}
}
