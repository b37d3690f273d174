//go:build !windows

package update

import (
	"errors"
	"os/exec"
)

// runSetup is for Windows.
func runSetup(string, string) error { return errors.New("the installer runs on Windows only") }

// setupFolder is for Windows.
func setupFolder() string { return "" }

// hide keeps a console window from showing up, where programs have one.
func hide(*exec.Cmd) {}
