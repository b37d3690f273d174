//go:build unix

package fakeagent

import (
	"os/exec"
	"syscall"
)

// ownSession starts the command in a session of its own and ends it with its
// group.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
