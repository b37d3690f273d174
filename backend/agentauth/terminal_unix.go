//go:build unix

package agentauth

import (
	"os/exec"

	"github.com/charmbracelet/x/xpty"
)

// control makes the program's terminal the controlling terminal of its session, so that Ctrl+C and job control work.
func control(cmd *exec.Cmd) { cmd.SysProcAttr.Setctty = true }

// release closes VoxPilot's copy of the program's side of the terminal. Reading then ends with the last process that uses
// the terminal.
func release(pty xpty.Pty) {
	if p, ok := pty.(*xpty.UnixPty); ok {
		_ = p.Slave().Close()
	}
}
