package repository

import (
	"io/fs"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detached makes a command start without a window, suspended until it is in its job.
func detached(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
}

// isExecutable reports whether git runs a hook with this mode: any file, on Windows.
func isExecutable(fs.FileMode) bool { return true }
