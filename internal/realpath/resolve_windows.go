package realpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// resolve returns the path as Windows resolves it: Windows folds "." and ".." before it accesses any
// file, except in paths that start with \\?\, in which they have no special meaning.
func resolve(path string) (string, error) {
	if !strings.HasPrefix(path, `\\?\`) {
		path = filepath.Clean(path)
	}
	return follow(path, maxLinks)
}

// follow returns path with the links in its existing part resolved. Links to missing
// files are followed too, since a write goes to their target.
func follow(path string, links int) (string, error) {
	real, err := finalName(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	dir := filepath.Dir(path)
	if dir == path {
		return "", err
	}
	if dir, err = follow(dir, links); err != nil {
		return "", err
	}
	path = filepath.Join(dir, filepath.Base(path))
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	if err != nil {
		return "", err
	}
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
		return path, nil // it was just created
	}
	to, err := os.Readlink(path)
	if err != nil {
		return "", err
	}
	if links == 0 {
		return "", errLinks
	}
	return follow(filepath.Clean(Join(dir, to)), links-1)
}

// finalName returns the canonical name of an existing file: links, mount points and
// short names are resolved, and letters have the case in which they are stored.
func finalName(path string) (string, error) {
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
