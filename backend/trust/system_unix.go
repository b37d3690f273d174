//go:build !windows

package trust

import (
	"io/fs"
	"syscall"
)

// withoutWaiting is a flag for opening a file: if a pipe has replaced the file, the call doesn't block.
const withoutWaiting = syscall.O_NONBLOCK

// runs reports whether git runs a hook file with the given mode.
func runs(mode fs.FileMode) bool { return mode.Perm()&0o111 != 0 }
