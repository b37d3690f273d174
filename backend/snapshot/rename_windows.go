package snapshot

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// openFile opens a file for reading.
func openFile(dir *os.Root, name string) (*os.File, error) { return dir.Open(name) }

// exchange returns errors.ErrUnsupported, because Windows has no such operation.
func exchange(*os.Root, string, *os.Root, string) error { return errors.ErrUnsupported }

// moveNew renames a file without replacing an existing one. It returns fs.ErrExist if the new name is taken.
func moveNew(a *os.Root, from string, b *os.Root, to string) error {
	old, err := nameIn(a, from)
	if err != nil {
		return err
	}
	name, err := nameIn(b, to)
	if err != nil {
		return err
	}
	err = windows.MoveFile(old, name)
	if errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		return errors.Join(fs.ErrExist, err)
	}
	return err
}

// removeFile removes a file or link. It falls back to DeleteFile, because some file systems, such as exFAT, don't
// support the call that os.Root uses.
func removeFile(dir *os.Root, name string) error {
	err := dir.Remove(name)
	if !errors.Is(err, windows.ERROR_INVALID_FUNCTION) && !errors.Is(err, windows.ERROR_INVALID_PARAMETER) && !errors.Is(err, windows.ERROR_NOT_SUPPORTED) {
		return err
	}
	path, err := nameIn(dir, name)
	if err != nil {
		return err
	}
	err = windows.DeleteFile(path)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) { // the file may be read-only, which dir.Remove would ignore
		if attributes, e2 := windows.GetFileAttributes(path); e2 == nil && attributes&windows.FILE_ATTRIBUTE_READONLY != 0 &&
			windows.SetFileAttributes(path, attributes&^windows.FILE_ATTRIBUTE_READONLY) == nil {
			err = windows.DeleteFile(path)
		}
	}
	return err
}

// rmdir removes an empty directory. It removes nothing else.
func rmdir(dir *os.Root, name string) error {
	path, err := nameIn(dir, name)
	if err != nil {
		return err
	}
	return windows.RemoveDirectory(path)
}

// syncAll does nothing, because Windows can sync a file system only with administrator rights.
func syncAll(*os.Root) error { return nil }

// nameIn returns the full path of the entry called name in an open directory, encoded in UTF-16.
func nameIn(dir *os.Root, name string) (*uint16, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(windows.Handle(f.Fd()), &buf[0], uint32(len(buf)), 0)
	if err != nil {
		return nil, err
	}
	return windows.UTF16PtrFromString(windows.UTF16ToString(buf[:n]) + `\` + name)
}
