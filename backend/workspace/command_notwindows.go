//go:build !windows

package workspace

import "os/exec"

// hide does nothing: only Windows opens console windows.
func hide(*exec.Cmd) {}
