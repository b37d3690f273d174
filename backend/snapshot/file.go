package snapshot

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
)

// errNotFolder is the error for a path that contains a file or link where a folder should be.
var errNotFolder = errors.New("a file or link is in place of a folder")

// enter opens the named directory in dir. It returns errNotFolder if the name refers to a file or link.
func enter(dir *os.Root, name string) (*os.Root, error) {
	named, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !named.IsDir() {
		return nil, errNotFolder
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := next.Stat(".")
	if err == nil && !os.SameFile(named, opened) {
		err = errNotFolder
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// parentOf opens the directory that contains a path below root, without following links. It returns
// fs.ErrNotExist or errNotFolder if there is none.
func parentOf(root *os.Root, p string) (*os.Root, error) { return parent(root, p, false) }

func parent(root *os.Root, p string, make bool) (*os.Root, error) {
	dir, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	names := strings.Split(p, "/")
	for _, name := range names[:len(names)-1] {
		if make {
			if err := dir.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
				_ = dir.Close()
				return nil, err
			}
		}
		next, err := enter(dir, name)
		_ = dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// entryAt returns the state of the entry called name in a directory and, for a file or link, its content. The kind is
// None if there is no such entry, and Unknown if it is a socket, pipe or device, or a file larger than limit bytes.
func entryAt(dir *os.Root, name string, limit int64) (e Entry, content []byte, err error) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil, nil
	}
	if err != nil {
		return e, nil, err
	}
	switch {
	case info.IsDir():
		return Entry{Kind: Dir}, nil, nil
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := dir.Readlink(name)
		return Entry{Kind: Link, Hash: sha256.Sum256([]byte(target))}, []byte(target), err
	case !info.Mode().IsRegular():
		return Entry{Kind: Unknown, Reason: Special}, nil, nil
	case info.Size() > limit:
		return Entry{Kind: Unknown, Reason: TooLarge}, nil, nil
	}
	f, err := openFile(dir, name)
	if err != nil {
		return e, nil, err
	}
	defer func() { _ = f.Close() }()
	if opened, err := f.Stat(); err != nil || !os.SameFile(opened, info) {
		return e, nil, errors.Join(errReplaced, err)
	}
	if content, err = readAll(f, limit); err != nil {
		return e, nil, err
	}
	return Entry{Kind: File, Mode: modeOf(info.Mode()), Size: int64(len(content)), Hash: sha256.Sum256(content)}, content, nil
}

var errReplaced = errors.New("it was replaced while it was read")

// readAll returns the content of a file, or an error if it is larger than limit bytes.
func readAll(f *os.File, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = errors.New("too large")
	}
	return content, err
}

// isGitDir reports whether an open directory that contains the given sorted names looks like a Git directory.
func isGitDir(d folder, names []string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, ok := slices.BinarySearch(names, name); !ok {
			return false
		}
		if st, err := d.lstat(name); err != nil || (st.kind == Dir) != (name != "HEAD") {
			return false
		}
	}
	return true
}

// foldsCase is true if, on this system, names that differ only in case usually refer to the same file.
const foldsCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// isGit reports whether name is ".git", the name of a repository's Git directory.
func isGit(name string) bool {
	return name == ".git" || foldsCase && strings.EqualFold(name, ".git")
}
