//go:build unix

package cmdline

import (
	"errors"
	"os"
	"syscall"
)

// openFolder opens a folder. It fails for anything else, because opening a pipe may block forever.
func openFolder(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
}

// notDirectory reports whether err means that a path component is a file instead of a folder.
func notDirectory(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
