//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// command is path by way of ExecIfAsked, in a process group of its own.
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
