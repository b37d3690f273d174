//go:build unix

package store_test

import (
	"os/exec"
	"syscall"
)

// asNobody makes a command run as nobody.
func asNobody(c *exec.Cmd) *exec.Cmd {
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return c
}
