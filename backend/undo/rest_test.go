package undo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// rests returns what a preview says isn't undone: by command or path, the reason.
func rests(p backend.UndoPreview) map[string]string {
	all := map[string]string{}
	for _, r := range p.NotUndone {
		all[r.What] = r.Reason.String()
	}
	return all
}

const ignoredRemain = "Files that Git ignores weren't recorded. If a command changed any, they stay as they are."

// A command changes an ignored file and one that is too large, both in place. Their content isn't recorded, so the
// preview must name them.
func TestUndo_NamesUnrecordedFilesChangedInPlace(t *testing.T) {
	e := newEnv(t, map[string]string{".gitignore": "*.log\n", "build.log": "x\n", "a.txt": "1\n"},
		fakeagent.Turn{fakeagent.Run("echo more >> build.log; echo more >> video.bin; echo 2 > a.txt")},
		fakeagent.Turn{fakeagent.Edit("a.txt", "2", "3")})
	video := filepath.Join(e.chat.Folder, "video.bin")
	if err := os.WriteFile(video, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(video, 51<<20); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(e.chat.Folder, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	u := e.run(e.chat, "go")
	want := map[string]string{"video.bin": "This file is too large to record.", "": ignoredRemain}
	if p := e.preview(u.TurnID); cmp.Diff(want, rests(p)) != "" || p.Ready != 1 || u.Files != 1 {
		t.Errorf("the preview is %+v (-want +got):\n%s", p, cmp.Diff(want, rests(p)))
	}
	edit := e.run(e.chat, "go") // without a command
	if p := e.preview(edit.TurnID); len(p.NotUndone) != 0 {
		t.Errorf("the preview of an edit is %+v", p)
	}
}
