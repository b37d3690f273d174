//go:build unix

// Package sessionbus connects to the D-Bus session of the user, and never
// starts one: the library would, where it finds none, and would leave it behind.
package sessionbus

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/godbus/dbus/v5"
)

// ErrNone says that there is no session bus.
var ErrNone = errors.New("there is no D-Bus session")

// Connect opens a connection that is the caller's own: it gets no signals of
// others, and its end is nobody else's. Signals come in their order.
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
