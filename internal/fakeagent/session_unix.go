//go:build unix

package fakeagent

import (
	"os/exec"
	"syscall"
)

// ownSession makes the command run in a separate session. Canceling the command kills
// its whole process group.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
