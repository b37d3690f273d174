//go:build unix && !linux

package process

import (
	"os"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

func self() (string, error) { return os.Executable() }

func ProgramPath() (string, error) { return os.Executable() }

func beforeExec() { workspace.CloseEachOnExec() }
