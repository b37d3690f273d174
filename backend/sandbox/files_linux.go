package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// writeFile writes a file. Package os would ask Go's poller first whether it can wait for the file, which takes twice as
// many system calls.
func writeFile(path string, data []byte) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	for len(data) > 0 && err == nil {
		var n int
		n, err = unix.Write(fd, data)
		data = data[max(n, 0):]
	}
	if err = errors.Join(err, unix.Close(fd)); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// readFile returns the content of a file of /proc. Each read makes the kernel format the content again up to that point.
func readFile(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	data := make([]byte, 0, 64<<10)
	for {
		data = slices.Grow(data, 32<<10)
		n, err := unix.Read(fd, data[len(data):cap(data)])
		if n <= 0 {
			return data, err
		}
		data = data[:len(data)+n]
	}
}

// removeAll removes a folder even if commands made parts of it unreadable.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil && entry != nil && entry.IsDir() {
			return fs.SkipDir
		}
		if err == nil && entry.IsDir() {
			_ = root.Chmod(path, 0o700) // WalkDir reads it after this call
		}
		return nil
	})
	return os.RemoveAll(dir)
}
