//go:build !windows

package trust

import (
	"io/fs"
	"syscall"
)

// withoutWaiting is a flag that keeps opening a file from blocking if a pipe has replaced the file.
const withoutWaiting = syscall.O_NONBLOCK

// runs reports whether git runs a hook with this mode.
func runs(mode fs.FileMode) bool { return mode.Perm()&0o111 != 0 }
