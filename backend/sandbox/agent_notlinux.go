//go:build !linux

package sandbox

import "errors"

// launcher is empty, because whole agents don't run in a sandbox on this system.
type launcher struct{}

// Outside always returns an error, because whole agents don't run in a sandbox on this system.
func (*Agent) Outside(string, string, []string) (line string, discard func(), err error) {
	return "", nil, errors.ErrUnsupported
}
