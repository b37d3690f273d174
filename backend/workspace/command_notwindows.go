//go:build !windows

package workspace

import "os/exec"

// hide does nothing: a program has no window here unless it opens one.
func hide(*exec.Cmd) {}
