// Package copilottest finds the real Copilot CLI for tests.
package copilottest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// Path returns the path of the real Copilot CLI: the one named by
// VOXPILOT_TEST_COPILOT, or else the one that npm installed in frontend. If there is
// none, or the variable is "none", the test is skipped, or fails if the CLI is required.
// The test is also skipped if it isn't in the sample (need.Sample).
//
// Path works only in packages whose folders are two levels below the root.
func Path(t testing.TB) string {
	t.Helper()
	need.Sample(t)
	switch path := os.Getenv("VOXPILOT_TEST_COPILOT"); path {
	case "":
	case "none":
		need.Agent(t, "VOXPILOT_TEST_COPILOT is none")
	default:
		return path
	}
	system, arch, name := runtime.GOOS, runtime.GOARCH, "copilot"
	if system == "windows" {
		system, name = "win32", "copilot.exe"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	path, err := filepath.Abs(filepath.Join("..", "..", "frontend", "node_modules", "@github", "copilot-"+system+"-"+arch, name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		need.Agent(t, "the Copilot CLI is not installed (npm ci in frontend, or VOXPILOT_TEST_COPILOT): %v", err)
	}
	return path
}
