package agentauth

import (
	"os/exec"

	"github.com/charmbracelet/x/xpty"
)

// control lets the program use the pseudo console instead of none.
func control(cmd *exec.Cmd) { cmd.SysProcAttr.CreationFlags, cmd.SysProcAttr.HideWindow = 0, false }

// release does nothing: a pseudo console has only one side.
func release(xpty.Pty) {}
