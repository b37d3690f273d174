package realpath

import (
	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/unix"
)

// errProcess is returned for a link whose target differs between processes.
var errProcess = backend.Problem("a symbolic link in /proc can lead to a different file for each process")

// isText returns an error if a link in dir may lead somewhere other than the path stored in it, or to a different file
// for each program. Both happen in /proc: the target of "self" depends on the calling program, and the kernel doesn't
// follow the text stored in "cwd" and "fd/3" as a path.
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
