//go:build unix && !linux && !darwin

package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// processes is empty on systems whose process table is not read; there the
// process group is all that is ended.
func processes() []running { return nil }

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
