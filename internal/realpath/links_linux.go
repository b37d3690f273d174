package realpath

import (
	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/unix"
)

// errProcess is the error for a link that leads elsewhere for each process.
var errProcess = backend.Problem("a link in /proc leads to a different file for each program")

// isText reports whether the links in dir lead where their text says, and to the
// same file for every program. Those of /proc do neither: "self" is the program
// that asks, and "cwd" and "fd/3" are no names.
func isText(dir string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return err
	}
	if fs.Type == unix.PROC_SUPER_MAGIC {
		return errProcess
	}
	return nil
}
