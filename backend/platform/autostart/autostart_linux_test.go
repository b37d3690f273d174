package autostart

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// newEntryFile returns the path of the entry in an isolated environment.
func newEntryFile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("FLATPAK_ID", "")
	t.Setenv("APPIMAGE", "")
	return filepath.Join(dir, "autostart", "io.github.voxpilot.VoxPilot.desktop")
}

func setEnabled(t *testing.T, on bool) {
	t.Helper()
	if err := Set(on); err != nil {
		t.Fatal(err)
	}
	if got, err := On(); got != on || err != nil {
		t.Fatalf("it is %v, %v after it was set to %v", got, err, on)
	}
}

func rewrite(t *testing.T, file, old, next string) {
	t.Helper()
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(kept), old, next, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAutostart_OffByDefaultAndTogglable(t *testing.T) {
	file := newEntryFile(t)
	if on, err := On(); on || err != nil {
		t.Fatalf("it is %v, %v at first", on, err)
	}
	setEnabled(t, false)
	setEnabled(t, true)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(file)
	if err != nil || program(string(kept)) != self {
		t.Errorf("it starts %q (%v)", kept, err)
	}
	setEnabled(t, false)
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the entry is left: %v", err)
	}
}

func TestAutostart_ReenablesDesktopDisabledEntry(t *testing.T) {
	file := newEntryFile(t)
	setEnabled(t, true)
	rewrite(t, file, "enabled=true", "enabled=false")
	if on, err := On(); on || err != nil {
		t.Errorf("it is %v, %v", on, err)
	}
	if err := Mend(); err != nil {
		t.Fatal(err)
	}
	if on, _ := On(); on {
		t.Error("mending switches it on")
	}
	setEnabled(t, true)
}

func TestAutostart_RepairsMissingProgram(t *testing.T) {
	file := newEntryFile(t)
	setEnabled(t, true)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other, gone := "/bin/sh", filepath.Join(t.TempDir(), "voxpilot")
	for was, want := range map[string]string{other: other, gone: self} {
		rewrite(t, file, self, was)
		if err := Mend(); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(file)
		if err != nil || program(string(kept)) != want {
			t.Errorf("of %s came %s (%v)", was, program(string(kept)), err)
		}
		setEnabled(t, true)
	}
}

func TestAutostart_PackagedUsesOutsidePath(t *testing.T) {
	newEntryFile(t)
	// The AppImage of another program, from whose terminal VoxPilot was started.
	t.Setenv("APPIMAGE", "/home/a/Editor.AppImage")
	if got, err := command(); err != nil || got[0] == "/home/a/Editor.AppImage" {
		t.Errorf("it starts %q, %v", got, err)
	}
	t.Setenv("FLATPAK_ID", ID)
	t.Setenv("HOST_XDG_CONFIG_HOME", "/home/a/.config")
	if got, err := command(); err != nil || strings.Join(got, " ") != "flatpak run "+ID+" --hidden" {
		t.Errorf("a Flatpak starts %q, %v", got, err)
	}
	if got, err := path(); err != nil || got != "/home/a/.config/autostart/"+ID+".desktop" {
		t.Errorf("a Flatpak's entry is %s, %v", got, err)
	}
}

func TestAutostart_UnwritableFolderReported(t *testing.T) {
	file := newEntryFile(t)
	if err := os.WriteFile(filepath.Dir(file), nil, 0o600); err != nil { // a file instead of the folder
		t.Fatal(err)
	}
	if err := Set(true); backend.CodeOf(err) != backend.CodeStorage || !strings.Contains(err.Error(), file) {
		t.Errorf("it says %v", err)
	}
}
