//go:build unix

package realpath

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func resolve(path string) (string, error) {
	w := walk{at: "/", todo: strings.Split(path, "/")}
	for len(w.todo) > 0 {
		name := w.todo[0]
		w.todo = w.todo[1:]
		if err := w.step(name); err != nil {
			return "", fmt.Errorf("following %s: %w", path, err)
		}
	}
	return w.at, nil
}

// walk is a partially resolved path. It consists of the resolved part (at), which contains
// no links, and the remaining names (todo).
type walk struct {
	at      string
	file    bool // at exists and isn't a directory
	missing bool // at doesn't exist
	todo    []string
	links   int
}

func (w *walk) step(name string) error {
	switch name {
	case "", ".":
		// A path that ends with a separator must be a directory.
		if w.file {
			return syscall.ENOTDIR
		}
		return nil
	case "..":
		if w.file {
			return syscall.ENOTDIR
		}
		if w.missing {
			return syscall.ENOENT
		}
		w.at = filepath.Dir(w.at)
		return nil
	}
	if w.file {
		return syscall.ENOTDIR
	}
	next := filepath.Join(w.at, name)
	if w.missing {
		w.at = next
		return nil
	}
	info, err := os.Lstat(next)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.at, w.missing = next, true
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink == 0:
		w.at, w.file = next, !info.IsDir()
		return nil
	}
	return w.follow(next)
}

// follow puts the target of the link at path in front of the remaining names.
func (w *walk) follow(path string) error {
	if w.links++; w.links > maxLinks {
		return errLinks
	}
	if err := isText(w.at); err != nil {
		return err
	}
	to, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if to == "" {
		return syscall.ENOENT
	}
	if to[0] == '/' {
		w.at = "/"
	}
	w.todo = append(strings.Split(to, "/"), w.todo...)
	return nil
}
