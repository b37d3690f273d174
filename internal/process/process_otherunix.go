//go:build unix && !linux && !darwin

package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// processes returns nil: on these systems VoxPilot doesn't read the process table and
// stops only the process group.
func processes() []running { return nil }

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
