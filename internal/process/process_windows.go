package process

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// tree is the job of the process and all its descendants.
type tree struct{ job job }

// command returns a command that runs path without a window, in a separate process group. The process stays suspended
// until it is assigned to its job.
func (p *Process) command(path string, args []string) (*exec.Cmd, error) {
	cmd := exec.Command(path, args...) //nolint:noctx // stopped by signals, not by a context
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
	return cmd, nil
}

// LockThread does nothing: on Windows a process ends with its job.
func LockThread() (unlock func()) { return func() {} }

// adopt assigns the suspended process to its job and resumes it.
func (p *Process) adopt() error { return p.tree.job.adopt(p.cmd) }

// terminate does nothing: Windows has no signal for a process without a console.
func (p *Process) terminate() {}

// killTree kills the process and all its descendants.
func (p *Process) killTree() {
	p.tree.job.terminate()
	_ = p.cmd.Process.Kill()
}

// Sweep kills the leftovers of an exited agent.
func (p *Process) Sweep() {
	p.tree.job.terminate()
	p.tree.job.close()
}

func signalOf(*os.ProcessState) string { return "" }

// SameVar reports whether two names denote the same environment variable.
func SameVar(a, b string) bool { return strings.EqualFold(a, b) }

// ExecIfRequested does nothing: on Windows a child inherits only handles that are passed explicitly.
func ExecIfRequested() {}

// Through returns nil: on Windows a child inherits only handles that are passed explicitly.
func Through() []string { return nil }

// SelfCommand returns a command that runs this program again.
func SelfCommand(args ...string) (*exec.Cmd, error) {
	me, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(me, args...), nil //nolint:noctx // exits when its input closes
}

// Helper returns a command that runs a short-lived program without a window.
func Helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = NeutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	return cmd, nil
}

// SweepHelper does nothing: on Windows a helper has no process group that could be killed.
func SweepHelper(*exec.Cmd) {}

// ProgramPath returns the path of this program, for use in a shell.
func ProgramPath() (string, error) { return os.Executable() }
