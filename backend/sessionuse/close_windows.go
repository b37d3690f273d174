package sessionuse

import (
	"errors"

	"github.com/voxpilot/voxpilot/backend"
)

// askToClose returns an error: Windows has no signal that asks a program in a terminal to close.
func askToClose(backend.Session, backend.SessionHolder) error {
	return errors.New("programs in a terminal can't be asked to close on Windows")
}
