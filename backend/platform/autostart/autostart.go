// Package autostart makes the system start VoxPilot hidden at login. Only the system
// stores the setting, because the user can also change it in the system's settings.
//
// On reports whether VoxPilot starts at login, and Set changes that. Mend corrects the system's entry for
// VoxPilot if the program in it no longer exists, for example because VoxPilot was moved; an entry that
// starts another copy of VoxPilot is left unchanged.
package autostart

import (
	"github.com/voxpilot/voxpilot/backend"
)

// ID is VoxPilot's application ID, which names the entry on Linux and macOS.
const ID = "io.github.voxpilot.VoxPilot"

// hidden is the argument that makes VoxPilot start in the tray.
const hidden = "--hidden"

// failed returns the error to show the user if VoxPilot can't change the entry at the given location.
func failed(where backend.Message, err error) error {
	return &backend.Error{
		Code:    backend.CodeStorage,
		Message: backend.Say("Couldn't change “Start at login”: VoxPilot can't write to %s.", where),
		Detail:  err.Error(),
	}
}

// isApproved reports whether an entry is turned on in Windows Settings. state is the stored state of the entry's
// switch: its first byte is odd if the user has turned the entry off. If state is empty, the entry is turned on.
func isApproved(state []byte) bool { return len(state) == 0 || state[0]%2 == 0 }
