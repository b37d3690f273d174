//go:build !linux && !windows && !(darwin && cgo)

package hotkey

func open(_, _ func()) (system, error) {
	return nil, impossible("This build of VoxPilot has no global shortcut.")
}
