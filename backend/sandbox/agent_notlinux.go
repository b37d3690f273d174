//go:build !linux

package sandbox

import "errors"

// launcher is unused on this system, where whole agents don't run in a sandbox.
type launcher struct{}

// Outside always returns an error: no agent runs in a sandbox on this system.
func (*Agent) Outside(string, string, []string) (line string, discard func(), err error) {
	return "", nil, errors.ErrUnsupported
}
