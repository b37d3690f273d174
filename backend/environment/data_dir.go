package environment

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// DataDir is where VoxPilot keeps its own data: the system's place for it, or
// VOXPILOT_DATA_DIR.
func DataDir() string {
	if dir := os.Getenv("VOXPILOT_DATA_DIR"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
		return dir
	}
	return filepath.Join(xdg.DataHome, "VoxPilot")
}
