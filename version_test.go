package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// TestVersion_SameInAllFiles checks that files that can't read the version from the file VERSION contain the same
// version. Packages read it from there when they are built, as verified by "make package-check".
func TestVersion_SameInAllFiles(t *testing.T) {
	want := strings.TrimSpace(release)
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(want) {
		t.Fatalf("VERSION has %q, and Windows wants three numbers", release)
	}
	data, err := os.ReadFile("wails.json")
	if err != nil {
		t.Fatal(err)
	}
	var wails struct {
		Info struct{ ProductVersion string }
	}
	if err := json.Unmarshal(data, &wails); err != nil {
		t.Fatal(err)
	}
	if wails.Info.ProductVersion != want {
		t.Errorf("wails.json has %q, VERSION has %q", wails.Info.ProductVersion, want)
	}
	if !strings.HasPrefix(version, want+"+") {
		t.Errorf("a program without a stamp says that it is %q", version)
	}
}

func TestBuild_StampedWithReleaseAndCommit(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), need.Programs(t, "make"), "--no-print-directory", "version")
	cmd.Env = append(os.Environ(), "MAKEFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(out)), strings.TrimSpace(release))
	if !ok || rest != "" && !regexp.MustCompile(`^\+[0-9a-z]+$`).MatchString(rest) {
		t.Errorf("make version says %q", out)
	}
}
