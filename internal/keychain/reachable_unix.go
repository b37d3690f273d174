//go:build unix && !darwin

package keychain

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
)

var errNoBus = backend.Problem("no D-Bus session bus")

// reachable looks for the session bus first: the D-Bus client would start a bus
// of its own where there is none, and leave it behind.
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
