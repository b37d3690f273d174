package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// writeFile writes data to the start of a file, creating the file if needed. If the file is longer than data, the rest
// of its content remains. Package os would make twice as many system calls, because it first tries to add the file to
// Go's network poller.
func writeFile(path string, data []byte) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC, 0o600)
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

// maxWiped is the size in bytes up to which wipe overwrites a file with NULs. Larger files are emptied.
const maxWiped = 64 << 10

// wipe removes the content of a file. It overwrites a small file with NULs, because emptying the file would be slower:
// ext4 frees the blocks of an emptied file, and immediately writes the file's next content to the disk.
func wipe(path string) error {
	var info unix.Stat_t
	if err := unix.Lstat(path, &info); err != nil {
		return &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	if info.Size > maxWiped {
		return os.Truncate(path, 0)
	}
	return writeFile(path, make([]byte, info.Size))
}

// readFile returns the content of a file in /proc. It reads as much as possible at once, because the kernel formats the
// whole content again for each read.
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

// removeAll removes a folder, even if a command made parts of it unreadable.
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
