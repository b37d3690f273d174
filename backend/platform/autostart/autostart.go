// Package autostart has the system start VoxPilot, hidden, when the user logs
// in. Whether it does is known to the system alone: the user can change it there
// as well, so nothing of it is kept here.
//
// On says whether the system starts VoxPilot, and Set changes that. Mend corrects
// an entry whose program is not there any more, as after VoxPilot was moved; one
// that starts another VoxPilot is left alone.
package autostart

import (
	"github.com/voxpilot/voxpilot/backend"
)

// ID is what the entry is called by systems that want a name of that kind.
const ID = "io.github.voxpilot.VoxPilot"

// hidden has VoxPilot begin in the tray.
const hidden = "--hidden"

// failed tells a person that the entry could not be changed.
func failed(where backend.Message, err error) error {
	return &backend.Error{
		Code:    backend.CodeStorage,
		Message: backend.Say("Couldn't change Start at login: VoxPilot can't write to %s.", where),
		Detail:  err.Error(),
	}
}

// isApproved reads what Windows keeps of a switch in its Settings: the first
// byte is odd where the user switched the entry off.
func isApproved(state []byte) bool { return len(state) == 0 || state[0]%2 == 0 }
