//go:build !linux

package program

import "errors"

// Write fails: on this system, VoxPilot's own program starts quickly enough.
func Write(string) (string, error) { return "", errors.ErrUnsupported }
