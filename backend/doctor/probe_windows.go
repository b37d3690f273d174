package doctor

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

func free(path string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	var n uint64
	err = windows.GetDiskFreeSpaceEx(name, &n, nil, nil)
	return n, err
}

// shared always returns false: on Windows, a file's mode contains no permissions, and
// the user's data folder is private.
func shared(fs.FileMode) bool { return false }
