package undo_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// pause returns the steps in which the agent waits, and a function that ends the wait.
func pause(t *testing.T) (steps []fakeagent.Step, resume func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "resume")
	return []fakeagent.Step{fakeagent.Say("waiting"), fakeagent.WaitFor(file)}, func() {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// start sends a message and waits until the agent says that it is waiting. It returns the ID of the turn.
func (e *env) start(chat backend.Chat) (turn string) {
	e.T.Helper()
	id := e.Send(chat, "go")
	turn = e.WaitFor("the message", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.ID == id && ev.Item.TurnID != "" }).Item.TurnID
	e.WaitFor("the agent to wait", func(ev backend.Event) bool {
		return ev.Text != nil && ev.Text.ChatID == chat.ID && ev.Text.Text == "waiting"
	})
	return turn
}

func (e *env) waitForEnd(turn string) backend.TurnUndo {
	e.T.Helper()
	e.WaitFor("the end of the turn", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.State == backend.TurnDone
	})
	return e.undoOf(turn)
}

// afterTools waits until changes to files no longer count as made by the last tool call, or by the next one.
func afterTools() { time.Sleep(150 * time.Millisecond) }

// TestUndo_KeepsUsersEditsDuringTurn checks that the user's own edits during a turn stay when the turn is undone,
// unless the user chooses otherwise.
func TestUndo_KeepsUsersEditsDuringTurn(t *testing.T) {
	wait, resume := pause(t)
	var turn fakeagent.Turn
	turn = append(turn, fakeagent.Run("echo two > a.txt"))
	turn = append(turn, wait...)
	turn = append(turn, fakeagent.Run("echo three >> a.txt"), fakeagent.Edit("c.txt", "1", "2"))
	e := newEnv(t, map[string]string{"a.txt": "one\n", "c.txt": "1\n", "notes.txt": "mine 1\n", "old.txt": "the user moves this\n"}, turn)
	id := e.start(e.chat)
	afterTools()
	e.write("notes.txt", "mine 2: an hour of work\n")
	e.write("new.txt", "written by the user\n")
	if err := os.Rename(filepath.Join(e.chat.Folder, "old.txt"), filepath.Join(e.chat.Folder, "moved.txt")); err != nil {
		t.Fatal(err)
	}
	afterTools()
	resume()
	e.waitForEnd(id)
	p := e.preview(id)
	if p.Changed != 4 || p.Ready != 2 {
		t.Errorf("the preview has %d changed and %d ready files: %+v", p.Changed, p.Ready, p.Files)
	}
	for _, f := range p.Files {
		if f.Changed && f.Reason.IsZero() {
			t.Errorf("%s has no reason", f.Path)
		}
	}
	if err := e.undo(id, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{
		"a.txt": "one\n", "c.txt": "1\n", "notes.txt": "mine 2: an hour of work\n", "new.txt": "written by the user\n", "moved.txt": "the user moves this\n",
	})
	if err := e.redo(id, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.undo(id, map[string]backend.UndoChoice{"notes.txt": backend.UndoTake}); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after an undo with a choice", map[string]string{
		"a.txt": "one\n", "c.txt": "1\n", "notes.txt": "mine 1\n", "new.txt": "written by the user\n", "moved.txt": "the user moves this\n",
	})
}

// TestUndo_KeepsUsersEditsOfAgentsFiles checks that a file stays if the user edited it during the turn, before the
// agent edited it too.
func TestUndo_KeepsUsersEditsOfAgentsFiles(t *testing.T) {
	wait, resume := pause(t)
	e := newEnv(t, map[string]string{"a.txt": "1\n2\n3\n"}, append(wait, fakeagent.Edit("a.txt", "3", "three")))
	id := e.start(e.chat)
	e.write("a.txt", "ONE\n2\n3\n")
	afterTools()
	e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "edit", Args: []byte(`{"path":"a.txt"}`)})
	resume()
	e.waitForEnd(id)
	if p := e.preview(id); p.Changed != 1 || p.Ready != 0 {
		t.Errorf("the preview is %+v", p)
	}
	if err := e.undo(id, nil); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("the undo returned %v", err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "ONE\n2\nthree\n"})
}

// TestUndo_KeepsUsersContentThatWasMoved checks that text that the user wrote during a turn is kept if the agent then
// moved the user's file over another file and moved a third file to its old path.
func TestUndo_KeepsUsersContentThatWasMoved(t *testing.T) {
	wait, resume := pause(t)
	e := newEnv(t, map[string]string{"notes.txt": "1\n2\n3\n", "kept.txt": "old\n", "other.txt": "other\n"},
		append(wait, fakeagent.Run("mv notes.txt kept.txt; echo 5 >> kept.txt; mv other.txt notes.txt")))
	id := e.start(e.chat)
	e.write("notes.txt", "an hour of work\n")
	afterTools()
	e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "bash"})
	resume()
	e.waitForEnd(id)
	if err := e.undo(id, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"notes.txt": "other\n", "kept.txt": "an hour of work\n5\n", "other.txt": "other\n"})
}

// TestUndo_RestoresFileMovedOverUsers checks that a file that the agent moved is restored even if, earlier in the turn,
// the user wrote a file at the path to which the agent moved it.
func TestUndo_RestoresFileMovedOverUsers(t *testing.T) {
	wait, resume := pause(t)
	e := newEnv(t, map[string]string{"c.txt": "1\n2\n3\n"}, append(wait, fakeagent.Run("mv c.txt b.txt")))
	id := e.start(e.chat)
	e.write("b.txt", "an hour of work\n")
	afterTools()
	e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "bash"})
	resume()
	e.waitForEnd(id)
	p := e.preview(id)
	effects := map[string]backend.UndoEffect{}
	for _, f := range p.Files {
		effects[f.Path] = f.Effect
	}
	if p.Changed != 1 || p.Ready != 1 || effects["c.txt"] != backend.UndoReturns {
		t.Errorf("the preview is %+v", p)
	}
	if err := e.undo(id, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"b.txt": "1\n2\n3\n", "c.txt": "1\n2\n3\n"})
	if err := e.redo(id, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", map[string]string{"b.txt": "1\n2\n3\n"})
}

// TestUndo_TurnWithoutToolsChangedNothing checks that the user's edits don't count as changes of a turn in which the
// agent ran no tool that can change files.
func TestUndo_TurnWithoutToolsChangedNothing(t *testing.T) {
	wait, resume := pause(t)
	e := newEnv(t, map[string]string{"notes.txt": "mine 1\n", "gone.txt": "1\n"}, wait)
	id := e.start(e.chat)
	e.write("notes.txt", "mine 2\n")
	if err := os.Remove(filepath.Join(e.chat.Folder, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	resume()
	if u := e.waitForEnd(id); u.State != backend.UndoNothing || u.Files != 0 {
		t.Errorf("the turn's row is %+v", u)
	}
}

// TestGoBack_KeepsUsersEditsDuringTurns checks that the user's edits during turns stay when the user goes back to the
// point before these turns.
func TestGoBack_KeepsUsersEditsDuringTurns(t *testing.T) {
	wait, resume := pause(t)
	again, resumeAgain := pause(t)
	e := newEnv(t, map[string]string{"a.txt": "one\n", "notes.txt": "mine 1\n", "more.txt": "mine 1\n"},
		append(fakeagent.Turn{fakeagent.Edit("a.txt", "one", "two")}, wait...), again)
	first := e.start(e.chat)
	afterTools()
	e.write("notes.txt", "mine 2\n")
	resume()
	e.waitForEnd(first)
	second := e.start(e.chat)
	e.write("more.txt", "mine 2\n")
	resumeAgain()
	e.waitForEnd(second)
	if err := e.Engine().Branch.GoBack(t.Context(), first, backend.GoBackRequest{Scope: backend.BackFiles}); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after going back", map[string]string{"a.txt": "one\n", "notes.txt": "mine 2\n", "more.txt": "mine 2\n"})
}

// TestUndo_KeepsEditsOfOtherChats checks that undoing a turn doesn't remove changes that another chat's turn made to
// the same file at the same time, with an edit tool or with a command.
func TestUndo_KeepsEditsOfOtherChats(t *testing.T) {
	for name, theirs := range map[string]fakeagent.Step{
		"edit": fakeagent.Edit("a.txt", "8\n9", "8\nB"), "command": fakeagent.Run("sed -i s/9/B/ a.txt"),
	} {
		t.Run(name, func(t *testing.T) {
			wait, resume := pause(t)
			turn := append(fakeagent.Turn{fakeagent.Edit("a.txt", "1\n2", "A\n2"), fakeagent.Edit("own.txt", "", "mine\n")}, wait...)
			e := newEnv(t, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"}, turn, fakeagent.Turn{theirs})
			id := e.start(e.chat)
			// As the guard of the real CLI does before a call, record the files.
			e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "edit", Args: []byte(`{"path":"x"}`)})
			e.run(e.newChat(e.chat.Folder), "go")
			resume()
			if u := e.waitForEnd(id); !u.Shared {
				t.Fatalf("the turn's row is %+v", u)
			}
			both := "A\n2\n3\n4\n5\n6\n7\n8\nB\n"
			e.wantFiles("after both turns", map[string]string{"a.txt": both, "own.txt": "mine\n"})
			if p := e.preview(id); p.Changed != 1 || p.Ready != 1 {
				t.Errorf("the preview is %+v", p)
			}
			if err := e.undo(id, nil); err != nil {
				t.Fatal(err)
			}
			e.wantFiles("after the undo", map[string]string{"a.txt": both})
		})
	}
}
