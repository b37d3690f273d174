package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// folder is an open directory.
type folder struct{ root *os.Root }

func openFolder(path string) (folder, error) {
	root, err := os.OpenRoot(path)
	return folder{root}, err
}

func (d folder) close() { _ = d.root.Close() }

// names returns the names in the directory, in no particular order.
func (d folder) names() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.Readdirnames(-1)
}

// lstat returns the state of the named entry.
func (d folder) lstat(name string) (stat, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return stat{}, err
	}
	return statOf(info), nil
}

func statOf(info fs.FileInfo) stat {
	s := stat{mode: modeOf(info.Mode()), size: info.Size(), mtime: info.ModTime().UnixNano()}
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		s.ctime = data.CreationTime.Nanoseconds()
	}
	switch info.Mode().Type() {
	case 0:
		s.kind = File
	case fs.ModeSymlink:
		s.kind = Link
	case fs.ModeDir:
		s.kind, s.mode = Dir, 0 // folders have no mode
	}
	return s
}

// enter opens the named directory, which must not be a link.
func (d folder) enter(name string) (folder, error) {
	root, err := enter(d.root, name)
	return folder{root}, err
}

// open opens the named regular file and returns its state.
func (d folder) open(name string) (*os.File, stat, error) {
	f, err := openFile(d.root, name)
	if err != nil {
		return nil, stat{}, err
	}
	st, err := fstat(f)
	if err == nil && st.kind != File {
		err = errors.New("not a regular file")
	}
	if err != nil {
		_ = f.Close()
		return nil, stat{}, err
	}
	return f, st, nil
}

func fstat(f *os.File) (stat, error) {
	info, err := f.Stat()
	if err != nil {
		return stat{}, err
	}
	return statOf(info), nil
}

// target returns the target of the named link.
func (d folder) target(name string) (string, error) { return d.root.Readlink(name) }

// syncDir does nothing, because Windows can't sync a directory.
func syncDir(string) {}

// modeOf returns the part of a file mode that is recorded and restored: whether the file is writable.
func modeOf(perm os.FileMode) uint32 { return uint32(perm.Perm()) & 0o666 }
