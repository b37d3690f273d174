//go:build !linux && !windows && !(darwin && cgo)

package hotkey

import "github.com/voxpilot/voxpilot/backend"

func open(_, _ func()) (system, error) {
	return nil, unsupportedError{backend.Say("This build doesn't support a global shortcut.")}
}
