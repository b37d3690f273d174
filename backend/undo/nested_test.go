package undo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestUndo_BlockedWhileNestedFolderInUse checks that a turn can't be undone while another chat works in a subfolder of
// the chat's folder or in the folder above it. A chat that works in a sibling folder must not prevent an undo.
func TestUndo_BlockedWhileNestedFolderInUse(t *testing.T) {
	for name, folders := range map[string]struct {
		own, other string
		blocked    bool
	}{
		"subfolder": {"x", "x/sub", true},
		"parent":    {"x/sub", "x", true},
		"beside":    {"x", "xx", false},

		"link":                   {"x", "link", true},
		"subfolder of a link":    {"x", "link/sub", true},
		"link to the parent":     {"x/sub", "link", true},
		"link to the one beside": {"x", "xx/other", false},
		"another case":           {"x/sub", "X", true},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, nil, fakeagent.Turn{fakeagent.Run("echo two > a.txt")}, fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()})
			dir := t.TempDir()
			for _, folder := range []string{"x/sub", "xx"} {
				if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for name, to := range map[string]string{"link": "x", "xx/other": "xx"} {
				if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, name)); err != nil {
					t.Skip("can't create a symbolic link:", err)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, folders.other)); err != nil {
				t.Skip("the disk tells names in another case apart")
			}
			e.chat = e.newChat(filepath.Join(dir, folders.own))
			e.write("a.txt", "one\n")
			u := e.run(e.chat, "go")
			other := e.newChat(filepath.Join(dir, folders.other))
			e.Send(other, "go")
			e.WaitFor("it works", func(ev backend.Event) bool { return ev.Text != nil && ev.Text.Text == "working" })
			const reason = "is working in this folder. Wait for it to finish, or stop it."
			if p := e.preview(u.TurnID); strings.HasSuffix(p.Blocked.String(), reason) != folders.blocked {
				t.Errorf("the preview is %+v", p)
			}
			if folders.blocked {
				if err := e.undo(u.TurnID, nil); backend.CodeOf(err) != backend.CodeUnavailable || !strings.HasSuffix(err.Error(), reason) {
					t.Errorf("an undo while the other chat works: %v", err)
				}
				if _, err := e.Engine().Undo.PutBack(t.Context(), e.chat.ID, backend.UndoPart{Path: "a.txt"}); backend.CodeOf(err) != backend.CodeUnavailable {
					t.Errorf("an undo of a part while the other chat works: %v", err)
				}
				if content := e.files()["a.txt"]; content != "two\n" {
					t.Errorf("the file is %q", content)
				}
			} else if err := e.undo(u.TurnID, nil); err != nil {
				t.Errorf("an undo beside the other chat: %v", err)
			}
			if err := e.App.Stop(other.ID); err != nil {
				t.Fatal(err)
			}
			e.WaitFor("the stop", func(ev backend.Event) bool {
				return ev.Turn != nil && ev.Turn.ChatID == other.ID && ev.Turn.State == backend.TurnStopped
			})
			if folders.blocked {
				if err := e.undo(u.TurnID, nil); err != nil {
					t.Errorf("an undo after the other chat stopped: %v", err)
				}
			}
			if content := e.files()["a.txt"]; content != "one\n" {
				t.Errorf("after the undo, the file is %q", content)
			}
		})
	}
}
