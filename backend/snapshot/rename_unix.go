//go:build unix

package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFile opens a file for reading. It doesn't wait for a writer if the file is a pipe.
func openFile(dir *os.Root, name string) (*os.File, error) {
	return dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// at passes the file descriptors of two directories to the given function, and returns the function's error.
func at(a, b *os.Root, call func(a, b int) error) error {
	fa, err := a.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = fa.Close() }()
	fb, err := b.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = fb.Close() }()
	return call(int(fa.Fd()), int(fb.Fd())) //nolint:gosec // file descriptors
}

// exchange exchanges two names atomically. It returns errors.ErrUnsupported if the file system can't do that.
func exchange(a *os.Root, from string, b *os.Root, to string) error {
	return at(a, b, func(fa, fb int) error { return unsupported(renameExchange(fa, from, fb, to)) })
}

// moveNew renames a file without replacing an existing one. It returns fs.ErrExist if the new name is taken.
func moveNew(a *os.Root, from string, b *os.Root, to string) error {
	return at(a, b, func(fa, fb int) error {
		err := unsupported(renameNew(fa, from, fb, to))
		if !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		if err := unix.Linkat(fa, from, fb, to, 0); err == nil {
			return unix.Unlinkat(fa, from, 0)
		} else if errors.Is(err, fs.ErrExist) {
			return err
		}
		// This isn't atomic. The file system, such as exFAT, has no hard links.
		var st unix.Stat_t
		if err := unix.Fstatat(fb, to, &st, unix.AT_SYMLINK_NOFOLLOW); !errors.Is(err, unix.ENOENT) {
			return errors.Join(fs.ErrExist, err)
		}
		return unix.Renameat(fa, from, fb, to)
	})
}

func unsupported(err error) error {
	for _, e := range []error{unix.EINVAL, unix.ENOSYS, unix.ENOTSUP, unix.EOPNOTSUPP} {
		if errors.Is(err, e) {
			return errors.ErrUnsupported
		}
	}
	return err
}

// rmdir removes an empty directory. It removes nothing else.
func rmdir(dir *os.Root, name string) error {
	return at(dir, dir, func(fd, _ int) error { return unix.Unlinkat(fd, name, unix.AT_REMOVEDIR) })
}

// removeFile removes a file or link.
func removeFile(dir *os.Root, name string) error { return dir.Remove(name) }
