//go:build unix

package harden

import "golang.org/x/sys/unix"

// limitCore has a crash of VoxPilot, and of what it starts, leave no image of the
// memory. A program may raise the limit again for itself.
func limitCore() {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &limit) != nil {
		return
	}
	limit.Cur = 0
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit)
}
