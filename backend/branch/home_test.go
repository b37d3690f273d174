package branch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestUndo_LeavesCopilotsHome checks that an undo in a folder that contains the Copilot CLI's home doesn't change the
// CLI's own files, so that the CLI still knows the conversation after a restart.
func TestUndo_LeavesCopilotsHome(t *testing.T) {
	m := useCopilot(t)
	e := open(t)
	home := os.Getenv("COPILOT_HOME")
	e.chat = e.newChat(filepath.Dir(home))
	e.say(e.chat, "hello")
	e.write("a.txt", "1\n")
	turn := e.say(e.chat, "run: echo 2 > a.txt")
	p, err := e.Engine().Undo.Preview(t.Context(), turn)
	if err != nil || p.Total != 1 || p.Files[0].Path != "a.txt" {
		t.Errorf("the preview is %+v, %v", p, err)
	}
	if err := e.Engine().Undo.Undo(t.Context(), turn, map[string]backend.UndoChoice{"a.txt": backend.UndoTake}); err != nil {
		t.Fatal(err)
	}
	e.say(e.chat, "after")
	if got, want := strings.ReplaceAll(m.knows(t), "(note) ", ""), "hello, run: echo 2 > a.txt, after"; got != want {
		t.Errorf("the model knows %q, want %q", got, want)
	}
}
