//go:build unix

package store_test

import (
	"os/exec"
	"syscall"
)

// runAsNobody runs a command as the user nobody.
func runAsNobody(c *exec.Cmd) *exec.Cmd {
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyID, Gid: nobodyID}}
	return c
}
