package agentauth

import (
	"os/exec"

	"github.com/charmbracelet/x/xpty"
	"golang.org/x/sys/windows"
)

// control lets the program use the pseudo console instead of none. The program is suspended until its group has adopted
// it.
func control(cmd *exec.Cmd) {
	cmd.SysProcAttr.CreationFlags, cmd.SysProcAttr.HideWindow = windows.CREATE_SUSPENDED, false
}

// release does nothing: a pseudo console has only one side.
func release(xpty.Pty) {}
