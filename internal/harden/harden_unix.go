//go:build unix

package harden

import "golang.org/x/sys/unix"

// limitCore disables core dumps of VoxPilot and its children. A program may raise its own limit again.
func limitCore() {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &limit) != nil {
		return
	}
	limit.Cur = 0
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit)
}
