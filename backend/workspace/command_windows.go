package workspace

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// hide keeps the console of a program from being seen.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}
