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

// shared is false: rights are not in the mode on Windows, and the folder of a
// user's data is that user's alone there.
func shared(fs.FileMode) bool { return false }
