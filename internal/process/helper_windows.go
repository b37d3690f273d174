package process

import (
	"context"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Helper is a program that runs beside the agents, without a window.
func Helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = NeutralFolder()
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	return cmd, nil
}

func SweepHelper(*exec.Cmd) {}
