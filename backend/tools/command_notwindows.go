//go:build !windows

package tools

import "os/exec"

// hide does nothing: a program has no window here unless it opens one.
func hide(*exec.Cmd) {}
