//go:build unix

package otherprograms

import "syscall"

// openFlags are the flags with which files are opened. Opening a pipe doesn't wait.
const openFlags = syscall.O_NONBLOCK
