//go:build unix

package fakeagent

import (
	"os/exec"
	"syscall"
)

// ownSession starts the command in a separate session and kills its whole process group
// at the end.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
