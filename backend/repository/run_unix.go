//go:build unix

package repository

import (
	"io/fs"
	"os/exec"
	"syscall"

	"github.com/voxpilot/voxpilot/internal/process"
)

// detached makes a command start in a session of its own, so that nothing can ask for a password in a terminal.
func detached(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	process.DieWithParent(cmd.SysProcAttr)
}

// isExecutable reports whether git runs a hook with this mode.
func isExecutable(mode fs.FileMode) bool { return mode.Perm()&0o111 != 0 }
