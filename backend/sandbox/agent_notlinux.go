//go:build !linux

package sandbox

import "errors"

// door has no use on this system, where whole agents don't run in a sandbox.
type door struct{}

// Outside fails: no agent runs in a sandbox on this system.
func (*Agent) Outside(string, string, []string) (line string, discard func(), err error) {
	return "", nil, errors.ErrUnsupported
}
