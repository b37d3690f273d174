//go:build !windows

package update

import (
	"os/exec"

	"github.com/voxpilot/voxpilot/backend"
)

// runSetup is for Windows.
func runSetup(string, string) error { return backend.Problem("the installer runs on Windows only") }

// setupFolder is for Windows.
func setupFolder() string { return "" }

// hide keeps a console window from showing up, where programs have one.
func hide(*exec.Cmd) {}
