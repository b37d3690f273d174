package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// newBoxedAgent is newBoxed with the whole agent in the sandbox.
func newBoxedAgent(t *testing.T, mode backend.PermissionMode) *guarded {
	t.Helper()
	w := newBoxed(t, mode)
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff, WholeAgent: true}))
	return w
}

// spy is a line of shell that looks for text in the environment of all processes that it can see, and in its
// own. The text is split, so that the line doesn't contain it.
func spy(text string) string {
	half := len(text) / 2
	return `for f in /proc/[0-9]*/environ; do cat $f 2>/dev/null; done | tr '\000' '\n' | grep -c ` + text[:half] + `''` + text[half:]
}

// The Copilot CLI runs in the sandbox as a whole: its own tools and hooks of the folder can't write outside.
// Commands have a sandbox of their own. Neither hooks nor commands find the key of the model.
func TestWholeAgent_CopilotAndItsCommands(t *testing.T) {
	w := newBoxedAgent(t, backend.ModeBypass)
	outside := folderInHome(t)
	key := w.server.Key()
	found := filepath.Join(w.folder, "found-by-hook")
	writeFile(t, w.folder, hookFile, hookFileText(strings.ReplaceAll(strings.ReplaceAll(spy(key), `\`, `\\`), `"`, `\"`)+" > "+found+"; echo x > "+outside+"/hook"))
	w.calls["go"] = []practice.Step{
		bash("echo in > in.txt; cat in.txt"),
		bash("echo out > " + outside + "/command"),
		bash(spy(key) + "; exit 3"),
		create(filepath.Join(w.folder, "created.txt")),
		create(filepath.Join(outside, "created.txt")),
		bash("ps -e | wc -l; cat /dev/stdin </dev/null; cat <(echo sub)"),
	}
	w.Send(w.chat, "go")
	w.trust(w.waitForTrustRequest(w.chat.ID, 1))
	w.waitForEndedTurns(w.chat, 1)
	for path, want := range map[string]bool{
		filepath.Join(w.folder, "in.txt"): true, filepath.Join(w.folder, "created.txt"): true, found: true,
		filepath.Join(outside, "command"): false, filepath.Join(outside, "created.txt"): false, filepath.Join(outside, "hook"): false,
	} {
		if exists(t, path) != want {
			t.Errorf("%s exists: %v, want %v", path, !want, want)
		}
	}
	if count, err := os.ReadFile(found); err != nil || strings.TrimSpace(string(count)) != "0" {
		t.Errorf("the hook found the key %q times (%v), want 0", count, err)
	}
	results := w.results()
	t.Logf("%q", results)
	if len(results) != 6 || !strings.HasPrefix(results[0], "in") || !strings.HasPrefix(results[2], "0") || !strings.Contains(results[2], "exit code 3") || !strings.Contains(results[5], "sub") {
		t.Errorf("the model got %q", results)
	}
	w.noWrapping(t)
}
