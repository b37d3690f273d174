//go:build unix && !linux && !darwin

package process

// Look returns false: on these systems VoxPilot doesn't read the process table.
func Look(int) (Info, bool) { return Info{}, false }

// isInner returns false: these systems have no sandbox for agents.
func isInner(int) bool { return false }
