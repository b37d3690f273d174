//go:build unix

package sessionfiles

import "syscall"

// openFlags are the flags with which files are opened. Opening a file that was replaced with a pipe doesn't wait.
const openFlags = syscall.O_NONBLOCK
