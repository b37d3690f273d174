package repository

import (
	"io/fs"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detached makes a command start without a window. The command is suspended until it is added to its job object.
func detached(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
}

// isExecutable always returns true, because git on Windows ignores the mode of a hook's file.
func isExecutable(fs.FileMode) bool { return true }
