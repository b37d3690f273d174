//go:build unix

package otherprograms

import "syscall"

// openFlags are the additional flags for opening files. With these flags, opening a pipe doesn't block.
const openFlags = syscall.O_NONBLOCK
