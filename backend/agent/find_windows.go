package agent

import (
	"context"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// AskLoginShell asks nobody: a program on Windows has the user's environment
// however it was started.
func AskLoginShell(context.Context, time.Duration) LoginShell { return LoginShell{} }

// helper is a program that runs beside the agents, without a window.
func helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = neutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	return cmd, nil
}

func sweepHelper(*exec.Cmd) {}
