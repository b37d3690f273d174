package workspace

import (
	"context"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// DetachIfRequested does nothing on Windows: processes don't end with their parent, and
// inherit no handles.
func DetachIfRequested() {}

// Detach starts a program that continues after this process exits.
func Detach(_ context.Context, command []string, dir string, env []string) error {
	cmd := exec.Command(command[0], command[1:]...) //nolint:noctx // outlives this process
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
