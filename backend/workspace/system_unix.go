//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFlags are added where a file is opened: a pipe that took its place
// meanwhile would keep the caller waiting for somebody to write.
const openFlags = syscall.O_NONBLOCK

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// keepOwner gives f the owner and the group of the file it takes the place of,
// as far as that is allowed: others may have their rights by the group.
func keepOwner(f *os.File, was fs.FileInfo) {
	if s, ok := was.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(s.Uid), int(s.Gid)) != nil {
			_ = f.Chown(-1, int(s.Gid))
		}
	}
}

// syncDir makes a rename in the directory durable.
func syncDir(dir *os.Root) {
	if d, err := dir.Open("."); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
