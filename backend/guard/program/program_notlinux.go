//go:build !linux

package program

import "errors"

// Write returns errors.ErrUnsupported, because this system needs no separate hook program: VoxPilot's own binary
// starts quickly enough.
func Write(string) (string, error) { return "", errors.ErrUnsupported }
