package update

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isFull says whether an error is that of a disk, or of the user's part of it,
// that is full.
func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
