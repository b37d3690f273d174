//go:build unix

package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// command is path by way of ExecIfRequested, in a process group of its own.
func (p *Process) command(path string, args []string) (*exec.Cmd, error) {
	me, err := self()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(me, append([]string{execArg, path}, args...)...) //nolint:noctx // it ends by the ladder, not by a context
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}

func (p *Process) adopt() error { return nil }

// terminate asks the process group to end.
func (p *Process) terminate() { _ = syscall.Kill(-p.PID, syscall.SIGTERM) }

// killTree kills the process, its group, and its descendants, of which those
// that run in sessions of their own are in no group of ours.
func (p *Process) killTree() {
	children := p.descendants()
	_ = syscall.Kill(-p.PID, syscall.SIGKILL)
	_ = syscall.Kill(p.PID, syscall.SIGKILL)
	for _, c := range children {
		c.kill()
	}
}

// signalOf is the name of the signal that ended the process, or "".
func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return signalName(ws.Signal())
	}
	return ""
}

func SameVar(a, b string) bool { return a == b }

// Through is what commands are started through, as the agent itself is: see
// ExecIfRequested.
func Through() []string {
	me, err := self()
	if err != nil {
		return nil
	}
	return []string{me, execArg}
}

// SelfCommand is a command that runs this program a second time. It inherits no
// descriptor but its standard ones; see ExecIfRequested. On Linux it is sent SIGTERM
// when the thread that starts it ends.
func SelfCommand(args ...string) (*exec.Cmd, error) {
	me, err := self()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(me, append([]string{execArg, me}, args...)...) //nolint:noctx // it ends with its input
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}

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
