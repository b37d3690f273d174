package review

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// stampOf returns the size and time of a file on disk, or "" if there is none.
func (l *list) stampOf(name string) string {
	info, err := os.Lstat(filepath.Join(l.chat.Folder, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
}

// isOnDisk reports whether the file on disk still has the content of the file's new side. It returns true if the two
// can't be compared, for example because the file is a submodule.
func (l *list) isOnDisk(f file) bool {
	if f.new.stamp != "" {
		return l.stampOf(f.Path) == f.new.stamp
	}
	if f.new.commit != "" || f.new.kind == snapshot.Unknown || f.new.blob != "" {
		return true // can't be compared with the disk
	}
	root, err := os.OpenRoot(l.chat.Folder)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }()
	name := filepath.FromSlash(f.Path)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return !f.new.exists()
	case err != nil:
		return false
	case info.IsDir():
		return !f.new.exists()
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		return err == nil && f.new.kind == snapshot.Link && sha256.Sum256([]byte(target)) == f.new.hash
	case !info.Mode().IsRegular() || f.new.kind != snapshot.File || info.Size() != f.new.size:
		return false
	}
	file, err := root.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, f.new.size+1)); err != nil {
		return false
	}
	return snapshot.Hash(sum.Sum(nil)) == f.new.hash
}
