//go:build unix && !darwin

package keychain

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
)

var errNoBus = backend.Problem("no D-Bus session bus")

// reachable returns an error if there is no session bus: without one, the D-Bus client
// would start a bus and leave it running.
func reachable() error {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	runtimeDir := filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(runtimeDir, name)); err == nil {
			return nil
		}
	}
	return errNoBus
}
