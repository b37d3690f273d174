package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// Commands that VoxPilot runs for an agent run in the sandbox too, and not at all if it isn't ready.
func TestSandbox_CommandsThatVoxPilotRuns(t *testing.T) {
	outside := folderInHome(t)
	apptest.UseFakeAgent(t, fakeagent.Script{ThroughClient: true, Rest: fakeagent.Turn{fakeagent.Run("echo in > in.txt; echo out > " + outside + "/out.txt")}})
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	chat := w.Chat(backend.ProviderCopilot)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	noErr(t, w.App.SetSandbox(chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
	w.Send(chat, "go")
	w.waitForEndedTurns(chat, 1)
	if !exists(t, filepath.Join(chat.Folder, "in.txt")) || exists(t, filepath.Join(outside, "out.txt")) {
		t.Errorf("got the wrong files written; the command says %q", w.output(chat))
	}
	boxed := false
	for _, e := range w.Events() {
		boxed = boxed || e.Item != nil && e.Item.Tool != nil && e.Item.Tool.Sandboxed
	}
	if !boxed {
		t.Error("no row says that the command ran in the sandbox")
	}
	_ = os.Remove(filepath.Join(chat.Folder, "in.txt"))
}
