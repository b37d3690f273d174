package undo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestUndo_ReadsFolderOfOpenChat checks that when an idle chat is opened, its folder is read, but no snapshot is
// recorded.
func TestUndo_ReadsFolderOfOpenChat(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt")})
	if err := e.App.ViewChat(e.chat.ID); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(e.App.Dir, "snapshots", e.chat.ID)
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(30 * time.Second); ; <-look.C {
		if _, err := os.Stat(filepath.Join(dir, "cache")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the folder wasn't read")
		}
	}
	if list, err := os.ReadDir(filepath.Join(dir, "snapshots")); err != nil || len(list) != 0 {
		t.Errorf("the recorded snapshots are %v, %v", list, err)
	}
	u := e.run(e.chat, "go")
	if u.State != backend.UndoAvailable || u.Files != 1 {
		t.Errorf("after a turn, its undo is %+v", u)
	}
}

// TestUndo_ReadingEndsWithWork checks that the folder of an opened chat is no longer read ahead once a turn starts.
func TestUndo_ReadingEndsWithWork(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt")})
	if err := e.App.ViewChat(e.chat.ID); err != nil {
		t.Fatal(err)
	}
	if u := e.run(e.chat, "go"); u.State != backend.UndoAvailable {
		t.Errorf("after a turn, its undo is %+v", u)
	}
	if _, err := os.Stat(filepath.Join(e.App.Dir, "snapshots", e.chat.ID, "cache")); err == nil {
		t.Error("the folder was read although the chat worked")
	}
}

// TestUndo_SettingLimitsRecordings checks that lowering the maximum age of snapshots in the settings removes older
// snapshots, and that invalid limits are rejected.
func TestUndo_SettingLimitsRecordings(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")}, fakeagent.Turn{fakeagent.Run("echo 3 > a.txt")})
	old := e.run(e.chat, "go")
	marks := filepath.Join(e.App.Dir, "snapshots", e.chat.ID, "snapshots")
	then := time.Now().Add(-48 * time.Hour)
	err := filepath.WalkDir(marks, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, then, then)
	})
	if err != nil {
		t.Fatal(err)
	}
	s := e.Engine().Setup.Settings()
	s.UndoDays = 0
	if err := e.App.SaveSettings(s); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("0 days: %v", err)
	}
	s.UndoDays, s.UndoGB = 1, 101
	if err := e.App.SaveSettings(s); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("101 GB: %v", err)
	}
	s.UndoGB = 1
	if err := e.App.SaveSettings(s); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the removal", func(ev backend.Event) bool {
		return ev.TurnUndo != nil && ev.TurnUndo.TurnID == old.TurnID && ev.TurnUndo.State == backend.UndoUnavailable
	})
}

func TestUndo_FolderThatCannotBeRecorded(t *testing.T) {
	e := newEnv(t, map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = true\n", "objects/x": "", "refs/x": ""}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")})
	u := e.run(e.chat, "go")
	if u.State != backend.UndoUnavailable || u.Reason.String() != "The folder is a .git folder or a bare Git repository, so VoxPilot keeps no copies of its files." {
		t.Errorf("the undo is %+v", u)
	}
	if err := e.undo(u.TurnID, nil); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an undo without snapshots: %v", err)
	}
}
