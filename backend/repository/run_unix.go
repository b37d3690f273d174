//go:build unix

package repository

import (
	"io/fs"
	"os/exec"
	"syscall"

	"github.com/voxpilot/voxpilot/internal/process"
)

// detached makes a command start in a new session without a terminal, so that no program can ask for a password there.
func detached(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	process.DieWithParent(cmd.SysProcAttr)
}

// isExecutable reports whether git runs a hook whose file has the given mode.
func isExecutable(mode fs.FileMode) bool { return mode.Perm()&0o111 != 0 }
