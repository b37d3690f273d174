//go:build !windows

package trust

import (
	"io/fs"
	"syscall"
)

// withoutWaiting opens a pipe that took the place of a file without waiting for
// its other end.
const withoutWaiting = syscall.O_NONBLOCK

// runs reports whether git runs a hook with the mode.
func runs(mode fs.FileMode) bool { return mode.Perm()&0o111 != 0 }
