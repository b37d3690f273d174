package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestSessionFolder_FromSettingsOrCopilot(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("COPILOT_HOME", "")
	w := newAppEnv(t, t.TempDir())
	// The folders passed to refused don't exist, so that none is opened.
	refused := func(folder string) {
		t.Helper()
		err := w.App.OpenSessionFolder()
		if err == nil || !strings.Contains(err.Error(), folder) {
			t.Errorf("instead of %s: %v", folder, err)
		}
	}
	refused(filepath.Join(home, ".copilot"))
	t.Setenv("COPILOT_HOME", filepath.Join(home, "of the environment"))
	refused(filepath.Join(home, "of the environment"))
	settings := backend.DefaultSettings()
	settings.CopilotHome = filepath.Join(home, "chosen")
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	refused(settings.CopilotHome)
}
