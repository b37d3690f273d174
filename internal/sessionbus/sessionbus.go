//go:build unix

// Package sessionbus connects to the user's D-Bus session bus without ever starting a
// bus: if there is none, the D-Bus library would start one and leave it running.
package sessionbus

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/godbus/dbus/v5"
)

// ErrNone is returned if there is no session bus.
var ErrNone = errors.New("no D-Bus session")

// Connect opens a private connection: it doesn't receive signals meant for other connections in this process, and
// closing it doesn't affect them. Signals arrive in order.
func Connect(opts ...dbus.ConnOption) (*dbus.Conn, error) {
	opts = append([]dbus.ConnOption{dbus.WithSignalHandler(dbus.NewSequentialSignalHandler())}, opts...)
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" || address == "autolaunch:" {
		socket := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
		if info, err := os.Stat(socket); os.Getenv("XDG_RUNTIME_DIR") == "" || err != nil || info.Mode()&os.ModeSocket == 0 {
			return nil, ErrNone
		}
		address = "unix:path=" + socket
	}
	return dbus.Connect(address, opts...)
}
