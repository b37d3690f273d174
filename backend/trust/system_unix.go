//go:build !windows

package trust

import (
	"io/fs"
	"syscall"
)

// withoutWaiting makes opening a pipe that replaced a file not wait for its other end.
const withoutWaiting = syscall.O_NONBLOCK

// runs reports whether git runs a hook with this mode.
func runs(mode fs.FileMode) bool { return mode.Perm()&0o111 != 0 }
