//go:build unix && !linux

package process

import (
	"os"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

func self() (string, error) { return os.Executable() }

// ProgramPath returns the path of this program, for use in a shell.
func ProgramPath() (string, error) { return os.Executable() }

func beforeExec() { workspace.CloseEachOnExec() }
