//go:build unix

package process

import (
	"context"
	"os/exec"
	"syscall"
)

// Helper is a program that runs beside the agents: it inherits no descriptor
// and no terminal, and is ended with its group. It is asked to first, as by a
// terminal that closes: a login shell runs the user's own files, which may hold
// locks that they put away at their end. A second signal would end what does so.
func Helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	me, err := self()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, me, append([]string{execArg, path}, args...)...)
	cmd.Dir = NeutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGHUP) }
	return cmd, nil
}

// SweepHelper ends what is left of the group of a helper that was ended.
func SweepHelper(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
