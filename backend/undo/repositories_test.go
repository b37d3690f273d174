package undo_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestUndo_NamesRemovedRepositories checks that the preview names a repository that a command removed or moved, because
// its files come back without it.
func TestUndo_NamesRemovedRepositories(t *testing.T) {
	for command, want := range map[string][2]string{
		"rm -rf sub":   {"sub/.git", "This repository was removed, along with its commits and branches."},
		"rm -rf .git":  {".git", "This repository was removed, along with its commits and branches."},
		"mv sub moved": {"sub/.git", "This repository is now in moved/.git and stays there."},
		"true":         {"sub/.git", ""},
	} {
		t.Run(command, func(t *testing.T) {
			e := newEnv(t, map[string]string{"a.txt": "1\n", "sub/b.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt; " + command)})
			for _, dir := range []string{e.chat.Folder, filepath.Join(e.chat.Folder, "sub")} {
				if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
					t.Fatalf("%v %s", err, out)
				}
			}
			u := e.run(e.chat, "go")
			if got := rests(e.preview(u.TurnID)); got[want[0]] != want[1] {
				t.Errorf("not undone: %v, want %v", got, want)
			}
		})
	}
}
