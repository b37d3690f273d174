//go:build unix && !linux && !darwin

package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// processes returns nil on systems whose process table isn't read; there only the
// process group is stopped.
func processes() []running { return nil }

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
