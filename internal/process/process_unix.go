//go:build unix

package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// command returns a command that runs path through ExecIfRequested, in a separate process group.
func (p *Process) command(path string, args []string) (*exec.Cmd, error) {
	me, err := launcher()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(me, append([]string{execArg, path}, args...)...) //nolint:noctx // stopped by signals, not by a context
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}

func (p *Process) adopt() error { return nil }

// terminate sends SIGTERM to the process group. An agent in a sandbox is in a different group: in that case, terminate
// sends SIGTERM to the first process in the sandbox, which forwards it.
func (p *Process) terminate() {
	if !p.sandboxed {
		_ = syscall.Kill(-p.PID, syscall.SIGTERM)
		return
	}
	for _, pid := range p.firstInSandbox() {
		_ = syscall.Kill(pid, syscall.SIGTERM)
	}
}

// killTree kills the process, its group, and its descendants, which may be in other
// sessions and groups.
func (p *Process) killTree() {
	children := p.descendants()
	_ = syscall.Kill(-p.PID, syscall.SIGKILL)
	_ = syscall.Kill(p.PID, syscall.SIGKILL)
	for _, c := range children {
		c.kill()
	}
}

// signalOf returns the name of the signal that killed the process, or "" if none did.
func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return signalName(ws.Signal())
	}
	return ""
}

// SameVar reports whether two names denote the same environment variable.
func SameVar(a, b string) bool { return a == b }

// Through returns the path of this program and the argument that makes it start another program, or nil if
// ExecIfRequested wasn't called. An agent's commands are started this way, like the agent itself.
func Through() []string {
	me, err := launcher()
	if err != nil {
		return nil
	}
	return []string{me, execArg}
}

// SelfCommand returns a command that runs this program again. The new process inherits only the standard descriptors;
// see ExecIfRequested. On Linux, it receives SIGTERM when the thread that started it ends.
func SelfCommand(args ...string) (*exec.Cmd, error) {
	me, err := launcher()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(me, append([]string{execArg, me}, args...)...) //nolint:noctx // exits when its input closes
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}

// Helper returns a command for a short-lived program. The program inherits only the standard descriptors and no
// terminal. When ctx ends, its process group gets SIGHUP, as from a closing terminal: a login shell runs the user's
// startup files, which may hold locks and release them on exit. A second signal would interrupt that cleanup.
func Helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	me, err := launcher()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, me, append([]string{execArg, path}, args...)...)
	cmd.Dir = NeutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGHUP) }
	return cmd, nil
}

// SweepHelper kills the remaining processes in the group of a stopped helper.
func SweepHelper(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
