package agent

import (
	"context"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// helper is a program that runs beside the agents, without a window.
func helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = neutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	return cmd, nil
}

func sweepHelper(*exec.Cmd) {}
