package process

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// tree is the job that the process and all it starts belong to.
type tree struct{ job job }

// command is path with no window, in a process group of its own, and suspended
// until it is in its job.
func (p *Process) command(path string, args []string) (*exec.Cmd, error) {
	cmd := exec.Command(path, args...) //nolint:noctx // it ends by the ladder, not by a context
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
	return cmd, nil
}

// LockThread does nothing: a process here ends with its job.
func LockThread() (unlock func()) { return func() {} }

// adopt puts the suspended process into a job and lets it run.
func (p *Process) adopt() error { return p.tree.job.adopt(p.cmd) }

// terminate is what comes before the kill on other systems; Windows has no
// signal that a process without a console could be sent.
func (p *Process) terminate() {}

// killTree ends the process and all it started.
func (p *Process) killTree() {
	p.tree.job.terminate()
	_ = p.cmd.Process.Kill()
}

// Sweep ends what an agent that is gone left behind.
func (p *Process) Sweep() {
	p.tree.job.terminate()
	p.tree.job.close()
}

func signalOf(*os.ProcessState) string { return "" }

func SameVar(a, b string) bool { return strings.EqualFold(a, b) }

// ExecIfRequested does nothing on Windows: a child inherits no handle there that is
// not passed to it by name.
func ExecIfRequested() {}

// Through is empty: a child inherits no handle on Windows that is not passed to
// it by name.
func Through() []string { return nil }

// SelfCommand is a command that runs this program a second time.
func SelfCommand(args ...string) (*exec.Cmd, error) {
	me, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(me, args...), nil //nolint:noctx // it ends with its input
}

// Helper is a program that runs beside the agents, without a window.
func Helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = NeutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	return cmd, nil
}

func SweepHelper(*exec.Cmd) {}
