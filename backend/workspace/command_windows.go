package workspace

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// hide suppresses the console window of a program.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}
