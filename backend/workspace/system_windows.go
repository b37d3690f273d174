package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// openFlags are additional flags for opening a file.
const openFlags = 0

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// keepOwner does nothing: new files inherit the permissions of their folder.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir does nothing: renames are durable on Windows.
func syncDir(*os.Root) {}
