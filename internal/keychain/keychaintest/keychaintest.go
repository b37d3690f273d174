// Package keychaintest replaces the system's keychain with a fake one for the whole
// process, so that tests neither read nor write the keychain of the user who runs them.
package keychaintest

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/zalando/go-keyring"
)

// UseWorking installs a working, empty keychain.
func UseWorking(t *testing.T) {
	t.Helper()
	reachable(t)
	keyring.MockInit()
}

// UseLocked installs a locked keychain, which is unavailable.
func UseLocked(t *testing.T) {
	t.Helper()
	reachable(t)
	keyring.MockInitWithError(backend.Problem("it is locked"))
}

// reachable sets a session bus address, so that the keychain counts as reachable
// without a real session bus.
func reachable(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir())
}
