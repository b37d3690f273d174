package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/windows"
)

// openFlags are added where a file is opened.
const openFlags = 0

// realPath is the one name of a file that exists: links, mount points and short
// names are followed, and letters are in the case in which they are kept.
func realPath(path string) (string, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return "", err
	}
	h, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return "", &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = windows.CloseHandle(h) }()
	buf := make([]uint16, 512)
	for {
		n, err := windows.GetFinalPathNameByHandle(h, &buf[0], uint32(len(buf)), 0)
		if err != nil {
			return "", &fs.PathError{Op: "name", Path: path, Err: err}
		}
		if int(n) <= len(buf) {
			break
		}
		buf = make([]uint16, n)
	}
	real := windows.UTF16ToString(buf)
	if share, is := strings.CutPrefix(real, `\\?\UNC\`); is {
		return `\\` + share, nil
	}
	return strings.TrimPrefix(real, `\\?\`), nil
}

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// keepOwner does nothing: what is made in a folder has the folder's rights.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir does nothing: a rename is durable by itself.
func syncDir(*os.Root, string) {}
