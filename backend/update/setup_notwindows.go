//go:build !windows

package update

import (
	"os/exec"

	"github.com/voxpilot/voxpilot/backend"
)

// runSetup is supported only on Windows.
func runSetup(string, string) error { return backend.Problem("the installer runs on Windows only") }

// setupFolder returns "": there is an installer only on Windows.
func setupFolder() string { return "" }

// hide does nothing: only Windows opens console windows.
func hide(*exec.Cmd) {}
