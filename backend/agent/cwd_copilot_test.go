package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
)

// TestCopilot_CommandsStartInFolder checks that a command that changes its shell's state, such as the current folder,
// doesn't affect the next command. Rules for commands rely on every command starting in the chat's folder.
func TestCopilot_CommandsStartInFolder(t *testing.T) {
	cli := copilotCLI(t)
	w := newEmptyEnv(t)
	if err := os.MkdirAll(w.path("vendor/evil"), 0o700); err != nil {
		t.Fatal(err)
	}
	turns := [][]act{{{command: "cd vendor/evil"}, {command: "export PROBE=changed; alias git=false"}, {command: `{ pwd; echo "probe=$PROBE"; alias; } > "` + w.path("seen.txt") + `"`}, {text: "Done."}}}
	w.open(func(w *env) agent.Launch { return copilotLaunch(t, w, cli, turns) }, nil)
	w.setPolicy("allow_once")
	w.promptAndExpect("Do 1.", backend.TurnDone)
	text, err := os.ReadFile(w.path("seen.txt"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.EvalSymlinks(w.folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSpace(string(text)), "\n"); len(got) != 2 || got[0] != folder || got[1] != "probe=" {
		t.Errorf("got %q in the third command, want the folder %s and nothing of the second", got, folder)
	}
}
