//go:build unix

package store_test

import (
	"os/exec"
	"syscall"
)

// asNobody makes a command run as a user who owns nothing.
func asNobody(c *exec.Cmd) *exec.Cmd {
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return c
}
