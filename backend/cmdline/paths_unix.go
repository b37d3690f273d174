//go:build unix

package cmdline

import (
	"errors"
	"syscall"
)

// notDirectory reports whether a name was looked for below a file.
func notDirectory(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
