package commandline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestUntrusted_CommandLineStartsNoProcess(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Calls: calls})
	w := newAppEnv(t)
	folder := t.TempDir()
	hooks := filepath.Join(folder, ".github", "hooks")
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hooks, "e.json"), []byte(`{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"true"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := runCLI(t, "quick", "--folder", folder, "go"); out+errs != "" || code != 0 {
		t.Errorf("got %d %q %q", code, out, errs)
	}
	w.WaitFor("the window shows the chat", func(e backend.Event) bool { return e.Navigation != nil && e.Navigation.For == backend.NavigateChat })
	out, errs, code := runCLI(t, "ask", "--folder", folder, "go")
	if out != "" || code != exitUntrusted || !strings.Contains(errs, "you haven't trusted the files in this folder that can run code") || !strings.Contains(errs, "Your question is saved") {
		t.Errorf("got %d %q %q, want a sentence and an exit code of its own", code, out, errs)
	}
	if _, err := os.Stat(calls); err == nil {
		t.Error("the agent was started")
	}
}
