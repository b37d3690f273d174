// Package keychaintest puts a keychain of the test's own in the place of the
// system's, for the whole process: tests that are about something else neither
// read nor write what is in the keychain of whoever runs them.
package keychaintest

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/zalando/go-keyring"
)

// Works is a keychain that works, and is empty.
func Works(t *testing.T) {
	t.Helper()
	reachable(t)
	keyring.MockInit()
}

// Locked is a keychain that cannot be used.
func Locked(t *testing.T) {
	t.Helper()
	reachable(t)
	keyring.MockInitWithError(backend.Problem("it is locked"))
}

// reachable has the keychain not look for a session bus of its own.
func reachable(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir())
}
