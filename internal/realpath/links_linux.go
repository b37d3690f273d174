package realpath

import (
	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/unix"
)

// errProcess is returned for a link with a different target for each process.
var errProcess = backend.Problem("a link in /proc leads to a different file for each program")

// isText returns an error if the links in dir don't lead to the target in their text,
// or not to the same file for every program. Links in /proc do neither: "self" depends
// on the calling program, and "cwd" and "fd/3" aren't names.
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
