package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// openFlags are added where a file is opened.
const openFlags = 0

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// keepOwner does nothing: what is made in a folder has the folder's rights.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir does nothing: a rename is durable by itself.
func syncDir(*os.Root) {}
