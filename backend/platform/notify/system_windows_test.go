package notify

import (
	"crypto/rand"
	"os"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// newRegistryKey creates a registry key for the test.
func newRegistryKey(t *testing.T) (path string) {
	t.Helper()
	path = `Software\VoxPilotTest-` + rand.Text()
	key, _, err := registry.CreateKey(registry.CURRENT_USER, path, registry.ALL_ACCESS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, below := range []string{`\shell\open\command`, `\shell\open`, `\shell`, ""} {
			_ = registry.DeleteKey(registry.CURRENT_USER, path+below) // not every test creates all of them
		}
		_ = key.Close()
	})
	return path
}

func TestToast_ButtonsOnlyIfLinksReachProgram(t *testing.T) {
	path := newRegistryKey(t)
	if isOwnScheme(registry.CURRENT_USER, path) {
		t.Error("nothing opens links, and they are said to lead here")
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, path+`\shell\open\command`, registry.ALL_ACCESS)
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close() //nolint:errcheck // the value is already set
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]bool{
		`"` + self + `" "%1"`:                        true,
		`"C:\windows\system32\cmd.exe" "%1"`:         false,
		`"C:\none\voxpilot.exe" "%1" "` + self + `"`: false,
		"": false,
	} {
		if err := key.SetStringValue("", command); err != nil {
			t.Fatal(err)
		}
		if got := isOwnScheme(registry.CURRENT_USER, path); got != want {
			t.Errorf("links that are opened by %s lead here: %v", command, got)
		}
	}
}

func TestToast_LargeFontsHaveLessRoom(t *testing.T) {
	path := newRegistryKey(t)
	if got := toastLimits(registry.CURRENT_USER, path); got != limitsAt(100) {
		t.Errorf("at first it is %v", got)
	}
	key, err := registry.OpenKey(registry.CURRENT_USER, path, registry.ALL_ACCESS)
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close() //nolint:errcheck // the value is already set
	if err := key.SetDWordValue("TextScaleFactor", 200); err != nil {
		t.Fatal(err)
	}
	if got := toastLimits(registry.CURRENT_USER, path); got != limitsAt(200) || got != 10 {
		t.Errorf("with letters of twice the size it is %v", got)
	}
}
