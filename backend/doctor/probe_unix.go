//go:build unix

package doctor

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

func free(path string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:unconvert // the type differs between systems
}

func shared(mode fs.FileMode) bool { return mode.Perm()&0o077 != 0 }
