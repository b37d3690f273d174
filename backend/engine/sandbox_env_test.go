package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

// needsSandbox ends the test, in the same way as need.Missing, if the sandbox isn't ready.
func (w *appEnv) needsSandbox() {
	w.T.Helper()
	s := w.WaitFor("the sandbox is tested", func(e backend.Event) bool { return e.Sandbox != nil && e.Sandbox.State != backend.SandboxChecking }).Sandbox
	if s.State != backend.SandboxReady {
		need.Missing(w.T, "the sandbox is %s here: %s", s.State, s.Problem)
	}
}

// folderInHome returns a new folder outside /tmp. In the sandbox, /tmp contains only the chat's folder.
func folderInHome(t *testing.T) string {
	t.Helper()
	home, err := os.UserHomeDir()
	noErr(t, err)
	here, err := os.Getwd()
	noErr(t, err)
	var folder string
	for _, parent := range []string{home, here, "/var/lib"} { // the home folder of a private desktop is inside /tmp
		if strings.HasPrefix(parent, "/tmp/") {
			continue
		}
		if folder, err = os.MkdirTemp(parent, ".voxpilot-test-*"); err == nil { //nolint:usetesting // t.TempDir is below /tmp
			break
		}
	}
	noErr(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	folder, err = filepath.EvalSymlinks(folder)
	noErr(t, err)
	return folder
}
