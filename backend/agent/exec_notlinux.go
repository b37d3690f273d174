//go:build unix && !linux

package agent

import (
	"os"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

func self() (string, error) { return os.Executable() }

func printer() (string, error) { return os.Executable() }

func beforeExec() { workspace.CloseEachOnExec() }
