package workspace

import (
	"context"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// DetachIfRequested does nothing on Windows: a process there does not end with the
// one that started it, and inherits no handle.
func DetachIfRequested() {}

// Detach starts a program that goes on when this one has ended.
func Detach(_ context.Context, command []string, dir string, env []string) error {
	cmd := exec.Command(command[0], command[1:]...) //nolint:noctx // it outlives us
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
