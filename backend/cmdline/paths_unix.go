//go:build unix

package cmdline

import (
	"errors"
	"os"
	"syscall"
)

// openFolder opens a folder, and nothing else: to open a pipe may never end.
func openFolder(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
}

// notDirectory reports whether a name was looked for below a file.
func notDirectory(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
